// Demo trading (FUT-4): the futures terminal on this product.
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { loadPayload } from "#boot/payload.ts";
import { FuturesPage, loadFutures } from "../features/futures/futures-page.tsx";
import type { FuturesData } from "../features/futures/model/use-own.ts";

export function loader(request: LoaderFunctionArgs): Promise<FuturesData> {
  return loadFutures("demo", request);
}

export const clientLoader = loadPayload<FuturesData>;

export default function Simulated() {
  return <FuturesPage biz="demo" data={useLoaderData<FuturesData>()} />;
}
