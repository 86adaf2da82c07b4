// The SQL of conversions.
import { HOUR_MS } from "@clockwork/kit/time";
import { type Kysely, sql } from "kysely";
import { COIN_LIMIT_UNITS, LIMIT_MS, OPEN_QUOTES_MAX, QUOTE_MS, USDT, USER_LIMIT_UNITS } from "./rules.ts";

export interface QuoteRow {
  readonly quote_id: string;
  readonly user_id: number;
  readonly from_asset: string;
  readonly to_asset: string;
  readonly from_units: bigint;
  readonly to_units: bigint;
  /** In USDT. */
  readonly worth_units: bigint;
  readonly state: "OPEN" | "TAKEN" | "DONE";
  readonly expires_ms: number;
}

export interface SmallRow {
  readonly user_id: number;
  readonly client_id: string;
  readonly asset: string;
  readonly from_units: bigint;
  readonly to_units: bigint;
  readonly state: "TAKEN" | "DONE" | "REFUSED";
}

type ConvertTables = {
  engine_accounts: { account: number; user_id: number; book: string };
  engine_orders: {
    order_id: number;
    account: number;
    market: number;
    state: string;
    in_quote: boolean;
    price_ticks: number;
    quantity: bigint;
    filled_lots: bigint;
  };
  convert_quote: QuoteRow;
  convert_flow: { owner_id: number; asset: string; hour: number; worth_units: bigint };
  convert_owner: { owner_id: number; asked: number };
  convert_sweep: { user_id: number; client_id: string; created_ms: number };
  convert_small: SmallRow;
};

type Tables = Kysely<ConvertTables>;

const RESUME_MAX = 100;
const HOUSE = 0;

/** Locks an owner's row until the transaction ends. */
async function lock(inside: Tables, ownerId: number): Promise<void> {
  await inside
    .insertInto("convert_owner")
    .values({ owner_id: ownerId, asked: 1 })
    .onConflict((at) => at.column("owner_id").doUpdateSet({ asked: sql<number>`convert_owner.asked + 1` }))
    .execute();
}

/** The flow within the period of the limits. */
async function sumFlow(inside: Tables, ownerId: number, asset: string, nowMs: number): Promise<bigint> {
  const query = inside.selectFrom("convert_flow").select("worth_units").where("owner_id", "=", ownerId);
  const rows = await query
    .where("asset", "=", asset)
    .where("hour", ">", hourOf(nowMs - LIMIT_MS))
    .execute();
  return rows.reduce((sum, { worth_units }) => sum + worth_units, 0n);
}

async function addFlow(inside: Tables, ownerId: number, asset: string, hour: number, worth: bigint): Promise<void> {
  await inside
    .insertInto("convert_flow")
    .values({ owner_id: ownerId, asset, hour, worth_units: worth })
    .onConflict((at) =>
      at
        .columns(["owner_id", "asset", "hour"])
        .doUpdateSet({ worth_units: sql<bigint>`convert_flow.worth_units + ${worth}` }),
    )
    .execute();
}

/**
 * What accepting a quote adds for its user and to the exchange's exposure to each coin; USDT is the exchange's unit of
 * account.
 */
function flowsOf({ user_id, from_asset, to_asset, worth_units }: QuoteRow): [number, string, bigint][] {
  const coins: [number, string, bigint][] = [
    [HOUSE, from_asset, worth_units],
    [HOUSE, to_asset, -worth_units],
  ];
  return [[user_id, "", worth_units], ...coins.filter(([, asset]) => asset !== USDT)];
}

async function findLimit(
  inside: Tables,
  row: QuoteRow,
  nowMs: number,
): Promise<"USER_LIMIT" | "COIN_LIMIT" | undefined> {
  for (const [owner, asset, worth] of flowsOf(row)) {
    const before = await sumFlow(inside, owner, asset, nowMs);
    const after = before + worth;
    if (owner !== HOUSE && after > USER_LIMIT_UNITS) return "USER_LIMIT";
    // Trades that reduce the exchange's exposure are always allowed.
    const isWorse = sizeOf(after) > sizeOf(before);
    if (owner === HOUSE && isWorse && sizeOf(after) > COIN_LIMIT_UNITS) return "COIN_LIMIT";
  }
  return undefined;
}

