// Writes the generated history of pairs that never traded: minutes by the day, hours as candles, both marked generated.
// Works in small turns, so that pages are served meanwhile.
import { type Bar, groupBars } from "@clockwork/domains/markets/candle-rules";
import { packDay } from "@clockwork/domains/markets/history-rules";
import type { MarketPair } from "@clockwork/domains/markets/needs";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { type History, type MinuteSeries, makeHistory } from "@clockwork/sim/market/history";
import type { SimulatedPair } from "@clockwork/sim/market/instruments";
import type { PriceState } from "@clockwork/sim/market/prices";
import { CATALOGUE_PAIRS } from "./catalogue.ts";
import type { MarketData } from "./data.ts";

export interface HistoryParts {
  readonly data: MarketData;
  readonly known: readonly MarketPair[];
  readonly pairs: readonly SimulatedPair[];
  readonly seed: number;
  readonly minutes: number;
  readonly nowMs: number;
  readonly isStopped: () => boolean;
}

/** Where the live market begins; nothing when it was stopped before it was done. */
export async function writeHistory(parts: HistoryParts): Promise<PriceState | undefined> {
  const { data, pairs, known, seed, minutes, nowMs } = parts;
  const endMs = nowMs - (nowMs % MINUTE_MS);
  const history = await runTurns(makeHistory({ seed, pairs, prices: firstPrices(parts), endMs, minutes }), parts);
  if (history === undefined) return undefined;
  for (const series of history.series) {
    if (parts.isStopped()) return undefined;
    const pair = known.find(({ market }) => market === series.pair.market);
    const tape = pair === undefined ? undefined : data.projector.tapes.get(pair.market);
    // What has traded has a past of its own.
    if (pair === undefined || tape === undefined || tape.lastNumber > 0) continue;
    await writePair(data, pair, series);
    await data.loadBars(tape);
  }
  return history.prices;
}

async function runTurns(
  generator: Generator<void, History>,
  { isStopped }: HistoryParts,
): Promise<History | undefined> {
  for (;;) {
    const turn = generator.next();
    if (turn.done === true) return turn.value;
    if (isStopped()) return undefined;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A coin's price: what it last traded at, else what the catalogue opens with. */
function firstPrices({ data, known }: HistoryParts): Record<string, number> {
  const prices: Record<string, number> = {};
  for (const pair of known) {
    if (pair.quote.symbol !== "USDT") continue;
    const lastTicks = data.pairs.lastTicks(pair.market);
    const entry = CATALOGUE_PAIRS.find(({ base, quote }) => base === pair.base.symbol && quote === pair.quote.symbol);
    const tick = pair.priceMantissa / 10 ** pair.priceDecimals;
    prices[pair.base.symbol] = lastTicks > 0 ? lastTicks * tick : Number(entry?.firstPrice ?? 1);
  }
  return prices;
}

async function writePair(data: MarketData, pair: MarketPair, series: MinuteSeries): Promise<void> {
  const { market } = pair;
  const minutes = series.open.length;
  const endMs = series.firstMs + minutes * MINUTE_MS;
  const days: { market: number; day_ms: number; bytes: Uint8Array }[] = [];
  for (let dayMs = series.firstMs - (series.firstMs % DAY_MS); dayMs < endMs; dayMs += DAY_MS) {
    const from = Math.max(0, (dayMs - series.firstMs) / MINUTE_MS);
    const to = Math.min(minutes, (dayMs + DAY_MS - series.firstMs) / MINUTE_MS);
    days.push({ market, day_ms: dayMs, bytes: packDay(dayMs, listBars(pair, series, from, to)) });
  }
  const hours = groupBars(listBars(pair, series, 0, minutes), "1h", "UTC0").map((bar) => ({
    market,
    spanMs: HOUR_MS,
    bar,
  }));
  await data.store.writeHistory(days, hours);
}

/** One at a time: half a million of them at once would stay in memory long after they were written. */
function* listBars(pair: MarketPair, series: MinuteSeries, from: number, to: number): Generator<Bar> {
  for (let minute = from; minute < to; minute += 1) {
    const high = series.high[minute] as number;
    const low = series.low[minute] as number;
    const lots = series.lots[minute] as number;
    // Between its lowest and highest price; exact enough for a turnover nobody paid.
    const middle = Math.round((high + low) / 2);
    yield {
      timeMs: series.firstMs + minute * MINUTE_MS,
      open: series.open[minute] as number,
      high,
      low,
      close: series.close[minute] as number,
      lots,
      quoteUnits: BigInt(middle) * BigInt(lots) * BigInt(pair.tickLotUnits),
      trades: series.trades[minute] as number,
      isGenerated: true,
    };
  }
}
