// Coin-margined perpetuals (DLV-1): the futures terminal on this product.
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { loadPayload } from "#boot/payload.ts";
import type { TerminalData } from "#trade/terminal-market.ts";
import { FuturesPage, loadFutures } from "../features/futures/futures-page.tsx";

export function loader(request: LoaderFunctionArgs): Promise<TerminalData<ContractInfo>> {
  return loadFutures("delivery", request);
}

export const clientLoader = loadPayload<TerminalData<ContractInfo>>;

export default function Delivery() {
  return <FuturesPage biz="delivery" data={useLoaderData<TerminalData<ContractInfo>>()} />;
}
