// SQL of public data of perpetual contracts: candles of mark, index and open interest, funding, liquidations, the
// insurance fund; and of the blocks of generated candles of every market. In the subset both databases share.
import { type Bar, NOTHING_TRADED } from "@clockwork/kit/candles/candles";
import { type Kysely, sql, type Transaction } from "kysely";
import type { LiquidationOutcome } from "./contract.ts";

/** A candle of a series without trades. */
export interface PriceBar {
  readonly market: number;
  readonly series: number;
  readonly spanMs: number;
  readonly bar: Bar;
}

interface PriceRow {
  readonly market: number;
  readonly series: number;
  readonly span_ms: number;
  readonly time_ms: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** A sequence of generated candles of one span. */
export interface BlockRow {
  readonly market: number;
  readonly series: number;
  readonly span_ms: number;
  readonly from_ms: number;
  readonly bytes: Uint8Array;
}

export interface FundingRow {
  readonly market: number;
  readonly due_ms: number;
  readonly rate: number;
  readonly premium: number;
  readonly samples: number;
  readonly mark: number;
  readonly positions: number;
  readonly is_generated: boolean;
}

/** The position of a public print: the command, and its place among the prints of that command. */
export interface PrintPlace {
  readonly sequence: number;
  readonly place: number;
}

export interface LiquidationRow {
  readonly market: number;
  readonly sequence: number;
  readonly place: number;
  readonly price: number;
  readonly lots: number;
  readonly time_ms: number;
  readonly outcome: LiquidationOutcome | null;
}

export interface FundRow {
  readonly asset: number;
  readonly day_ms: number;
  readonly balance_units: bigint;
  readonly in_units: bigint;
  readonly out_units: bigint;
}

export type ContractTables = {
  markets_price_candle: PriceRow;
  markets_block: BlockRow;
  markets_funding: FundingRow;
  markets_liquidation: LiquidationRow;
  markets_fund: FundRow;
};

export interface ContractChanges {
  readonly prices: readonly PriceBar[];
  readonly fundings: readonly FundingRow[];
  readonly liquidations: readonly LiquidationRow[];
  readonly funds: readonly FundRow[];
}

// SQLite binds at most 32 766 values a statement.
const ROWS_A_STATEMENT = 1_000;
const BLOCKS_A_STATEMENT = 10;

export type ContractStore = ReturnType<typeof contractStore>;

export function contractStore(tables: Kysely<ContractTables>) {
  return { ...priceStore(tables), ...blockStore(tables), ...fundingStore(tables), ...fundStore(tables) };
}

/** Inside the transaction that moves the cursor. */
export async function writeContractChanges(
  tables: Transaction<ContractTables>,
  { prices, fundings, liquidations, funds }: ContractChanges,
): Promise<void> {
  await writePrices(tables, prices);
  await writeFundings(tables, fundings);
  for (const rows of pieces(liquidations, ROWS_A_STATEMENT)) {
    // A write whose answer was lost is retried; its prints exist already.
    const insert = tables.insertInto("markets_liquidation").values(rows);
    await insert.onConflict((conflict) => conflict.columns(["market", "sequence", "place"]).doNothing()).execute();
  }
  for (const row of funds) {
    const { balance_units, in_units, out_units } = row;
    await tables
      .insertInto("markets_fund")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(["asset", "day_ms"]).doUpdateSet({ balance_units, in_units, out_units }),
      )
      .execute();
  }
}

async function writePrices(tables: Kysely<ContractTables>, bars: readonly PriceBar[]): Promise<void> {
  const columns = ["open", "high", "low", "close"] as const;
  const set = Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)]));
  for (const piece of pieces(bars, ROWS_A_STATEMENT)) {
    await tables
      .insertInto("markets_price_candle")
      .values(piece.map(toRow))
      .onConflict((conflict) => conflict.columns(["market", "series", "span_ms", "time_ms"]).doUpdateSet(set as never))
      .execute();
  }
}

async function writeFundings(tables: Kysely<ContractTables>, fundings: readonly FundingRow[]): Promise<void> {
  for (const rows of pieces(fundings, ROWS_A_STATEMENT)) {
    const insert = tables.insertInto("markets_funding").values(rows);
    await insert.onConflict((conflict) => conflict.columns(["market", "due_ms"]).doNothing()).execute();
  }
}

function priceStore(tables: Kysely<ContractTables>) {
  const of = (market: number, series: number, spanMs: number) =>
    tables
      .selectFrom("markets_price_candle")
      .selectAll()
      .where("market", "=", market)
      .where("series", "=", series)
      .where("span_ms", "=", spanMs);
  return {
    /** Newest last, up to a maximum. */
    async readLastPrices(market: number, series: number, spanMs: number, limit: number): Promise<Bar[]> {
      const rows = await of(market, series, spanMs).orderBy("time_ms", "desc").limit(limit).execute();
      return rows.map(toBar).reverse();
    },
    /** In order of time, both ends included. */
    async readPrices(market: number, series: number, spanMs: number, fromMs: number, toMs: number): Promise<Bar[]> {
      const query = of(market, series, spanMs).where("time_ms", ">=", fromMs).where("time_ms", "<=", toMs);
      return (await query.orderBy("time_ms").execute()).map(toBar);
    },
    async readPriceBefore(market: number, series: number, spanMs: number, timeMs: number): Promise<number | undefined> {
      const query = of(market, series, spanMs).where("time_ms", "<", timeMs);
      return (await query.orderBy("time_ms", "desc").limit(1).executeTakeFirst())?.close;
    },
    async readFirstPrice(market: number, series: number, spanMs: number, timeMs: number): Promise<number | undefined> {
      const query = of(market, series, spanMs).where("time_ms", ">=", timeMs);
      return (await query.orderBy("time_ms").limit(1).executeTakeFirst())?.time_ms;
    },
  };
}

