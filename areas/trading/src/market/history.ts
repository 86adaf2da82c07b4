// Writes the generated history of markets that never traded: minutes and hours in blocks, settlements of funding, all
// marked generated. A thread of its own makes it, so that pages are served during it and its memory is released
// afterwards. The spot market opens as soon as its pairs are written; the contracts follow.
import { on } from "node:events";
import { Worker } from "node:worker_threads";
import { MINUTE_MS } from "@clockwork/kit/time";
import type { SimulatedContract } from "@clockwork/sim/market/futures/contracts";
import type { SimulatedPair } from "@clockwork/sim/market/instruments";
import type { PriceState } from "@clockwork/sim/market/prices";
import type { MarketPair } from "../markets/pair.ts";
import { numberOfSeries } from "../markets/series-service.ts";
import { CATALOGUE_PAIRS } from "./catalogue.ts";
import type { MarketData } from "./data.ts";
import type { HistoryMessage, HistoryTask, MarketHistory } from "./history-worker.ts";

export interface HistoryParts {
  readonly data: MarketData;
  readonly known: readonly MarketPair[];
  readonly pairs: readonly SimulatedPair[];
  readonly contracts: readonly SimulatedContract[];
  readonly seed: number;
  readonly minutes: number;
  /** Before the minutes. */
  readonly hours: number;
  readonly nowMs: number;
  readonly stopped: AbortSignal;
}

export interface WrittenHistory {
  /** Where the live market starts. */
  readonly prices: PriceState;
  /** Resolves when the contracts are written too; false when it was stopped before. */
  readonly rest: Promise<boolean>;
}

/** Undefined when it was stopped before the pairs were done. */
export async function writeHistory(parts: HistoryParts): Promise<WrittenHistory | undefined> {
  const { pairs, contracts, known, seed, minutes, hours, nowMs } = parts;
  const task: HistoryTask = {
    seed,
    pairs,
    contracts,
    minutes,
    hours,
    prices: firstPrices(parts),
    endMs: nowMs - (nowMs % MINUTE_MS),
    valuations: Object.fromEntries(known.map(({ market, kind, factor }) => [market, { kind, factor }])),
  };
  const thread = new Worker(new URL("./history-worker.ts", import.meta.url), { name: "history", workerData: task });
  const messages = on(thread, "message", { signal: parts.stopped, close: ["exit"] });
  const reader = { messages, end: () => thread.terminate() };
  const prices = await readUntil(parts, reader, (reply) => ("prices" in reply ? reply.prices : undefined));
  if (prices === undefined) return undefined;
  const rest = readUntil(parts, reader, (reply) => ("isDone" in reply ? true : undefined)).then(async (isDone) => {
    await thread.terminate();
    return isDone === true;
  });
  return { prices, rest };
}

interface Reader {
  readonly messages: AsyncIterableIterator<unknown[]>;
  end(): Promise<unknown>;
}

/** Stores messages until the answer; undefined when it was stopped. */
async function readUntil<Answer>(
  parts: HistoryParts,
  { messages, end }: Reader,
  find: (reply: HistoryMessage) => Answer | undefined,
): Promise<Answer | undefined> {
  try {
    for (let turn = await messages.next(); turn.done !== true; turn = await messages.next()) {
      const reply = turn.value[0] as HistoryMessage;
      const answer = find(reply);
      if (answer !== undefined) return answer;
      if ("market" in reply) await writeMarket(parts, reply);
    }
    throw new Error("the thread that makes the history ended early");
  } catch (error) {
    await end();
    if (parts.stopped.aborted) return undefined;
    throw error;
  }
}

/** A coin's price: its last trade, else the catalogue's first price. */
function firstPrices({ data, known }: HistoryParts): Record<string, number> {
  const prices: Record<string, number> = {};
  for (const pair of known) {
    if (pair.biz !== "spot" || pair.quote.symbol !== "USDT") continue;
    const lastTicks = data.pairs.lastTicks(pair.market);
    const entry = CATALOGUE_PAIRS.find(({ base, quote }) => base === pair.base.symbol && quote === pair.quote.symbol);
    const tick = pair.priceMantissa / 10 ** pair.priceDecimals;
    prices[pair.base.symbol] = lastTicks > 0 ? lastTicks * tick : Number(entry?.firstPrice ?? 1);
  }
  return prices;
}

async function writeMarket({ data }: HistoryParts, { market, blocks, fundings }: MarketHistory): Promise<void> {
  const state = data.projector.states.get(market);
  // A market that has traded has a history of its own.
  if (state === undefined || state.lastNumber > 0) return;
  await data.store.writeHistory(
    blocks.map(({ series, spanMs, fromMs, bytes }) => ({
      market,
      series: numberOfSeries(series),
      span_ms: spanMs,
      from_ms: fromMs,
      bytes,
    })),
    fundings.map(({ dueMs, rate, premium, samples, markTicks }) => ({
      market,
      due_ms: dueMs,
      rate,
      premium,
      samples,
      mark: markTicks,
      positions: 0,
      is_generated: true,
    })),
  );
  await data.loadMarket(state);
}
