// A thread that makes the generated history and ends: what it throws away while drawing never burdens the served
// process. Hands over one pair at a time, packed as it is stored; must never read or write the database.
import { parentPort, workerData } from "node:worker_threads";
import { type Bar, groupBars } from "@clockwork/domains/markets/candle-rules";
import { packDay } from "@clockwork/domains/markets/history-rules";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import { type HistoryOptions, type MinuteSeries, makeHistory } from "@clockwork/sim/market/history";
import type { PriceState } from "@clockwork/sim/market/prices";

export interface HistoryTask extends HistoryOptions {
  /** Quote units of one tick of one lot, by market. */
  readonly tickLotUnits: Readonly<Record<number, number>>;
}

export interface HistoryPair {
  readonly market: number;
  readonly days: readonly { readonly dayMs: number; readonly bytes: Uint8Array }[];
  readonly hours: readonly Bar[];
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
  const minutes = series.open.length;
  const endMs = series.firstMs + minutes * MINUTE_MS;
  const days: { dayMs: number; bytes: Uint8Array }[] = [];
  for (let dayMs = series.firstMs - (series.firstMs % DAY_MS); dayMs < endMs; dayMs += DAY_MS) {
    const from = Math.max(0, (dayMs - series.firstMs) / MINUTE_MS);
    const to = Math.min(minutes, (dayMs + DAY_MS - series.firstMs) / MINUTE_MS);
    days.push({ dayMs, bytes: packDay(dayMs, listBars(tickLotUnits, series, from, to)) });
  }
  const hours = groupBars(listBars(tickLotUnits, series, 0, minutes), "1h", "UTC0");
  return { market: series.pair.market, days, hours };
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