function blockStore(tables: Kysely<ContractTables>) {
  return {
    readBlocks: (market: number, series: number, spanMs: number, fromMs: number, toMs: number): Promise<BlockRow[]> =>
      tables
        .selectFrom("markets_block")
        .selectAll()
        .where("market", "=", market)
        .where("series", "=", series)
        .where("span_ms", "=", spanMs)
        .where("from_ms", ">=", fromMs)
        .where("from_ms", "<=", toMs)
        .orderBy("from_ms")
        .execute(),
    /** The first blocks that start at or after a time. */
    readFirstBlocks: (
      market: number,
      series: number,
      spanMs: number,
      fromMs: number,
      limit: number,
    ): Promise<BlockRow[]> =>
      tables
        .selectFrom("markets_block")
        .selectAll()
        .where("market", "=", market)
        .where("series", "=", series)
        .where("span_ms", "=", spanMs)
        .where("from_ms", ">=", fromMs)
        .orderBy("from_ms")
        .limit(limit)
        .execute(),
    async readLastBlockStart(market: number, series: number, spanMs: number): Promise<number | undefined> {
      const row = await tables
        .selectFrom("markets_block")
        .select("from_ms")
        .where("market", "=", market)
        .where("series", "=", series)
        .where("span_ms", "=", spanMs)
        .orderBy("from_ms", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.from_ms;
    },
    /** A whole history of one market, all or nothing. */
    writeHistory: (blocks: readonly BlockRow[], fundings: readonly FundingRow[] = []) =>
      tables.transaction().execute(async (transaction) => {
        for (const rows of pieces(blocks, BLOCKS_A_STATEMENT)) {
          await transaction
            .insertInto("markets_block")
            .values(rows)
            .onConflict((conflict) =>
              conflict
                .columns(["market", "series", "span_ms", "from_ms"])
                .doUpdateSet({ bytes: sql.ref("excluded.bytes") }),
            )
            .execute();
        }
        await writeFundings(transaction, fundings);
      }),
  };
}

function fundingStore(tables: Kysely<ContractTables>) {
  return {
    /** Settlements before a time, newest first. */
    readFundings: (market: number, beforeMs: number, limit: number): Promise<FundingRow[]> =>
      tables
        .selectFrom("markets_funding")
        .selectAll()
        .where("market", "=", market)
        .where("due_ms", "<", beforeMs)
        .orderBy("due_ms", "desc")
        .limit(limit)
        .execute(),
    /** Prints of markets before one of them, newest first; several of one command are distinguished by their place. */
    readLiquidations: (markets: readonly number[], before: PrintPlace, limit: number): Promise<LiquidationRow[]> =>
      tables
        .selectFrom("markets_liquidation")
        .selectAll()
        .where("market", "in", markets)
        .where("sequence", "<=", before.sequence)
        .where(({ or, eb }) => or([eb("sequence", "<", before.sequence), eb("place", "<", before.place)]))
        .orderBy("sequence", "desc")
        .orderBy("place", "desc")
        .limit(limit)
        .execute(),
  };
}

function fundStore(tables: Kysely<ContractTables>) {
  return {
    /** Days of a coin's fund, oldest first. */
    readFund: (asset: number, fromDayMs: number): Promise<FundRow[]> =>
      tables
        .selectFrom("markets_fund")
        .selectAll()
        .where("asset", "=", asset)
        .where("day_ms", ">=", fromDayMs)
        .orderBy("day_ms")
        .execute(),
    /** The newest day of every coin. */
    async readFunds(): Promise<FundRow[]> {
      const rows = await tables.selectFrom("markets_fund").selectAll().orderBy("day_ms").execute();
      return [...new Map(rows.map((row) => [row.asset, row])).values()];
    },
  };
}

function toRow({ market, series, spanMs, bar }: PriceBar): PriceRow {
  const { timeMs, open, high, low, close } = bar;
  return { market, series, span_ms: spanMs, time_ms: timeMs, open, high, low, close };
}

function toBar({ time_ms, open, high, low, close }: PriceRow): Bar {
  return { timeMs: time_ms, open, high, low, close, ...NOTHING_TRADED, isGenerated: false };
}

export function pieces<T>(rows: readonly T[], size: number): T[][] {
  const found: T[][] = [];
  for (let from = 0; from < rows.length; from += size) found.push(rows.slice(from, from + size));
  return found;
}
