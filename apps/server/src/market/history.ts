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
  const bars = toBars(pair, series);
  const byDay = new Map<number, Bar[]>();
  for (const bar of bars) {
    const dayMs = bar.timeMs - (bar.timeMs % DAY_MS);
    const day = byDay.get(dayMs);
    if (day === undefined) byDay.set(dayMs, [bar]);
    else day.push(bar);
  }
  const days = [...byDay].map(([day_ms, day]) => ({ market: pair.market, day_ms, bytes: packDay(day_ms, day) }));
  const hours = groupBars(bars, "1h", "UTC0").map((bar) => ({ market: pair.market, spanMs: HOUR_MS, bar }));
  await data.store.writeHistory(days, hours);
}

function toBars(pair: MarketPair, series: MinuteSeries): Bar[] {
  const bars: Bar[] = [];
  for (const [minute, open] of series.open.entries()) {
    const high = series.high[minute] as number;
    const low = series.low[minute] as number;
    const lots = series.lots[minute] as number;
    // Between its lowest and highest price; exact enough for a turnover nobody paid.
    const middle = Math.round((high + low) / 2);
    bars.push({
      timeMs: series.firstMs + minute * MINUTE_MS,
      open,
      high,
      low,
      close: series.close[minute] as number,
      lots,
      quoteUnits: BigInt(middle) * BigInt(lots) * BigInt(pair.tickLotUnits),
      trades: series.trades[minute] as number,
      isGenerated: true,
    });
  }
  return bars;
}
