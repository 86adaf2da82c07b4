// The futures terminal of one contract, for linear, inverse and demo alike: loads what the first paint shows and composes
// the shared frame with form, positions and what is a contract's own.
import type { FuturesBiz } from "@clockwork/trading/futures/contract";
import { CONTRACT_CALLS, type ContractInfo } from "@clockwork/trading/markets/contract";
import { type ReactNode, Suspense } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { readCall } from "#boot/read-call.ts";
import { useGlobal } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";
import { PageHead } from "#shell/page-head.tsx";
import { loadTerminal } from "#trade/load-terminal.ts";
import { TerminalFrame } from "#trade/terminal/terminal-frame.tsx";
import type { TerminalData } from "#trade/terminal-market.ts";
import { CalculatorButton } from "./bar-tools.tsx";
import { FuturesDialogs } from "./dialogs.tsx";
import { OrderForm } from "./form/order-form.tsx";
import { useFuturesText } from "./model/futures-text.ts";
import { ContractStatistics } from "./parts/statistics.tsx";
import { OrdersPanel } from "./positions/orders-panel.tsx";
import { FUTURES_PRODUCTS } from "./product.ts";
import "./futures.css";

const DemoBar = latePart(async () => (await import("./demo/demo-bar.tsx")).DemoBar);
const DemoDepth = latePart(async () => (await import("./demo/demo-depth.tsx")).DemoDepth);
const LiquidationsTape = lazy(() =>
  import("./market/liquidations-tape.tsx").then((part) => ({ default: part.LiquidationsTape })),
);
const ChartTabBody = lazy(() => import("./market/chart-tabs.tsx").then((part) => ({ default: part.ChartTabBody })));
const CHART_TABS = ["funding", "fund", "ladder"] as const;
const InfoPanel = lazy(() => import("./market/info-panel.tsx").then((part) => ({ default: part.InfoPanel })));

export function loadFutures(
  biz: FuturesBiz,
  { context, params, url }: LoaderFunctionArgs,
): Promise<TerminalData<ContractInfo>> {
  const page = context.get(pageContext);
  const { preferences } = page;
  return loadTerminal<ContractInfo>({
    page,
    source: { api: "futures", calls: CONTRACT_CALLS, fields: { biz } },
    list: () => readCall(page, CONTRACT_CALLS.instruments, { biz }, { api: "futures", shared: true }),
    path: FUTURES_PRODUCTS[biz].path,
    pathname: url.pathname,
    wanted: (params["*"] ?? "").replace(/\/$/, ""),
    last: biz === "delivery" ? preferences.deliveryPair : preferences.futuresPair,
    layout: preferences.layout ?? null,
  });
}

function Tape() {
  return (
    <Suspense fallback={null}>
      <LiquidationsTape />
    </Suspense>
  );
}

/** A visitor has used nothing. */
function DemoFoot() {
  return useGlobal((state) => state.topInfo.id !== null) ? <DemoDepth /> : null;
}

export interface FuturesPageProps {
  readonly biz: FuturesBiz;
  readonly data: TerminalData<ContractInfo>;
  /** Another feature's tab next to the orders. */
  readonly bots?: ReactNode;
}

export function FuturesPage({ biz, data, bots }: FuturesPageProps) {
  const text = useFuturesText();
  const { pair } = data;
  const product = FUTURES_PRODUCTS[biz];
  const name = product.words.nameOf(pair.pairCode);
  return (
    <>
      <PageHead
        title={`${name} perpetual`}
        description={`Trade the ${name} perpetual contract with up to ${pair.maxLeverage}× leverage, a live order book and chart.`}
        picture={`/pictures/pairs/${pair.pairCode}.png`}
      />
      <TerminalFrame
        product={product}
        data={data}
        form={<OrderForm />}
        orders={<OrdersPanel bots={bots} />}
        info={<InfoPanel />}
        chartTabs={CHART_TABS.map((id) => ({ id, title: text(`panel.${id}`), body: <ChartTabBody tab={id} /> }))}
        alerts={<CalculatorButton />}
        statistics={<ContractStatistics />}
        bookTab={{ title: text("data.liquidations"), body: <Tape /> }}
        overlays={<FuturesDialogs />}
        {...(biz === "demo" ? { banner: <DemoBar pairCode={pair.pairCode} />, bookFoot: <DemoFoot /> } : {})}
      />
    </>
  );
}
