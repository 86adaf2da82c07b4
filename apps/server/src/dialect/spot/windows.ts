// The ticker over a window of the caller's choosing in the Binance dialect, put together from the exchange's own candles.

import type { Market } from "@clockwork/trading/market/offer";
import type { Candle, Quotation } from "@clockwork/trading/markets/contract";
import { CANDLES_LIMIT_MAX } from "@clockwork/trading/markets/contract";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { DialectCall } from "../endpoint.ts";
import { changePercent, difference, fixed, isBelow, quotient, sum } from "../numbers.ts";
import { illegal } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { symbolOf } from "../symbols.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const UNITS_MS = { m: MINUTE_MS, h: HOUR_MS, d: 24 * HOUR_MS } as const;
const WINDOW = /^(?:(?:[1-9]|[1-5][0-9])m|(?:[1-9]|1[0-9]|2[0-3])h|[1-7]d)$/;

export function readWindow(parameters: Parameters): number {
  const text = parameters.text("windowSize") ?? "1d";
  if (!WINDOW.test(text)) throw illegal("windowSize", "1m to 59m, 1h to 23h, 1d to 7d");
  return Number.parseInt(text, 10) * UNITS_MS[text.at(-1) as keyof typeof UNITS_MS];
}

/**
 * Minutes of the window; where they are too many, minutes up to the next hour and hours from there. It starts at a
 * whole minute.
 */
async function readCandles({ ask }: DialectCall, pairCode: string, fromMs: number, toMs: number): Promise<Candle[]> {
  const read = async (interval: "1m" | "1h", from: number, to: number): Promise<Candle[]> => {
    const query = { pairCode, interval, limit: CANDLES_LIMIT_MAX, from, to };
    return (await ask("GET", "/api/v1/spot/candles", { query })) as Candle[];
  };
  if (toMs - fromMs < CANDLES_LIMIT_MAX * MINUTE_MS) return read("1m", fromMs, toMs);
  const hourMs = Math.ceil(fromMs / HOUR_MS) * HOUR_MS;
  const minutes = hourMs === fromMs ? [] : await read("1m", fromMs, hourMs - 1);
  return [...minutes, ...(await read("1h", hourMs, toMs))];
}

export async function describeWindow(
  call: DialectCall,
  market: Pick<Market, "data">,
  pair: MarketPair,
  quotation: Pick<Quotation, "last">,
): Promise<object> {
  const { parameters, timeMs } = call;
  const openTime = Math.floor((timeMs - readWindow(parameters)) / MINUTE_MS) * MINUTE_MS;
  const candles = await readCandles(call, pair.pairCode, openTime, timeMs);
  const [first, last] = [candles[0], candles.at(-1)];
  const { last: idle } = quotation;
  const [openPrice, lastPrice] = [first?.open ?? idle, last?.close ?? idle];
  const total = { volume: "0", turnover: "0", high: openPrice, low: openPrice, count: 0 };
  for (const { volume, turnover, high, low, trades } of candles) {
    total.volume = sum(total.volume, volume);
    total.turnover = sum(total.turnover, turnover);
    if (isBelow(total.high, high)) total.high = high;
    if (isBelow(low, total.low)) total.low = low;
    total.count += trades;
  }
  const mini = {
    symbol: symbolOf(pair),
    openPrice: fixed(openPrice),
    highPrice: fixed(total.high),
    lowPrice: fixed(total.low),
    lastPrice: fixed(lastPrice),
    volume: fixed(total.volume),
    quoteVolume: fixed(total.turnover),
    openTime,
    closeTime: timeMs,
    ...numbersOf(market, pair, total.count),
  };
  if (parameters.text("type") === "MINI") return mini;
  return {
    ...mini,
    priceChange: difference(lastPrice, openPrice),
    priceChangePercent: changePercent(lastPrice, openPrice),
    weightedAvgPrice: quotient(total.turnover, total.volume),
  };
}

/** The newest trades have the highest numbers, each one more than the last. */
function numbersOf({ data }: Pick<Market, "data">, pair: MarketPair, count: number) {
  const lastId = data.projector.states.get(pair.market)?.lastNumber ?? 0;
  return count === 0 ? { firstId: -1, lastId: -1, count } : { firstId: Math.max(0, lastId - count + 1), lastId, count };
}
