// Owns the projection's SQL and nothing else, in the subset both databases share.
// Must write rows and cursor in one transaction: that is what makes the projection exactly once.
import { SIMULATED_USER_MAX, SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import type { AccountOwner } from "@clockwork/kit/books";
import { CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import type { Entries } from "./entries.ts";
import type { FoldedRows } from "./fold.ts";
import { writeOrders } from "./order-rows.ts";
import type { BalanceRow, CursorRow, FeeRow, FillRow, MarketRow, OrderRow, ProjectionTables } from "./rows.ts";
import { RowShape, type RunStatement, STATEMENT_SIZES } from "./statements.ts";

const CURSOR = "projection";

/** Somebody else moved the cursor: two projections must never write at once. */
export class ProjectionConflict extends Error {
  constructor(sequence: number) {
    super(`the projection's cursor is no longer at ${sequence}: another process writes it`);
    this.name = "ProjectionConflict";
  }
}

export interface ProjectionStore {
  readCursor(): Promise<CursorRow | undefined>;
  readMarkets(): Promise<MarketRow[]>;
  /** The highest account there is; 0 before the first. */
  readLastAccount(): Promise<number>;
  /** Accounts of simulated traders. */
  readSimulated(): Promise<number[]>;
  /**
   * Loads the orders that are needed, lets `fold` turn them into changes, and stores these and the entries with the
   * cursor, all or nothing. Throws ProjectionConflict when the cursor is not where this projection left it.
   */
  write(
    from: CursorRow | undefined,
    to: Omit<CursorRow, "name">,
    orderIds: readonly number[],
    entries: Entries,
    fold: (orders: Map<number, OrderRow>) => FoldedRows,
  ): Promise<void>;
  /** What an account has now; only whole between two writes. */
  readAccount(account: number): Promise<AccountRows>;
  /** What each fee group pays. */
  readGroupFees(): Promise<FeeRow[]>;
  /** Forgets everything, cursor included. */
  clear(): Promise<void>;
}

/** Open orders and plans, every balance, own rates, and the newest fills, oldest first. */
export interface AccountRows {
  /** Absent for the house's own accounts. */
  readonly owner: AccountOwner | undefined;
  readonly orders: OrderRow[];
  readonly balances: BalanceRow[];
  readonly fees: FeeRow[];
  readonly fills: FillRow[];
}

export type DirectRun = (text: string, values: readonly unknown[]) => void;

export const OPEN_STATES = ["NEW", "PARTIALLY_FILLED", "PENDING_TRIGGER"] as const;
/** Newest fills an account is shown without asking for more. */
export const FILLS_SHOWN = 50;

/** `direct` runs a statement at once, inside the transaction Kysely has open on its one connection. */
export function projectionStore(kysely: Kysely<unknown>, direct?: DirectRun): ProjectionStore {
  const tables = kysely.$extendTables<ProjectionTables>();
  return {
    readCursor: () => tables.selectFrom("engine_cursor").selectAll().where("name", "=", CURSOR).executeTakeFirst(),
    readMarkets: () => tables.selectFrom("engine_markets").selectAll().execute(),
    readLastAccount: async () => {
      const row = await tables
        .selectFrom("engine_accounts")
        .select(({ fn }) => fn.max("account").as("last"))
        .executeTakeFirst();
      return Number(row?.last ?? 0);
    },
    readSimulated: async () => {
      const rows = await tables
        .selectFrom("engine_accounts")
        .select("account")
        .where("user_id", ">=", SIMULATED_USER_MIN)
        .where("user_id", "<=", SIMULATED_USER_MAX)
        .execute();
      return rows.map(({ account }) => account);
    },
    write: (from, to, orderIds, entries, fold) =>
      // Rows and cursor go together or not at all, but need not be on disk: what is lost comes again from the journal.
      tables
        .transaction()
        .setIsolationLevel("read uncommitted")
        .execute(async (transaction) => {
          await moveCursor(transaction, from, to);
          const orders = await readOrders(transaction, orderIds);
          await writeChanges(transaction, direct, entries, fold(orders));
        }),
    readAccount: (account) => readAccount(tables, account),
    readGroupFees: () => tables.selectFrom("engine_fees").selectAll().where("account", "=", 0).execute(),
    clear: () =>
      tables.transaction().execute(async (transaction) => {
        for (const table of TABLES) await transaction.deleteFrom(table).execute();
      }),
  };
}

const TABLES = [
  "engine_cursor",
  "engine_accounts",
  "engine_assets",
  "engine_markets",
  "engine_orders",
  "engine_fills",
  "engine_bills",
  "engine_balances",
  "engine_fees",
] as const;

type Tables = Transaction<ProjectionTables>;

async function readAccount(tables: Kysely<ProjectionTables>, account: number): Promise<AccountRows> {
  const [owner, orders, balances, fees, fills] = await Promise.all([
    tables
      .selectFrom("engine_accounts")
      .select(["user_id as userId", "book", "sub"])
      .where("account", "=", account)
      .executeTakeFirst(),
    tables
      .selectFrom("engine_orders")
      .selectAll()
      .where("account", "=", account)
      // Written out: a database uses the index of open orders only where it can see that all asked for are open.
      .where(sql<boolean>`state in (${sql.join(OPEN_STATES.map((state) => sql.lit(state)))})`)
      .execute(),
    tables.selectFrom("engine_balances").selectAll().where("account", "=", account).execute(),
    tables.selectFrom("engine_fees").selectAll().where("account", "=", account).execute(),
    tables
      .selectFrom("engine_fills")
      .selectAll()
      .where("account", "=", account)
      .orderBy("sequence", "desc")
      .orderBy("trade_number", "desc")
      .limit(FILLS_SHOWN)
      .execute(),
  ]);
  return { owner, orders, balances, fees, fills: fills.reverse() };
}

async function moveCursor(tables: Tables, from: CursorRow | undefined, to: Omit<CursorRow, "name">): Promise<void> {
  if (from === undefined) {
    await tables
      .insertInto("engine_cursor")
      .values({ name: CURSOR, ...to })
      .execute();
    return;
  }
  const moved = await tables
    .updateTable("engine_cursor")
    .set(to)
    .where("name", "=", CURSOR)
    .where("sequence", "=", from.sequence)
    .where("journal", "=", from.journal)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) throw new ProjectionConflict(from.sequence);
}

/** By statements of few sizes, the last filled up with an id it holds already. */
async function readOrders(tables: Tables, orderIds: readonly number[]): Promise<Map<number, OrderRow>> {
  const found = new Map<number, OrderRow>();
  const isNumbered = numbersParameters(tables);
  for (let at = 0; at < orderIds.length; ) {
    const left = orderIds.length - at;
    const size = STATEMENT_SIZES.find((_, index) => left > (STATEMENT_SIZES[index + 1] ?? 0)) ?? 1;
    const ids = orderIds.slice(at, at + size);
    while (ids.length < size) ids.push(ids[0] ?? 0);
    const places = ids.map((_, place) => (isNumbered ? `$${place + 1}` : "?")).join(", ");
    const text = `select * from "engine_orders" where "order_id" in (${places})`;
    const { rows } = await tables.executeQuery(CompiledQuery.raw(text, ids));
    for (const row of rows as OrderRow[]) found.set(row.order_id, row);
    at += size;
  }
  return found;
}

async function writeChanges(
  tables: Tables,
  direct: DirectRun | undefined,
  entries: Entries,
  rows: FoldedRows,
): Promise<void> {
  const isNumbered = numbersParameters(tables);
  const run: RunStatement =
    direct === undefined
      ? (text, values) => tables.executeQuery(CompiledQuery.raw(text, [...values]))
      : (text, values) => {
          direct(text, values);
          return undefined;
        };
  const write = (shape: RowShape, changed: readonly object[]): Promise<void> => {
    const values = changed.flatMap((row) => shape.columns.map((column) => (row as Record<string, unknown>)[column]));
    return shape.write(run, isNumbered, values);
  };
  await write(ACCOUNTS, rows.accounts);
  for (const { account, flags } of rows.flags) {
    await tables.updateTable("engine_accounts").set({ flags }).where("account", "=", account).execute();
  }
  await write(ASSETS, rows.assets);
  await write(MARKETS, rows.markets);
  await write(FEES, rows.fees);
  await writeOrders(rows.created, rows.changed, run, isNumbered);
  await entries.write(run, isNumbered);
}

const ACCOUNTS = new RowShape({
  table: "engine_accounts",
  columns: ["account", "user_id", "book", "sub", "group_id", "flags", "created_ms"],
  key: ["account"],
});
const ASSETS = new RowShape({ table: "engine_assets", columns: ["asset", "symbol", "scale"], key: ["asset"] });
const MARKETS = new RowShape({
  table: "engine_markets",
  columns: ["market", "kind", "base_asset", "quote_asset", "step_units", "tick_lot_units", "status"],
  key: ["market"],
});
const FEES = new RowShape({
  table: "engine_fees",
  columns: ["account", "fee_group", "maker_rate", "taker_rate"],
  key: ["account", "fee_group"],
});

/** Whether this database writes its parameters as $1, $2 and so on. */
function numbersParameters(tables: Tables): boolean {
  const { adapter } = tables.getExecutor();
  let isNumbered = NUMBERED.get(adapter);
  if (isNumbered === undefined) {
    isNumbered = tables.selectFrom("engine_cursor").select("name").where("name", "=", "").compile().sql.includes("$1");
    NUMBERED.set(adapter, isNumbered);
  }
  return isNumbered;
}

const NUMBERED = new WeakMap<object, boolean>();
