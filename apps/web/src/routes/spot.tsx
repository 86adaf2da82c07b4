// Spot trading of one pair (SPOT-1): loads what the first paint shows and composes the terminal with form and orders.
import type { Pair, Quotation } from "@clockwork/domains/markets/api";
import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import { data, type LoaderFunctionArgs, redirect, useLoaderData, useRouteLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { type CallApi, type RootData, readEnvelope } from "#boot/root-data.ts";
import { PageHead } from "#shell/page-head.tsx";
import { StructuredData } from "#shell/structured-data.tsx";
import { AlertButton } from "../features/alerts/alert-button.tsx";
import { OrderForm } from "../features/spot/order-form.tsx";
import { OrdersPanel } from "#trade/orders/orders-panel.tsx";
import { TerminalFrame } from "#trade/terminal/terminal-frame.tsx";
import type { TerminalData } from "#trade/terminal-market.ts";

const FIRST_INTERVAL = "15m";
const FIRST_CANDLES = 120;
const FIRST_LEVELS = 200;
const FIRST_TRADES = 60;
const STRIP = 4;

async function ask<Shape>(callApi: CallApi, path: string): Promise<Shape | undefined> {
  return readEnvelope(await callApi({ method: "GET", path, shared: true })) as Shape | undefined;
}

function listOf<Entry>(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? (value as Entry[]) : [];
}

/** Bare `/spot` goes on to the pair last used, else to the first there is. */
function sendOn(pathname: string, pairs: readonly Pair[], last: string | undefined): Response {
  const target = pairs.find((pair) => pair.pairCode === last) ?? pairs[0];
  if (target === undefined) throw data("No market is open yet", { status: 503 });
  return redirect(formatLocalePath(`/spot/${target.pairCode}`, parseLocalePath(pathname).locale));
}

export async function loader({ context, params, url }: LoaderFunctionArgs): Promise<TerminalData> {
  const { callApi, preferences } = context.get(pageContext);
  const pairs = listOf<Pair>(await ask(callApi, "/v1/spot/pairs"));
  const wanted = (params["*"] ?? "").replace(/\/$/, "");
  if (wanted === "") throw sendOn(url.pathname, pairs, preferences.pair);
  const pair = pairs.find(({ pairCode }) => pairCode === wanted);
  if (pair === undefined) throw data(`Page Not Found: /spot/${wanted.slice(0, 60)}`, { status: 404 });
  const of = `pairCode=${pair.pairCode}`;
  const [quotations, depth, trades, candles] = await Promise.all([
    ask(callApi, "/v1/spot/quotations"),
    ask<TerminalData["depth"]>(callApi, `/v1/spot/depth?${of}&limit=${FIRST_LEVELS}`),
    ask(callApi, `/v1/spot/trades?${of}&limit=${FIRST_TRADES}`),
    ask(callApi, `/v1/spot/candles?${of}&interval=${FIRST_INTERVAL}&limit=${FIRST_CANDLES}`),
  ]);
  const all = listOf<Quotation>(quotations);
  return {
    pair,
    quotation: all.find(({ pairCode }) => pairCode === pair.pairCode) ?? null,
    depth: depth ?? null,
    trades: listOf<TerminalData["trades"][number]>(trades).toSorted((left, right) => left.id - right.id),
    candles: listOf(candles),
    strip: all.toSorted((left, right) => Number(right.turnover) - Number(left.turnover)).slice(0, STRIP),
    layout: preferences.layout ?? null,
  };
}

export const clientLoader = loadPayload<TerminalData>;

export default function Spot() {
  const served = useLoaderData<TerminalData>();
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
      <TerminalFrame data={served} form={<OrderForm />} orders={<OrdersPanel />} alerts={<AlertButton />} />
    </>
  );
}
