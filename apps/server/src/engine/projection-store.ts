// Owns the projection's SQL and nothing else, in the subset both databases share.
// Must write rows and cursor in one transaction: that is what makes the projection exactly once.
import { SIMULATED_USER_MAX, SIMULATED_USER_MIN } from "@clockwork/core/names";
import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import type { ProjectionChanges } from "./projection-fold.ts";
import type {
  BalanceRow,
  CursorRow,
  FeeRow,
  FillRow,
  MarketRow,
  OrderRow,
  ProjectionTables,
} from "./projection-rows.ts";

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
  /** Accounts of simulated traders. */
  readSimulated(): Promise<number[]>;
  /**
   * Loads the orders that are needed, lets `fold` turn them into changes, and stores these with the cursor, all or
   * nothing. Throws ProjectionConflict when the cursor is not where this projection left it.
   */
  write(
    from: CursorRow | undefined,
    to: Omit<CursorRow, "name">,
    orderIds: readonly number[],
    fold: (orders: Map<number, OrderRow>) => ProjectionChanges,
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
  readonly orders: OrderRow[];
  readonly balances: BalanceRow[];
  readonly fees: FeeRow[];
  readonly fills: FillRow[];
}

export const OPEN_STATES = ["NEW", "PARTIALLY_FILLED", "PENDING_TRIGGER"] as const;
/** Newest fills an account is shown without asking for more. */
export const FILLS_SHOWN = 50;

export function projectionStore(kysely: Kysely<unknown>): ProjectionStore {
  const tables = kysely.$extendTables<ProjectionTables>();
  return {
    readCursor: () => tables.selectFrom("engine_cursor").selectAll().where("name", "=", CURSOR).executeTakeFirst(),
    readMarkets: () => tables.selectFrom("engine_markets").selectAll().execute(),
    readSimulated: async () => {
      const rows = await tables
        .selectFrom("engine_accounts")
        .select("account")
        .where("user_id", ">=", SIMULATED_USER_MIN)
        .where("user_id", "<=", SIMULATED_USER_MAX)
        .execute();
      return rows.map(({ account }) => account);
    },
    write: (from, to, orderIds, fold) =>
      // Rows and cursor go together or not at all, but need not be on disk: what is lost comes again from the journal.
      tables
        .transaction()
        .setIsolationLevel("read uncommitted")
        .execute(async (transaction) => {
          await moveCursor(transaction, from, to);
          const orders = await readOrders(transaction, orderIds);
          await writeChanges(transaction, fold(orders));
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
  const [orders, balances, fees, fills] = await Promise.all([
    tables
      .selectFrom("engine_orders")
      .selectAll()
      .where("account", "=", account)
      .where("state", "in", OPEN_STATES)
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
  return { orders, balances, fees, fills: fills.reverse() };
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
    const size = ROWS_A_STATEMENT.find((_, index) => left > (ROWS_A_STATEMENT[index + 1] ?? 0)) ?? 1;
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

async function writeChanges(tables: Tables, changes: ProjectionChanges): Promise<void> {
  await writeRows(tables, "engine_accounts", changes.accounts, ["account"]);
  for (const { account, flags } of changes.flags) {
    await tables.updateTable("engine_accounts").set({ flags }).where("account", "=", account).execute();
  }
  await writeRows(tables, "engine_assets", changes.assets, ["asset"]);
  await writeRows(tables, "engine_markets", changes.markets, ["market"]);
  await writeRows(tables, "engine_orders", changes.orders, ["order_id"]);
  await writeRows(tables, "engine_fills", changes.fills, []);
  await writeRows(tables, "engine_bills", changes.bills, []);
  await writeRows(tables, "engine_balances", changes.balances, ["account", "asset"]);
  await writeRows(tables, "engine_fees", changes.fees, ["account", "fee_group"]);
}

/** Statements of few sizes, so that each is written once and stays prepared; the largest first. */
const ROWS_A_STATEMENT = [256, 64, 16, 4, 1] as const;

/** Inserts rows, or replaces those with the same key; each statement names a key at most once. */
async function writeRows<T extends keyof ProjectionTables>(
  tables: Tables,
  table: T,
  rows: readonly ProjectionTables[T][],
  key: readonly (string & keyof ProjectionTables[T])[],
): Promise<void> {
  const first = rows[0];
  if (first === undefined) return;
  const columns = columnsOf(table, first);
  const sent: Promise<unknown>[] = [];
  let at = 0;
  for (const size of ROWS_A_STATEMENT) {
    for (; rows.length - at >= size; at += size) {
      const values: unknown[] = [];
      for (let row = at; row < at + size; row++) for (const column of columns) values.push(rows[row]?.[column]);
      sent.push(tables.executeQuery(CompiledQuery.raw(insertText(tables, table, columns, key, size), values)));
    }
  }
  // Sent without waiting in between; the connection works in order.
  await Promise.all(sent);
}

const TEXTS = new Map<string, string>();
const COLUMNS = new Map<string, readonly string[]>();

/** In one order for ever: a row read from the database may have its members in another, and texts are kept. */
function columnsOf<T extends keyof ProjectionTables>(
  table: T,
  row: ProjectionTables[T],
): readonly (string & keyof ProjectionTables[T])[] {
  const known = COLUMNS.get(table) ?? Object.keys(row);
  COLUMNS.set(table, known);
  return known as (string & keyof ProjectionTables[T])[];
}

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

/** Kysely would build and write the same statement anew each time, which costs more than running it. */
function insertText(
  tables: Tables,
  table: string,
  columns: readonly string[],
  key: readonly string[],
  size: number,
): string {
  const isNumbered = numbersParameters(tables);
  const name = `${isNumbered}:${table}:${size}`;
  let text = TEXTS.get(name);
  if (text !== undefined) return text;
  let place = 0;
  const next = (): string => {
    place += 1;
    return isNumbered ? `$${place}` : "?";
  };
  const row = (): string => `(${columns.map(next).join(", ")})`;
  const quoted = (names: readonly string[]): string => names.map((column) => `"${column}"`).join(", ");
  text = `insert into "${table}" (${quoted(columns)}) values ${Array.from({ length: size }, row).join(", ")}`;
  if (key.length > 0) {
    const set = columns.filter((column) => !key.includes(column)).map((column) => `"${column}" = excluded."${column}"`);
    text += ` on conflict (${quoted(key)}) do update set ${set.join(", ")}`;
  }
  TEXTS.set(name, text);
  return text;
}
