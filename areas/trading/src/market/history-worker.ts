// A thread that makes the generated history and ends: its garbage never burdens the served process. Hands over one
// market at a time, packed as it is stored: the pairs, then the state the live market starts from, then the contracts.
// Must never read or write the database.
import { parentPort, workerData } from "node:worker_threads";
import { BLOCK_BARS, blockStart, packBlock } from "@clockwork/kit/candles/candle-block";
import { type Bar, groupBars } from "@clockwork/kit/candles/candles";
import { type Valuation, valueFloor } from "@clockwork/kit/instrument";
import { HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { SimulatedContract } from "@clockwork/sim/market/futures/contracts";
import { type ContractHistory, type FundingPoint, makeContractHistory } from "@clockwork/sim/market/futures/history";
import {
  type BarColumns,
  endOfHistory,
  type HistoryOptions,
  makeHistory,
  walkHistory,
} from "@clockwork/sim/market/history";
import type { PriceState } from "@clockwork/sim/market/prices";

export interface HistoryTask extends HistoryOptions {
  readonly contracts: readonly SimulatedContract[];
  /** How values of lots are computed, by market. */
  readonly valuations: Readonly<Record<number, Valuation>>;
}

/** Candles of one series and span, packed. */
export interface HistoryBlock {
  readonly series: "last" | "mark" | "index" | "interest";
  readonly spanMs: number;
  readonly fromMs: number;
  readonly bytes: Uint8Array;
}

export interface MarketHistory {
  readonly market: number;
  readonly blocks: readonly HistoryBlock[];
  readonly fundings: readonly FundingPoint[];
}

export type HistoryMessage = MarketHistory | { readonly prices: PriceState } | { readonly isDone: true };

function run(task: HistoryTask, post: (message: HistoryMessage) => void): void {
  const { pairs, contracts } = task;
  const path = walkHistory({ ...task, pairs: [...pairs, ...contracts] });
  for (const { pair, hours, minutes } of makeHistory(task, path)) {
    const valuation = task.valuations[pair.market];
    post({ market: pair.market, blocks: packSeries("last", { hours, minutes }, valuation), fundings: [] });
  }
  post({ prices: endOfHistory(task, path) });
  for (const history of makeContractHistory(task, contracts, path)) post(packContract(task, history));
  post({ isDone: true });
}

function packContract(task: HistoryTask, history: ContractHistory): MarketHistory {
  const { contract, last, mark, index, interest, fundings } = history;
  return {
    market: contract.market,
    blocks: [
      ...packSeries("last", last, task.valuations[contract.market]),
      ...packSeries("mark", mark, undefined),
      ...packSeries("index", index, undefined),
      ...packSeries("interest", interest, undefined),
    ],
    fundings,
  };
}

/** Old hours, then the hours made from minutes. Without a valuation the series has no trades. */
function packSeries(
  series: HistoryBlock["series"],
  { hours, minutes }: { readonly hours: BarColumns; readonly minutes: BarColumns },
  valuation: Valuation | undefined,
): HistoryBlock[] {
  const fine = [...listBars(minutes, valuation)];
  const coarse = [...listBars(hours, valuation), ...groupBars(fine, "1h", "UTC0")];
  const isTraded = valuation !== undefined;
  return [...packBars(series, fine, MINUTE_MS, isTraded), ...packBars(series, coarse, HOUR_MS, isTraded)];
}

/** Bars in order, cut where blocks start. */
function packBars(
  series: HistoryBlock["series"],
  bars: readonly Bar[],
  spanMs: number,
  isTraded: boolean,
): HistoryBlock[] {
  const blocks: HistoryBlock[] = [];
  const length = spanMs * BLOCK_BARS;
  for (let from = 0; from < bars.length; ) {
    const fromMs = blockStart((bars[from] as Bar).timeMs, spanMs);
    let to = from;
    while (to < bars.length && (bars[to] as Bar).timeMs < fromMs + length) to += 1;
    blocks.push({ series, spanMs, fromMs, bytes: packBlock(fromMs, spanMs, bars.slice(from, to), isTraded) });
    from = to;
  }
  return blocks;
}

function* listBars(columns: BarColumns, valuation: Valuation | undefined): Generator<Bar> {
  for (let bar = 0; bar < columns.open.length; bar += 1) {
    const high = columns.high[bar] as number;
    const low = columns.low[bar] as number;
    const lots = columns.lots[bar] as number;
    // Between its lowest and highest price; exact enough for generated turnover.
    const middle = Math.round((high + low) / 2);
    yield {
      timeMs: columns.firstMs + bar * columns.spanMs,
      open: columns.open[bar] as number,
      high,
      low,
      close: columns.close[bar] as number,
      lots,
      quoteUnits: valuation === undefined ? 0n : valueFloor(valuation, lots, middle),
      boughtLots: 0,
      boughtUnits: 0n,
      trades: columns.trades[bar] as number,
      isGenerated: true,
    };
  }
}

const port = parentPort;
if (port !== null) run(workerData as HistoryTask, (message) => port.postMessage(message));
