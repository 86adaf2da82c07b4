// What a terminal's first paint shows, asked for by its route's loader. Runs on the server, and in the browser through the
// page's payload.

import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import type { Quotation } from "@clockwork/trading/markets/contract";
import { data, redirect } from "react-router";
import { type CallApi, readEnvelope } from "#boot/root-data.ts";
import type { TradeInstrument } from "./product.ts";
import type { TerminalData } from "./terminal-market.ts";

const FIRST_INTERVAL = "15m";
const FIRST_CANDLES = 120;
const FIRST_LEVELS = 200;
const FIRST_TRADES = 60;
const STRIP = 4;

export interface TerminalRequest {
  readonly callApi: CallApi;
  /** Where the product's market data lies: `/v1/spot`, or from the root on. */
  readonly api: string;
  readonly isRoot?: true;
  /** What its list of instruments is called, and what is said with every call. */
  readonly list?: "pairs" | "instruments";
  readonly query?: string;
  /** The product's pages: `/spot`. */
  readonly path: string;
  readonly pathname: string;
  /** The instrument in the address; empty for the bare one. */
  readonly wanted: string;
  /** The instrument last used. */
  readonly last: string | undefined;
  readonly layout: string | null;
}

async function ask<Shape>({ callApi, api, isRoot, query }: TerminalRequest, call: string): Promise<Shape | undefined> {
  const path = `${api}/${call}${query === undefined ? "" : `${call.includes("?") ? "&" : "?"}${query}`}`;
  const answer = await callApi({ method: "GET", path, shared: true, ...(isRoot === true ? { isRoot } : {}) });
  return readEnvelope(answer) as Shape | undefined;
}

function listOf<Entry>(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? (value as Entry[]) : [];
}

/** The bare address goes on to the instrument last used, else to the first there is. */
function sendOn({ path, pathname, last }: TerminalRequest, pairs: readonly TradeInstrument[]): Response {
  const target = pairs.find((pair) => pair.pairCode === last) ?? pairs[0];
  if (target === undefined) throw data("No market is open yet", { status: 503 });
  return redirect(formatLocalePath(`${path}/${target.pairCode}`, parseLocalePath(pathname).locale));
}

export async function loadTerminal<Instrument extends TradeInstrument>(
  request: TerminalRequest,
): Promise<TerminalData<Instrument>> {
  const { path, wanted } = request;
  const pairs = listOf<Instrument>(await ask(request, request.list ?? "pairs"));
  if (wanted === "") throw sendOn(request, pairs);
  const pair = pairs.find(({ pairCode }) => pairCode === wanted);
  if (pair === undefined) throw data(`Page Not Found: ${path}/${wanted.slice(0, 60)}`, { status: 404 });
  const of = `pairCode=${pair.pairCode}`;
  const [quotations, depth, trades, candles] = await Promise.all([
    ask(request, "quotations"),
    ask<TerminalData["depth"]>(request, `depth?${of}&limit=${FIRST_LEVELS}`),
    ask(request, `trades?${of}&limit=${FIRST_TRADES}`),
    ask(request, `candles?${of}&interval=${FIRST_INTERVAL}&limit=${FIRST_CANDLES}`),
  ]);
  const all = listOf<Quotation>(quotations);
  return {
    pair,
    quotation: all.find(({ pairCode }) => pairCode === pair.pairCode) ?? null,
    depth: depth ?? null,
    trades: listOf<TerminalData["trades"][number]>(trades).toSorted((left, right) => left.id - right.id),
    candles: listOf(candles),
    strip: all.toSorted((left, right) => Number(right.turnover) - Number(left.turnover)).slice(0, STRIP),
    layout: request.layout,
  };
}
