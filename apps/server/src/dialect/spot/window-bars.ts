// The ticker over the last hour, four hours or day of a spot pair in the Binance dialect, from the minutes in memory.
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { Market } from "@clockwork/trading/market/offer";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import { changePercent, difference, fixed, quotient } from "../numbers.ts";
import { symbolOf } from "../symbols.ts";

export const WINDOWS_MS = { "1h": HOUR_MS, "4h": 4 * HOUR_MS, "1d": 24 * HOUR_MS } as const;
export type WindowName = keyof typeof WINDOWS_MS;

/** Starts at a whole minute; without a trade in it all prices are the last one. */
export function describeWindowTicker(
  { data }: Pick<Market, "data">,
  pair: MarketPair,
  name: WindowName,
  timeMs: number,
): object | undefined {
  const state = data.projector.states.get(pair.market);
  if (state === undefined || state.lastTicks === 0) return undefined;
  const openTime = Math.floor((timeMs - WINDOWS_MS[name]) / MINUTE_MS) * MINUTE_MS;
  const bars = state.bars(MINUTE_MS).filter((bar) => bar.timeMs >= openTime);
  const [first, last] = [bars[0], bars.at(-1)];
  const [open, close] = [first?.open ?? state.lastTicks, last?.close ?? state.lastTicks];
  let [high, low, lots, value, count] = [open, open, 0, 0n, 0];
  for (const bar of bars) {
    high = Math.max(high, bar.high);
    low = Math.min(low, bar.low);
    lots += bar.lots;
    value += bar.quoteUnits;
    count += bar.trades;
  }
  const price = (ticks: number): string => fixed(priceText(pair, ticks));
  const [v, q] = [quantityText(pair, lots), valueText(pair, value)];
  const L = state.lastNumber;
  return {
    e: `${name}Ticker`,
    E: timeMs,
    s: symbolOf(pair),
    p: difference(price(close), price(open)),
    P: changePercent(price(close), price(open)),
    o: price(open),
    h: price(high),
    l: price(low),
    c: price(close),
    w: quotient(q, v),
    v: fixed(v),
    q: fixed(q),
    O: openTime,
    C: timeMs,
    F: count === 0 ? -1 : Math.max(1, L - count + 1),
    L: count === 0 ? -1 : L,
    n: count,
  };
}
