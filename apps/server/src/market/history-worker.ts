// A thread that makes the generated history and ends: what it throws away while drawing never burdens the served
// process. Hands over one pair at a time, packed as it is stored; must never read or write the database.
import { parentPort, workerData } from "node:worker_threads";
import { BLOCK_BARS, blockStart, packBlock } from "@clockwork/kit/candle-block";
import { type Bar, groupBars } from "@clockwork/kit/candles";
import { HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { type HistoryOptions, type MinuteSeries, makeHistory } from "@clockwork/sim/market/history";
import type { PriceState } from "@clockwork/sim/market/prices";

export interface HistoryTask extends HistoryOptions {
  /** Quote units of one tick of one lot, by market. */
  readonly tickLotUnits: Readonly<Record<number, number>>;
}

/** Candles of one span, packed. */
export interface HistoryBlock {
  readonly spanMs: number;
  readonly fromMs: number;
  readonly bytes: Uint8Array;
}

export interface HistoryPair {
  readonly market: number;
  readonly blocks: readonly HistoryBlock[];
}

/** Pairs one by one, and at last where the live market goes on. */
export type HistoryMessage = HistoryPair | { readonly prices: PriceState };

function run(task: HistoryTask, post: (message: HistoryMessage) => void): void {
  const history = makeHistory(task);
  let turn = history.next();
  for (; turn.done !== true; turn = history.next()) {
    post(packPair(turn.value, task.tickLotUnits[turn.value.pair.market] ?? 0));
  }
  post({ prices: turn.value });
}

function packPair(series: MinuteSeries, tickLotUnits: number): HistoryPair {
  const minutes = [...listBars(tickLotUnits, series, 0, series.open.length)];
  const hours = groupBars(minutes, "1h", "UTC0");
  return { market: series.pair.market, blocks: [...packBars(minutes, MINUTE_MS), ...packBars(hours, HOUR_MS)] };
}

/** Bars in order, cut where blocks begin. */
function packBars(bars: readonly Bar[], spanMs: number): HistoryBlock[] {
  const blocks: HistoryBlock[] = [];
  const lastMs = bars.at(-1)?.timeMs ?? -1;
  const length = spanMs * BLOCK_BARS;
  for (let fromMs = blockStart(bars[0]?.timeMs ?? 0, spanMs); fromMs <= lastMs; fromMs += length) {
    const inside = bars.filter(({ timeMs }) => timeMs >= fromMs && timeMs < fromMs + length);
    blocks.push({ spanMs, fromMs, bytes: packBlock(fromMs, spanMs, inside, true) });
  }
  return blocks;
}

function* listBars(tickLotUnits: number, series: MinuteSeries, from: number, to: number): Generator<Bar> {
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
      quoteUnits: BigInt(middle) * BigInt(lots) * BigInt(tickLotUnits),
      trades: series.trades[minute] as number,
      isGenerated: true,
    };
  }
}

const port = parentPort;
if (port !== null) run(workerData as HistoryTask, (message) => port.postMessage(message));
