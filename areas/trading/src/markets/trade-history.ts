// Public trades of every market from the first on, read from where they are: memory, rows, blocks, files; and moves them
// along that way. Must return each trade once, wherever it is while it is read.
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { AggregateTrade, MarketTrade } from "./contract.ts";
import type { MarketBiz, MarketNeeds, MarketPair } from "./pair.ts";
import type { MarketProjector, MarketState } from "./projector.ts";
import type { MarketRefusal } from "./refusals.ts";
import { describeAggregate, describeTrade } from "./service.ts";
import type { MarketStore, TradeRow, TradeStarts } from "./store.ts";
import { BLOCK_TRADES, packTrades, type TradeBlockRow, unpackTrades, untilGap } from "./trade-block.ts";

/** Rows of each market that remain: the newest are read most. */
export const TRADES_STORED = 5_000;
/** Blocks move to files when they are older. */
const BLOCK_KEPT_MS = DAY_MS;
/** Of one request. */
export const PAST_TRADES_MAX = 1_000;
/** An order may take more trades at one price than a page has. */
const AGGREGATE_PAGES_MAX = 50;

/** The first ones from a number or a time, else the last ones; never after `to`. */
export interface PastRequest {
  readonly fromId?: number;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
}

type PastStart = TradeStarts[number];

export interface TradeHistoryParts {
  readonly needs: Pick<MarketNeeds, "findListed">;
  readonly store: MarketStore;
  readonly projector: Pick<MarketProjector, "states">;
  /** Where files of blocks are. */
  readonly folder: string;
  /** Stores what memory has. */
  flush(): Promise<void>;
}

export class TradeHistory {
  readonly #parts: TradeHistoryParts;

  constructor(parts: TradeHistoryParts) {
    this.#parts = parts;
  }

