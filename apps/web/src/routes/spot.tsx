// Spot trading of one pair (SPOT-1): loads what the first paint shows and composes the terminal with form and orders.
import { MARKET_CALLS, type Pair } from "@clockwork/trading/markets/contract";
import { Suspense } from "react";
import { type LoaderFunctionArgs, useLoaderData, useRouteLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import type { RootData } from "#boot/root-data.ts";
import { lazy } from "#boot/timeout.ts";
import { PageHead } from "#shell/page-head.tsx";
import { StructuredData } from "#shell/structured-data.tsx";
import { loadTerminal } from "#trade/load-terminal.ts";
import { TerminalFrame } from "#trade/terminal/terminal-frame.tsx";
import type { TerminalData } from "#trade/terminal-market.ts";
import { AlertButton } from "../features/alerts/alert-button.tsx";
import { OrderForm } from "../features/spot/order-form.tsx";
import { OrdersPanel } from "../features/spot/orders-panel.tsx";
import { SPOT } from "../features/spot/product.ts";
import { RequestedCoupons } from "../features/spot/requested-coupons.tsx";

const InfoPanel = lazy(() => import("../features/spot/info-panel.tsx").then((part) => ({ default: part.InfoPanel })));

const BotsTab = lazy(() => import("../features/grid/bots-tab.tsx").then((part) => ({ default: part.BotsTab })));
/** Constant: the orders hydrate late and must not change before. */
const BOTS = (
  <Suspense fallback={null}>
    <BotsTab biz="spot" />
  </Suspense>
);

export function loader({ context, params, url }: LoaderFunctionArgs): Promise<TerminalData<Pair>> {
  const page = context.get(pageContext);
  return loadTerminal<Pair>({
    page,
    source: { api: "spot", calls: MARKET_CALLS },
    list: () => readCall(page, MARKET_CALLS.pairs, {}, { shared: true }),
    path: SPOT.path,
    pathname: url.pathname,
    wanted: (params["*"] ?? "").replace(/\/$/, ""),
    last: page.preferences.pair,
    layout: page.preferences.layout ?? null,
  });
}

export const clientLoader = loadPayload<TerminalData<Pair>>;

export default function Spot() {
  const served = useLoaderData<TerminalData<Pair>>();
  const { pair } = served;
  const origin = useRouteLoaderData<RootData>("root")?.origin ?? "";
  return (
    <>
      <PageHead
        title={`${pair.base}/${pair.quote}`}
        description={`Trade ${pair.baseName} (${pair.base}) against ${pair.quote} with a live order book and chart.`}
        picture={`/pictures/pairs/${pair.pairCode}.png`}
      />
      <StructuredData
        facts={{
          "@type": "BreadcrumbList",
          itemListElement: [
            { "@type": "ListItem", position: 1, name: "Markets", item: `${origin}/markets` },
            {
              "@type": "ListItem",
              position: 2,
              name: `${pair.base}/${pair.quote}`,
              item: `${origin}/spot/${pair.pairCode}`,
            },
          ],
        }}
      />
      <TerminalFrame
        product={SPOT}
        data={served}
        form={<OrderForm />}
        orders={<OrdersPanel bots={BOTS} />}
        info={<InfoPanel />}
        alerts={<AlertButton />}
      />
      <RequestedCoupons />
    </>
  );
}
