// The SQL of markets, in the subset both databases share. Candles, trades and the cursor are written in one
// transaction: that makes market data exactly once.
import type { Bar } from "@clockwork/kit/candles/candles";
import type { InstrumentKind } from "@clockwork/kit/instrument";
import { type Kysely, sql, type Transaction } from "kysely";
import {
  type ContractChanges,
  type ContractTables,
  contractStore,
  pieces,
  writeContractChanges,
} from "./contract-store.ts";
import type { TradeBlockRow } from "./trade-block.ts";

export interface CursorRow {
  readonly name: string;
  readonly journal: string;
  readonly sequence: number;
}

export interface PairRow {
  readonly market: number;
  readonly kind: InstrumentKind;
  /** The factor of the market's values. */
  readonly tick_lot_units: number;
  readonly listed_at_ms: number;
}

export interface TradeRow {
  readonly market: number;
  readonly number: number;
  /** What one order traded at one price has one number. */
  readonly aggregate: number;
  readonly price: number;
  readonly lots: number;
  readonly is_sell: boolean;
  readonly time_ms: number;
}

/** Where past trades start: all of these hold from the same trade on. */
export type TradeStarts = readonly { readonly by: "number" | "aggregate" | "time_ms"; readonly value: number }[];

export interface DepthRow {
  readonly market: number;
  readonly time_ms: number;
  readonly levels: string;
}

interface CandleRow {
  readonly market: number;
  readonly span_ms: number;
  readonly time_ms: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly lots: number;
  readonly quote_units: bigint;
  readonly bought_lots: number;
  readonly bought_units: bigint;
  readonly trades: number;
  readonly is_generated: boolean;
}

type MarketTables = ContractTables & {
  markets_cursor: CursorRow;
  markets_pair: PairRow;
  markets_candle: CandleRow;
  markets_trade: TradeRow;
  markets_trade_block: TradeBlockRow;
  markets_depth: DepthRow;
  markets_favourite: { user_id: number; place: number; pair_code: string };
  markets_simulation: { name: string; state: string; updated_at_ms: number };
};

/** A candle with its market. */
export interface StoredBar {
  readonly market: number;
  readonly spanMs: number;
  readonly bar: Bar;
}

export interface MarketChanges extends ContractChanges {
  readonly cursor: Omit<CursorRow, "name">;
  readonly pairs: readonly PairRow[];
  readonly bars: readonly StoredBar[];
  readonly trades: readonly TradeRow[];
  /** Older than these: of a long catch-up. */
  readonly blocks: readonly TradeBlockRow[];
}

const CURSOR = "markets";
// SQLite binds at most 32 766 values a statement; a candle has 13.
const ROWS_A_STATEMENT = 1_000;
const BLOCKS_A_READ = 4;
const BLOCKS_A_MOVE = 100;

export type MarketStore = ReturnType<typeof marketStore>;

export function marketStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<MarketTables>();
  return {
    readCursor: () => tables.selectFrom("markets_cursor").selectAll().where("name", "=", CURSOR).executeTakeFirst(),
    readPairs: () => tables.selectFrom("markets_pair").selectAll().execute(),
    write: (changes: MarketChanges) =>
      tables.transaction().execute(async (transaction) => {
        await moveCursor(transaction, changes.cursor);
        for (const row of changes.pairs) {
          await transaction
            .insertInto("markets_pair")
            .values(row)
            .onConflict((conflict) => conflict.column("market").doNothing())
            .execute();
        }
        await writeBars(transaction, changes.bars);
        for (const rows of pieces(changes.trades, ROWS_A_STATEMENT)) {
          // A write whose answer was lost is retried; its trades exist already.
          const insert = transaction.insertInto("markets_trade").values(rows);
          await insert.onConflict((conflict) => conflict.columns(["market", "number"]).doNothing()).execute();
        }
        for (const block of changes.blocks) await writeBlock(transaction, block);
        await writeContractChanges(transaction, changes);
      }),
    ...barStore(tables),
    ...tradeStore(tables),
    ...depthStore(tables),
    ...contractStore(tables),
    ...favouriteStore(tables),
    ...simulationStore(tables),
  };
}