  /** One trade for each match. */
  readTrades(biz: MarketBiz, pairCode: string, request: PastRequest): Promise<Result<MarketTrade[], MarketRefusal>> {
    const { fromId, from, to = Number.MAX_SAFE_INTEGER, limit } = request;
    return this.#answer(biz, pairCode, async (pair, state) => {
      const rows =
        fromId === undefined && from === undefined
          ? await this.#readLast(state, to, limit)
          : await this.#readFrom(state, { by: "number", value: fromId ?? 0 }, { fromMs: from ?? 0, toMs: to }, limit);
      return rows.map((row) => describeTrade(pair, row));
    });
  }

  readAggregates(
    biz: MarketBiz,
    pairCode: string,
    request: PastRequest,
  ): Promise<Result<AggregateTrade[], MarketRefusal>> {
    const { fromId, from, to = Number.MAX_SAFE_INTEGER, limit } = request;
    return this.#answer(biz, pairCode, async (pair, state) => {
      const groups =
        fromId === undefined && from === undefined
          ? await this.#groupLast(state, to, limit)
          : await this.#groupFrom(state, fromId, { fromMs: from ?? 0, toMs: to }, limit);
      return groups.map((group) => describeAggregate(pair, group));
    });
  }

  async #answer<Data>(
    biz: MarketBiz,
    pairCode: string,
    read: (pair: MarketPair, state: MarketState) => Promise<Data>,
  ): Promise<Result<Data, MarketRefusal>> {
    const pair = this.#parts.needs.findListed(biz, pairCode);
    // A demo market shows the real one it follows.
    const state = this.#parts.projector.states.get(pair?.contract?.mirror || (pair?.market ?? 0));
    return pair === undefined || state === undefined ? refused("UNKNOWN_PAIR") : done(await read(pair, state));
  }

  /** Every trade of a span of time, in order, in pieces. */
  async *readSpan(market: number, fromMs: number, toMs: number): AsyncGenerator<readonly TradeRow[]> {
    const state = this.#parts.projector.states.get(market);
    let next = 0;
    while (state !== undefined) {
      const rows = await this.#readFrom(state, { by: "number", value: next }, { fromMs, toMs }, BLOCK_TRADES);
      if (rows.length > 0) yield rows;
      if (rows.length < BLOCK_TRADES) return;
      next = (rows.at(-1)?.number ?? 0) + 1;
    }
  }

  async #groupFrom(
    state: MarketState,
    fromId: number | undefined,
    span: { readonly fromMs: number; readonly toMs: number },
    limit: number,
  ): Promise<readonly (readonly TradeRow[])[]> {
    const rows: TradeRow[] = [];
    let start: PastStart = { by: "aggregate", value: fromId ?? 0 };
    for (let page = 0; page < AGGREGATE_PAGES_MAX; page += 1) {
      const found = await this.#readFrom(state, start, span, PAST_TRADES_MAX);
      rows.push(...found);
      const groups = groupAggregates(rows);
      // The last of a full page may continue on the next.
      if (found.length < PAST_TRADES_MAX || groups.length > limit) return groups.slice(0, limit);
      start = { by: "number", value: (rows.at(-1)?.number ?? 0) + 1 };
    }
    return groupAggregates(rows).slice(0, limit);
  }

  async #groupLast(state: MarketState, toMs: number, limit: number): Promise<readonly (readonly TradeRow[])[]> {
    for (let count = limit + PAST_TRADES_MAX; ; count *= 2) {
      const rows = await this.#readLast(state, toMs, count);
      const groups = groupAggregates(rows);
      const isWhole = rows.length < count;
      // The first one may have started before.
      if (isWhole || groups.length > limit || count > AGGREGATE_PAGES_MAX * PAST_TRADES_MAX) {
        return (isWhole ? groups : groups.slice(1)).slice(-limit);
      }
    }
  }

  /** Oldest first. */
  async #readFrom(
    state: MarketState,
    start: PastStart,
    { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
    limit: number,
  ): Promise<readonly TradeRow[]> {
    // Numbers, aggregates and times grow together: the later of both starts counts.
    const isMeant = (row: TradeRow): boolean =>
      row[start.by] >= start.value && row.time_ms >= fromMs && row.time_ms <= toMs;
    const oldest = state.trades[0];
    const isInMemory =
      oldest === undefined || oldest.number === 1 || oldest[start.by] < start.value || oldest.time_ms < fromMs;
    if (isInMemory) return state.trades.filter(isMeant).slice(0, limit);
    await this.#settle(state);
    const { store } = this.#parts;
    const starts = [start, { by: "time_ms", value: fromMs }] as const;
    // Rows before blocks: a trade that moves in between is found twice and not missed.
    const found = new Map<number, TradeRow>();
    const add = (rows: readonly TradeRow[]): void => {
      for (const row of rows) if (isMeant(row)) found.set(row.number, row);
    };
    add(await store.readTradesFrom(state.market, starts, toMs, limit));
    const kept = [...found.values()];
    found.clear();
    let isFull = false;
    for (let after = -1; !isFull; ) {
      const blocks = await store.readBlocksFrom(state.market, starts, after);
      for (const block of blocks) {
        add(await this.#open(block));
        after = block.first;
        isFull ||= found.size >= limit || block.from_ms > toMs;
        if (isFull) break;
      }
      isFull ||= blocks.length === 0;
    }
    add(kept);
    add(state.trades);
    return [...found.values()].sort((left, right) => left.number - right.number).slice(0, limit);
  }

  /** The last ones up to a time, oldest first. */
  async #readLast(state: MarketState, toMs: number, limit: number): Promise<readonly TradeRow[]> {
    const isMeant = ({ time_ms: timeMs }: TradeRow): boolean => timeMs <= toMs;
    const known = state.trades.filter(isMeant);
    if (known.length >= limit || state.trades[0] === undefined || state.trades[0].number === 1) {
      return known.slice(-limit);
    }
    await this.#settle(state);
    const { store } = this.#parts;
    const found = new Map<number, TradeRow>();
    const add = (rows: readonly TradeRow[]): void => {
      for (const row of rows) if (isMeant(row)) found.set(row.number, row);
    };
    add(await store.readTradesBefore(state.market, toMs, limit));
    add(state.trades);
    for (let before = Number.MAX_SAFE_INTEGER; found.size < limit; ) {
      const block = await store.readBlockBefore(state.market, toMs, before);
      if (block === undefined) break;
      add(await this.#open(block));
      before = block.first;
    }
    return [...found.values()].sort((left, right) => left.number - right.number).slice(-limit);
  }

  /** After a flood memory may not reach back to what is stored. */
  async #settle(state: MarketState): Promise<void> {
    const isBehind = (): boolean => (state.trades[0]?.number ?? 0) > state.storedNumber + 1;
    if (isBehind()) await this.#parts.flush();
    if (isBehind()) throw new Error(`BOT-1: trades of ${state.market} after ${state.storedNumber} are not stored`);
  }

  async #open({ market, bytes, file }: TradeBlockRow): Promise<TradeRow[]> {
    return unpackTrades(market, bytes ?? (await readFile(join(this.#parts.folder, file ?? ""))));
  }

  /** Moves what is too many for rows into blocks, and what is too old for tables into files. */
  async keep(nowMs: number): Promise<void> {
    const { store, projector } = this.#parts;
    for (const { market, lastNumber } of projector.states.values()) {
      for (;;) {
        const oldest = await store.readOldestTrade(market);
        if (oldest === undefined || oldest > lastNumber - TRADES_STORED - BLOCK_TRADES) break;
        const start = [{ by: "number", value: oldest }] as const;
        const rows = await store.readTradesFrom(market, start, Number.MAX_SAFE_INTEGER, BLOCK_TRADES);
        await store.moveToBlock(await packTrades(untilGap(rows)));
      }
    }
    for (const block of await store.listTableBlocks(nowMs - BLOCK_KEPT_MS)) {
      const file = `${block.market}-${block.first}.trades`;
      await writeDurably(join(this.#parts.folder, file), block.bytes ?? new Uint8Array());
      await store.moveToFile(block, file);
    }
  }
}

/** Trades in order; those of one aggregate follow each other. */
export function groupAggregates(rows: readonly TradeRow[]): readonly (readonly TradeRow[])[] {
  const groups: TradeRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0]?.aggregate === row.aggregate) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** The file is there whole or not at all. */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(`${path}.new`, "w");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
