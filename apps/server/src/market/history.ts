// Writes the generated history of pairs that never traded: minutes and hours in blocks, all marked generated.
// A thread of its own makes it, so that pages are served meanwhile and its memory is given back afterwards.
import { on } from "node:events";
import { Worker } from "node:worker_threads";
import type { MarketPair } from "@clockwork/domains/markets/needs";
import { numberOfSeries } from "@clockwork/domains/markets/series-service";
import { MINUTE_MS } from "@clockwork/kit/time";
import type { SimulatedPair } from "@clockwork/sim/market/instruments";
import type { PriceState } from "@clockwork/sim/market/prices";
import { CATALOGUE_PAIRS } from "./catalogue.ts";
import type { MarketData } from "./data.ts";
import type { HistoryMessage, HistoryPair, HistoryTask } from "./history-worker.ts";

const TRADED = numberOfSeries("last");

export interface HistoryParts {
  readonly data: MarketData;
  readonly known: readonly MarketPair[];
  readonly pairs: readonly SimulatedPair[];
  readonly seed: number;
  readonly minutes: number;
  readonly nowMs: number;
  readonly stopped: AbortSignal;
}

/** Where the live market begins; nothing when it was stopped before it was done. */
export async function writeHistory(parts: HistoryParts): Promise<PriceState | undefined> {
  const { pairs, known, seed, minutes, nowMs, stopped } = parts;
  const task: HistoryTask = {
    seed,
    pairs,
    minutes,
    prices: firstPrices(parts),
    endMs: nowMs - (nowMs % MINUTE_MS),
    tickLotUnits: Object.fromEntries(known.map(({ market, factor }) => [market, factor])),
  };
  const thread = new Worker(new URL("./history-worker.ts", import.meta.url), { name: "history", workerData: task });
  try {
    for await (const [message] of on(thread, "message", { signal: stopped, close: ["exit"] })) {
      const said = message as HistoryMessage;
      if ("prices" in said) return said.prices;
      await writePair(parts, said);
    }
    throw new Error("the thread that makes the history ended early");
  } catch (error) {
    if (stopped.aborted) return undefined;
    throw error;
  } finally {
    await thread.terminate();
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

async function writePair({ data }: HistoryParts, { market, blocks }: HistoryPair): Promise<void> {
  const state = data.projector.states.get(market);
  // What has traded has a past of its own.
  if (state === undefined || state.lastNumber > 0) return;
  await data.store.writeHistory(
    blocks.map(({ spanMs, fromMs, bytes }) => ({ market, series: TRADED, span_ms: spanMs, from_ms: fromMs, bytes })),
  );
  await data.loadBars(state);
}
