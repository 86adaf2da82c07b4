// The data of a terminal's first paint, requested by its route's loader. Runs on the server, and in the browser through
// the page's payload.

import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import type { Quotation } from "@clockwork/trading/markets/contract";
import { data, redirect } from "react-router";
import type { PageContext } from "#boot/page-context.ts";
import { readCall } from "#boot/read-call.ts";
import type { MarketCalls, MarketSource } from "#live/feeds/market-feeds.ts";
import type { TradeInstrument } from "./product.ts";
import type { TerminalData } from "./terminal-market.ts";

const FIRST_INTERVAL = "15m";
const FIRST_CANDLES = 120;
const FIRST_LEVELS = 200;
const FIRST_TRADES = 60;
const STRIP = 4;

export interface TerminalRequest<Instrument> {
  readonly page: Pick<PageContext, "callApi">;
  /** The product's market data. */
  readonly source: Pick<MarketSource, "api" | "calls" | "fields">;
  /** Its instruments. */
  readonly list: () => Promise<readonly Instrument[] | undefined>;
  /** The product's pages: `/spot`. */
  readonly path: string;
  readonly pathname: string;
  /** The instrument in the address; empty for the bare one. */
  readonly wanted: string;
  /** The instrument last used. */
  readonly last: string | undefined;
  readonly layout: string | null;
}

/** The bare address redirects to the instrument last used, else to the first one listed. */
function sendOn<Instrument extends TradeInstrument>(
  { path, pathname, last }: TerminalRequest<Instrument>,
  pairs: readonly Instrument[],
): Response {
  const target = pairs.find((pair) => pair.pairCode === last) ?? pairs[0];
  if (target === undefined) throw data("No market is open yet", { status: 503 });
  return redirect(formatLocalePath(`${path}/${target.pairCode}`, parseLocalePath(pathname).locale));
}

export async function loadTerminal<Instrument extends TradeInstrument>(
  request: TerminalRequest<Instrument>,
): Promise<TerminalData<Instrument>> {
  const { page, path, wanted } = request;
  const { api, calls, fields } = request.source;
  const pairs = (await request.list()) ?? [];
  if (wanted === "") throw sendOn(request, pairs);
  const pair = pairs.find(({ pairCode }) => pairCode === wanted);
  if (pair === undefined) throw data(`Page Not Found: ${path}/${wanted.slice(0, 60)}`, { status: 404 });
  const of = { ...fields, pairCode: pair.pairCode };
  const options = { api, shared: true } as const;
  const [quotations, depth, trades, candles] = await Promise.all([
    readCall<MarketCalls["quotations"]>(page, calls.quotations, { ...fields }, options),
    readCall<MarketCalls["depth"]>(page, calls.depth, { ...of, limit: FIRST_LEVELS }, options),
    readCall<MarketCalls["trades"]>(page, calls.trades, { ...of, limit: FIRST_TRADES }, options),
    readCall<MarketCalls["candles"]>(
      page,
      calls.candles,
      { ...of, interval: FIRST_INTERVAL, limit: FIRST_CANDLES },
      options,
    ),
  ]);
  const all: readonly Quotation[] = quotations ?? [];
  return {
    pair,
    quotation: all.find(({ pairCode }) => pairCode === pair.pairCode) ?? null,
    depth: depth ?? null,
    trades: (trades ?? []).toSorted((left, right) => left.id - right.id),
    candles: candles ?? [],
    strip: all.toSorted((left, right) => Number(right.turnover) - Number(left.turnover)).slice(0, STRIP),
    layout: request.layout,
  };
}
