// Linear perpetuals (FUT-1): the futures terminal on this product.
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { Suspense } from "react";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { loadPayload } from "#boot/payload.ts";
import { lazy } from "#boot/timeout.ts";
import type { TerminalData } from "#trade/terminal-market.ts";
import { FuturesPage, loadFutures } from "../features/futures/futures-page.tsx";

const BotsTab = lazy(() => import("../features/grid/bots-tab.tsx").then((part) => ({ default: part.BotsTab })));
/** Constant: the orders hydrate late and must not change before. */
const BOTS = (
  <Suspense fallback={null}>
    <BotsTab biz="futures" />
  </Suspense>
);

export function loader(request: LoaderFunctionArgs): Promise<TerminalData<ContractInfo>> {
  return loadFutures("futures", request);
}

export const clientLoader = loadPayload<TerminalData<ContractInfo>>;

export default function Futures() {
  return <FuturesPage biz="futures" bots={BOTS} data={useLoaderData<TerminalData<ContractInfo>>()} />;
}