function barStore(tables: Kysely<MarketTables>) {
  return {
    /** Newest last, up to a maximum. */
    async readLastBars(market: number, spanMs: number, limit: number): Promise<Bar[]> {
      const rows = await tables
        .selectFrom("markets_candle")
        .selectAll()
        .where("market", "=", market)
        .where("span_ms", "=", spanMs)
        .orderBy("time_ms", "desc")
        .limit(limit)
        .execute();
      return rows.map(toBar).reverse();
    },
    /** In order of time, both ends included. */
    async readBars(market: number, spanMs: number, fromMs: number, toMs: number): Promise<Bar[]> {
      const rows = await tables
        .selectFrom("markets_candle")
        .selectAll()
        .where("market", "=", market)
        .where("span_ms", "=", spanMs)
        .where("time_ms", ">=", fromMs)
        .where("time_ms", "<=", toMs)
        .orderBy("time_ms")
        .execute();
      return rows.map(toBar);
    },
    /** The close of the last candle before a time. */
    async readCloseBefore(market: number, spanMs: number, timeMs: number): Promise<number | undefined> {
      const row = await tables
        .selectFrom("markets_candle")
        .select("close")
        .where("market", "=", market)
        .where("span_ms", "=", spanMs)
        .where("time_ms", "<", timeMs)
        .orderBy("time_ms", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.close;
    },
    /** When the first candle at or after a time opens. */
    async readFirstFrom(market: number, spanMs: number, timeMs: number): Promise<number | undefined> {
      const row = await tables
        .selectFrom("markets_candle")
        .select("time_ms")
        .where("market", "=", market)
        .where("span_ms", "=", spanMs)
        .where("time_ms", ">=", timeMs)
        .orderBy("time_ms")
        .limit(1)
        .executeTakeFirst();
      return row?.time_ms;
    },
    async deleteBarsBefore(spanMs: number, timeMs: number): Promise<void> {
      const markets = await tables.selectFrom("markets_pair").select("market").execute();
      for (const { market } of markets) {
        await tables
          .deleteFrom("markets_candle")
          .where("market", "=", market)
          .where("span_ms", "=", spanMs)
          .where("time_ms", "<", timeMs)
          .execute();
      }
    },
  };
}

function tradeStore(tables: Kysely<MarketTables>) {
  return {
    async readLastTrades(market: number, limit: number): Promise<TradeRow[]> {
      const rows = await tables
        .selectFrom("markets_trade")
        .selectAll()
        .where("market", "=", market)
        .orderBy("number", "desc")
        .limit(limit)
        .execute();
      return rows.reverse();
    },
    /** Oldest first, from where all of the starts hold. */
    async readTradesFrom(market: number, starts: TradeStarts, toMs: number, limit: number): Promise<TradeRow[]> {
      let query = tables.selectFrom("markets_trade").selectAll().where("market", "=", market);
      for (const { by, value } of starts) query = query.where(by, ">=", value);
      return query.where("time_ms", "<=", toMs).orderBy("number").limit(limit).execute();
    },
    async readTradesBefore(market: number, toMs: number, limit: number): Promise<TradeRow[]> {
      const query = tables.selectFrom("markets_trade").selectAll().where("market", "=", market);
      return query.where("time_ms", "<=", toMs).orderBy("number", "desc").limit(limit).execute();
    },
    /** The number of the oldest row. */
    async readOldestTrade(market: number): Promise<number | undefined> {
      const query = tables.selectFrom("markets_trade").select("number").where("market", "=", market);
      return (await query.orderBy("number").limit(1).executeTakeFirst())?.number;
    },
    /** The next ones after a block, those that end at or after the starts. */
    async readBlocksFrom(market: number, starts: TradeStarts, after: number): Promise<TradeBlockRow[]> {
      const ends = { number: "last", aggregate: "last_aggregate", time_ms: "to_ms" } as const;
      let query = tables.selectFrom("markets_trade_block").selectAll().where("market", "=", market);
      for (const { by, value } of starts) query = query.where(ends[by], ">=", value);
      return query.where("first", ">", after).orderBy("first").limit(BLOCKS_A_READ).execute();
    },
    readBlockBefore: (market: number, toMs: number, before: number) =>
      tables
        .selectFrom("markets_trade_block")
        .selectAll()
        .where("market", "=", market)
        .where("from_ms", "<=", toMs)
        .where("first", "<", before)
        .orderBy("first", "desc")
        .limit(1)
        .executeTakeFirst(),
    /** Rows become a block; a retry finds it done. */
    moveToBlock: (block: TradeBlockRow) =>
      tables.transaction().execute(async (transaction) => {
        await writeBlock(transaction, block);
        await transaction
          .deleteFrom("markets_trade")
          .where("market", "=", block.market)
          .where("number", ">=", block.first)
          .where("number", "<=", block.last)
          .execute();
      }),
    /** Blocks that are older and still in the table, a few at a time. */
    listTableBlocks: (beforeMs: number): Promise<TradeBlockRow[]> =>
      tables
        .selectFrom("markets_trade_block")
        .selectAll()
        .where("to_ms", "<", beforeMs)
        .where("bytes", "is not", null)
        .limit(BLOCKS_A_MOVE)
        .execute(),
    async moveToFile({ market, first }: TradeBlockRow, file: string): Promise<void> {
      await tables
        .updateTable("markets_trade_block")
        .set({ bytes: null, file })
        .where("market", "=", market)
        .where("first", "=", first)
        .execute();
    },
  };
}

function depthStore(tables: Kysely<MarketTables>) {
  return {
    async writeDepths(rows: readonly DepthRow[]): Promise<void> {
      if (rows.length === 0) return;
      const insert = tables.insertInto("markets_depth").values(rows);
      await insert.onConflict((conflict) => conflict.columns(["market", "time_ms"]).doNothing()).execute();
    },
    readDepths: (market: number, fromMs: number, toMs: number): Promise<DepthRow[]> =>
      tables
        .selectFrom("markets_depth")
        .selectAll()
        .where("market", "=", market)
        .where("time_ms", ">=", fromMs)
        .where("time_ms", "<=", toMs)
        .orderBy("time_ms")
        .execute(),
    async deleteDepthsBefore(timeMs: number): Promise<void> {
      await tables.deleteFrom("markets_depth").where("time_ms", "<", timeMs).execute();
    },
  };
}

function favouriteStore(tables: Kysely<MarketTables>) {
  return {
    async readFavourites(userId: number): Promise<string[]> {
      const query = tables.selectFrom("markets_favourite").select("pair_code").where("user_id", "=", userId);
      return (await query.orderBy("place").execute()).map((row) => row.pair_code);
    },
    writeFavourites: (userId: number, pairCodes: readonly string[]) =>
      tables.transaction().execute(async (transaction) => {
        // The first position is written before anything else: of two concurrent calls the later one waits here, then
        // sees all of the other's list and replaces it.
        await transaction
          .insertInto("markets_favourite")
          .values({ user_id: userId, place: 0, pair_code: "" })
          .onConflict((conflict) => conflict.columns(["user_id", "place"]).doUpdateSet({ pair_code: "" }))
          .execute();
        await transaction.deleteFrom("markets_favourite").where("user_id", "=", userId).execute();
        const rows = pairCodes.map((pair_code, place) => ({ user_id: userId, place, pair_code }));
        if (rows.length > 0) await transaction.insertInto("markets_favourite").values(rows).execute();
      }),
  };
}

function simulationStore(tables: Kysely<MarketTables>) {
  return {
    async readSimulation(name: string): Promise<string | undefined> {
      const query = tables.selectFrom("markets_simulation").select("state").where("name", "=", name);
      return (await query.executeTakeFirst())?.state;
    },
    /** Whether a user below this one has a position. */
    async hasPositions(userMax: number): Promise<boolean> {
      const { rows } = await sql`SELECT 1 FROM engine_positions p JOIN engine_accounts a ON a.account = p.account
        WHERE p.closed_sequence IS NULL AND a.user_id < ${userMax} LIMIT 1`.execute(tables);
      return rows.length > 0;
    },
    async writeSimulation(name: string, state: string, updatedAtMs: number): Promise<void> {
      await tables
        .insertInto("markets_simulation")
        .values({ name, state, updated_at_ms: updatedAtMs })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ state, updated_at_ms: updatedAtMs }))
        .execute();
    },
  };
}

