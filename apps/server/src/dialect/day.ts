// Numbers of a day's trades and the size of the last one, as tickers of every market contain them.

import { quantityText } from "@clockwork/kit/instrument";
import type { Market } from "@clockwork/trading/market/offer";
import type { MarketPair } from "@clockwork/trading/markets/pair";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export interface TradedDay {
  /** Of the newest trade; zero before the first. */
  readonly lastQuantity: string;
  readonly firstId: number;
  readonly lastId: number;
  readonly count: number;
}

export function readTradedDay({ data }: Pick<Market, "data">, pair: MarketPair, timeMs: number): TradedDay {
  const state = data.projector.states.get(pair.market);
  const last = state?.trades.at(-1);
  const sinceMs = timeMs - DAY_MS;
  let count = 0;
  for (const bar of state?.bars(MINUTE_MS) ?? []) if (bar.timeMs >= sinceMs) count += bar.trades;
  const lastId = state?.lastNumber ?? 0;
  return {
    lastQuantity: last === undefined ? "0" : quantityText(pair, last.lots),
    firstId: lastId === 0 ? 0 : Math.max(1, lastId - count + 1),
    lastId,
    count,
  };
}