async function stepQuote(
  inside: Tables,
  quoteId: string,
  from: QuoteRow["state"],
  to: QuoteRow["state"],
): Promise<boolean> {
  const change = inside.updateTable("convert_quote").set({ state: to }).where("quote_id", "=", quoteId);
  return (await change.where("state", "=", from).executeTakeFirst()).numUpdatedRows > 0n;
}

const sizeOf = (worth: bigint): bigint => (worth < 0n ? -worth : worth);
const hourOf = (timeMs: number): number => Math.floor(timeMs / HOUR_MS);
/** A quote counts in the hour of its creation. */
const quotedHour = (row: QuoteRow): number => hourOf(row.expires_ms - QUOTE_MS);

export type ConvertStore = ReturnType<typeof convertStore>;

export function convertStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<ConvertTables>();
  return {
    /** Resting orders of these users in a market; undefined when they have more than `most` open orders of any market. */
    async listResting(
      userIds: readonly number[],
      market: number,
      books: readonly string[],
      [from, to]: readonly [from: number, to: number],
      most: number,
    ): Promise<readonly (readonly [priceTicks: number, lots: bigint])[] | undefined> {
      const open = tables
        .selectFrom("engine_orders as o")
        .innerJoin("engine_accounts as a", "a.account", "o.account")
        .where("a.user_id", "in", userIds)
        .where("a.book", "in", books)
        // As the index of open orders is defined.
        .where(sql<boolean>`o.state in ('NEW', 'PARTIALLY_FILLED', 'PENDING_TRIGGER')`);
      const beyond = await open.select("o.order_id").limit(1).offset(most).execute();
      if (beyond.length > 0) return undefined;
      const rows = await open
        .select(["o.price_ticks", sql<string>`cast(sum(o.quantity - o.filled_lots) as text)`.as("lots")])
        .where("o.market", "=", market)
        .where("o.in_quote", "=", false)
        .where("o.price_ticks", ">=", from)
        .where("o.price_ticks", "<=", to)
        .where("o.state", "<>", "PENDING_TRIGGER")
        .groupBy("o.price_ticks")
        .execute();
      return rows.map(({ price_ticks, lots }) => [price_ticks, BigInt(lots)] as const);
    },
    /** Counted and written under one lock of the user: concurrent quotes see each other. */
    add: (row: QuoteRow, nowMs: number): Promise<"TOO_MANY_QUOTES" | "USER_LIMIT" | "COIN_LIMIT" | undefined> =>
      tables.transaction().execute(async (inside) => {
        await lock(inside, row.user_id);
        const query = inside.selectFrom("convert_quote").select("quote_id").where("user_id", "=", row.user_id);
        const open = await query.where("expires_ms", ">", nowMs).where("state", "=", "OPEN").execute();
        if (open.length >= OPEN_QUOTES_MAX) return "TOO_MANY_QUOTES";
        const limit = await findLimit(inside, row, nowMs);
        if (limit !== undefined) return limit;
        await inside.insertInto("convert_quote").values(row).execute();
        return undefined;
      }),
    /**
     * Accepts the quote if it is still open and within the limits of its user and of the exchange; counts it from now
     * on.
     */
    take: (row: QuoteRow, nowMs: number): Promise<"gone" | "USER_LIMIT" | "COIN_LIMIT" | undefined> =>
      tables.transaction().execute(async (inside) => {
        await lock(inside, HOUSE);
        const limit = await findLimit(inside, row, nowMs);
        if (limit !== undefined) return limit;
        if (!(await stepQuote(inside, row.quote_id, "OPEN", "TAKEN"))) return "gone";
        for (const [owner, asset, worth] of flowsOf(row)) await addFlow(inside, owner, asset, quotedHour(row), worth);
        return undefined;
      }),
    /** The ledger rejected it: it is open again and no longer counts. */
    giveBack: (row: QuoteRow): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        await lock(inside, HOUSE);
        if (!(await stepQuote(inside, row.quote_id, "TAKEN", "OPEN"))) return;
        for (const [owner, asset, worth] of flowsOf(row)) await addFlow(inside, owner, asset, quotedHour(row), -worth);
      }),
    find: (quoteId: string): Promise<QuoteRow | undefined> =>
      tables.selectFrom("convert_quote").selectAll().where("quote_id", "=", quoteId).executeTakeFirst(),
    step: (quoteId: string, from: QuoteRow["state"], to: QuoteRow["state"]): Promise<boolean> =>
      stepQuote(tables, quoteId, from, to),
    /** Accepted quotes, oldest first; times are those of completion. */
    listOf(
      userId: number,
      filter: {
        readonly quoteId?: string | undefined;
        readonly fromMs?: number | undefined;
        readonly toMs?: number | undefined;
        readonly limit: number;
        readonly order?: "oldest" | "newest" | undefined;
      },
    ): Promise<QuoteRow[]> {
      const { quoteId, fromMs, toMs, limit } = filter;
      const direction = filter.order === "newest" ? "desc" : "asc";
      let query = tables
        .selectFrom("convert_quote")
        .selectAll()
        .where("user_id", "=", userId)
        .where("state", "in", ["TAKEN", "DONE"]);
      if (quoteId !== undefined) query = query.where("quote_id", "=", quoteId);
      if (fromMs !== undefined) query = query.where("expires_ms", ">=", fromMs);
      if (toMs !== undefined) query = query.where("expires_ms", "<=", toMs);
      return query.orderBy("expires_ms", direction).orderBy("quote_id", direction).limit(limit).execute();
    },
    listTaken: (): Promise<QuoteRow[]> =>
      tables.selectFrom("convert_quote").selectAll().where("state", "=", "TAKEN").limit(RESUME_MAX).execute(),
    /** The coins chosen for a sweep; undefined without one of that id. */
    async listSmall(userId: number, clientId: string): Promise<SmallRow[] | undefined> {
      const sweep = tables.selectFrom("convert_sweep").select("created_ms").where("user_id", "=", userId);
      if ((await sweep.where("client_id", "=", clientId).executeTakeFirst()) === undefined) return undefined;
      const rows = tables.selectFrom("convert_small").selectAll().where("user_id", "=", userId);
      return rows.where("client_id", "=", clientId).orderBy("asset").execute();
    },
    /** One transaction; only the first of an id is stored. */
    addSmall: (userId: number, clientId: string, rows: readonly SmallRow[], nowMs: number): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const added = await inside
          .insertInto("convert_sweep")
          .values({ user_id: userId, client_id: clientId, created_ms: nowMs })
          .onConflict((at) => at.doNothing())
          .executeTakeFirst();
        if (added.numInsertedOrUpdatedRows === 0n) return;
        await inside
          .insertInto("convert_small")
          .values([...rows])
          .execute();
      }),
    async endSmall({ user_id, client_id, asset }: SmallRow, state: "DONE" | "REFUSED"): Promise<void> {
      const change = tables.updateTable("convert_small").set({ state }).where("user_id", "=", user_id);
      await change.where("client_id", "=", client_id).where("asset", "=", asset).where("state", "=", "TAKEN").execute();
    },
    listTakenSmall: (): Promise<SmallRow[]> =>
      tables.selectFrom("convert_small").selectAll().where("state", "=", "TAKEN").limit(RESUME_MAX).execute(),
    /** Removes quotes that were never accepted. */
    async remove(beforeMs: number): Promise<void> {
      const remove = tables.deleteFrom("convert_quote").where("state", "=", "OPEN");
      await remove.where("expires_ms", "<", beforeMs).execute();
      await tables
        .deleteFrom("convert_flow")
        .where("hour", "<", hourOf(beforeMs - 2 * LIMIT_MS))
        .execute();
    },
  };
}