async function moveCursor(tables: Transaction<MarketTables>, cursor: Omit<CursorRow, "name">): Promise<void> {
  await tables
    .insertInto("markets_cursor")
    .values({ name: CURSOR, ...cursor })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(cursor))
    .execute();
}

async function writeBlock(tables: Transaction<MarketTables>, block: TradeBlockRow): Promise<void> {
  const insert = tables.insertInto("markets_trade_block").values(block);
  await insert.onConflict((conflict) => conflict.columns(["market", "first"]).doNothing()).execute();
}

async function writeBars(tables: Transaction<MarketTables>, bars: readonly StoredBar[]): Promise<void> {
  const columns = [
    "open",
    "high",
    "low",
    "close",
    "lots",
    "quote_units",
    "bought_lots",
    "bought_units",
    "trades",
    "is_generated",
  ] as const;
  const set = Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)]));
  for (const piece of pieces(bars, ROWS_A_STATEMENT)) {
    await tables
      .insertInto("markets_candle")
      .values(piece.map(toRow))
      .onConflict((conflict) => conflict.columns(["market", "span_ms", "time_ms"]).doUpdateSet(set as never))
      .execute();
  }
}

function toRow({ market, spanMs, bar }: StoredBar): CandleRow {
  const { timeMs, quoteUnits, boughtLots, boughtUnits, isGenerated, ...rest } = bar;
  return {
    market,
    span_ms: spanMs,
    time_ms: timeMs,
    quote_units: quoteUnits,
    bought_lots: boughtLots,
    bought_units: boughtUnits,
    is_generated: isGenerated,
    ...rest,
  };
}

function toBar(row: CandleRow): Bar {
  const { open, high, low, close, lots, trades } = row;
  return {
    timeMs: row.time_ms,
    open,
    high,
    low,
    close,
    lots,
    quoteUnits: row.quote_units,
    boughtLots: row.bought_lots,
    boughtUnits: row.bought_units,
    trades,
    isGenerated: row.is_generated,
  };
}
