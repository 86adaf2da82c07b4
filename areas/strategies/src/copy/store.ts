// The copy slice's own SQL: leaders' identities, favourites, flags, the simulated past.
import { type Kysely, sql } from "kysely";
import type { CopyKind, LeaderIdentity } from "./contract.ts";

export interface LeaderRow {
  readonly account: number;
  readonly user_id: number;
  readonly kind: CopyKind;
  readonly nickname: string;
  readonly bio: string;
  readonly state: LeaderIdentity;
  readonly level: number;
  readonly share_rate: number;
  readonly is_simulated: boolean;
  readonly reason: string;
  readonly applied_ms: number;
  readonly decided_ms: number;
  readonly rest_until_ms: number;
}

interface FocusRow {
  readonly user_id: number;
  readonly leader: number;
  readonly note: string;
  readonly since_ms: number;
  readonly wants_place: boolean;
}

export interface PastDayRow {
  readonly leader: number;
  readonly day_ms: number;
  readonly nav: bigint;
  readonly equity_units: bigint;
  readonly pnl_units: bigint;
}

export interface PastTradeRow {
  readonly leader: number;
  readonly number: number;
  readonly market: number;
  readonly side: string;
  readonly lots: bigint;
  readonly entry_units: bigint;
  readonly exit_units: bigint;
  readonly pnl_units: bigint;
  readonly leverage: number;
  readonly opened_ms: number;
  readonly closed_ms: number;
}

interface WashRow {
  readonly market: number;
  readonly trade_number: number;
  readonly leader: number;
  readonly account: number;
  readonly user_id: number;
  readonly lots: bigint;
  readonly sequence: number;
  readonly time_ms: number;
}

export interface AnnouncementRow {
  readonly leader: number;
  readonly client_id: string;
  readonly text: string;
  readonly told_ms: number;
}

// A type, not an interface: only a type fits Kysely's table record.
type CopyTables = {
  copy_leader: LeaderRow;
  copy_nickname: { name: string; user_id: number };
  copy_focus: FocusRow;
  copy_wash_trade: WashRow;
  copy_cursor: { name: string; sequence: number };
  copy_announcement: AnnouncementRow;
  copy_past_day: PastDayRow;
  copy_past_trade: PastTradeRow;
};

const WAITING_MAX = 10_000;
const WASH_AT_ONCE = 10_000;
const WASH = "wash";
const INSERTED_AT_ONCE = 100;

export type CopyStore = ReturnType<typeof copyStore>;

export function copyStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<CopyTables>();
  return {
    ...leaderQueries(tables),
    ...focusQueries(tables),
    ...announcementQueries(tables),
    ...pastQueries(tables),
  };
}

function leaderQueries(tables: Kysely<CopyTables>) {
  return {
    find: (account: number): Promise<LeaderRow | undefined> =>
      tables.selectFrom("copy_leader").selectAll().where("account", "=", account).executeTakeFirst(),
    findOwn: (userId: number, kind: CopyKind): Promise<LeaderRow | undefined> =>
      tables
        .selectFrom("copy_leader")
        .selectAll()
        .where("user_id", "=", userId)
        .where("kind", "=", kind)
        .executeTakeFirst(),
    listBy: (states: readonly LeaderIdentity[], kind?: CopyKind): Promise<LeaderRow[]> => {
      const rows = tables
        .selectFrom("copy_leader")
        .selectAll()
        .where("state", "in", [...states]);
      return (kind === undefined ? rows : rows.where("kind", "=", kind)).orderBy("account").execute();
    },
    /** A new application, or one after an earlier one ended, unless it exists already or the name is taken. */
    apply: (row: LeaderRow, from: readonly LeaderIdentity[]): Promise<"done" | "stands" | "taken"> =>
      tables.transaction().execute(async (inside) => {
        if (!(await claimName(inside, row))) return "taken";
        const { account, user_id, kind, ...answer } = row;
        const added = await inside
          .insertInto("copy_leader")
          .values(row)
          .onConflict((at) => at.column("account").doNothing())
          .executeTakeFirst();
        if ((added.numInsertedOrUpdatedRows ?? 0n) > 0n) return "done";
        const change = inside.updateTable("copy_leader").set(answer).where("account", "=", account);
        const changed = (await change.where("state", "in", [...from]).executeTakeFirst()).numUpdatedRows > 0n;
        return changed ? "done" : "stands";
      }),
    /** Compare and set, with the core's state: false when either has moved on since. */
    async agree(row: LeaderRow, values: Pick<LeaderRow, "state" | "share_rate">): Promise<boolean> {
      const change = tables.updateTable("copy_leader").set(values).where("account", "=", row.account);
      const same = change.where("state", "=", row.state).where("share_rate", "=", row.share_rate);
      return (await same.executeTakeFirst()).numUpdatedRows > 0n;
    },
    /** Compare and set: false when it has moved on since. */
    async step(account: number, from: readonly LeaderIdentity[], values: Partial<LeaderRow>): Promise<boolean> {
      const change = tables.updateTable("copy_leader").set(values).where("account", "=", account);
      return (await change.where("state", "in", [...from]).executeTakeFirst()).numUpdatedRows > 0n;
    },
  };
}

/** Normalised for readers: case, spaces, dots and dashes do not distinguish names. */
const nameKey = (nickname: string): string =>
  nickname
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[ _.-]/g, "");

/** The first request gets the name; the exchange's own leaders are named before any request. */
async function claimName(inside: Kysely<CopyTables>, { nickname, user_id, is_simulated }: LeaderRow): Promise<boolean> {
  const name = nameKey(nickname);
  const insert = inside.insertInto("copy_nickname").values({ name, user_id });
  await insert.onConflict((at) => at.column("name").doNothing()).execute();
  const owner = await inside.selectFrom("copy_nickname").selectAll().where("name", "=", name).executeTakeFirst();
  return is_simulated || Number(owner?.user_id) === user_id;
}

function focusQueries(tables: Kysely<CopyTables>) {
  return {
    listFocus: (userId: number): Promise<FocusRow[]> =>
      tables
        .selectFrom("copy_focus")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("since_ms")
        .limit(500)
        .execute(),
    async setFocus(row: FocusRow): Promise<void> {
      const insert = tables.insertInto("copy_focus").values(row);
      await insert
        .onConflict((at) =>
          at.columns(["user_id", "leader"]).doUpdateSet({ note: row.note, wants_place: row.wants_place }),
        )
        .execute();
    },
    /** Users waiting for a place with a leader. */
    async listWaiting(leader: number): Promise<readonly number[]> {
      const rows = await tables
        .selectFrom("copy_focus")
        .select("user_id")
        .where("leader", "=", leader)
        .where("wants_place", "=", true)
        .orderBy("since_ms")
        .limit(WAITING_MAX)
        .execute();
      return rows.map(({ user_id }) => Number(user_id));
    },
    async stopWaiting(userId: number, leader: number): Promise<void> {
      const change = tables.updateTable("copy_focus").set({ wants_place: false });
      await change.where("user_id", "=", userId).where("leader", "=", leader).execute();
    },
    async dropFocus(userId: number, leader: number): Promise<void> {
      await tables.deleteFrom("copy_focus").where("user_id", "=", userId).where("leader", "=", leader).execute();
    },
  };
}

function announcementQueries(tables: Kysely<CopyTables>) {
  return {
    /** Stored unless there are as many since then; a repeated one returns the first. */
    announce: (row: AnnouncementRow, sinceMs: number, most: number): Promise<AnnouncementRow | undefined> =>
      tables.transaction().execute(async (inside) => {
        // One after the other for each leader.
        await inside
          .updateTable("copy_leader")
          .set(({ ref }) => ({ level: ref("level") }))
          .where("account", "=", row.leader)
          .execute();
        const own = inside.selectFrom("copy_announcement").selectAll().where("leader", "=", row.leader);
        const known = await own.where("client_id", "=", row.client_id).executeTakeFirst();
        if (known !== undefined) return known;
        if ((await own.where("told_ms", ">=", sinceMs).limit(most).execute()).length >= most) return undefined;
        await inside.insertInto("copy_announcement").values(row).execute();
        return row;
      }),
  };
}

function pastQueries(tables: Kysely<CopyTables>) {
  return {
    pastDays: (leader: number): Promise<PastDayRow[]> =>
      tables.selectFrom("copy_past_day").selectAll().where("leader", "=", leader).orderBy("day_ms").execute(),
    pastTrades: (leader: number): Promise<PastTradeRow[]> =>
      tables.selectFrom("copy_past_trade").selectAll().where("leader", "=", leader).orderBy("closed_ms").execute(),
    /** A leader's past as a whole; rewriting gives the same. */
    async writePast(leader: number, days: readonly PastDayRow[], trades: readonly PastTradeRow[]): Promise<void> {
      await tables.transaction().execute(async (inside) => {
        await inside.deleteFrom("copy_past_day").where("leader", "=", leader).execute();
        await inside.deleteFrom("copy_past_trade").where("leader", "=", leader).execute();
        for (let at = 0; at < days.length; at += INSERTED_AT_ONCE) {
          await inside
            .insertInto("copy_past_day")
            .values(days.slice(at, at + INSERTED_AT_ONCE))
            .execute();
        }
        for (let at = 0; at < trades.length; at += INSERTED_AT_ONCE) {
          await inside
            .insertInto("copy_past_trade")
            .values(trades.slice(at, at + INSERTED_AT_ONCE))
            .execute();
        }
      });
    },
    /**
     * Trades between a leader's book and a book of their follower, up to a command of the journal; returns the previous
     * position.
     */
    async flagWashTrades(toSequence: number): Promise<number> {
      return tables.transaction().execute(async (inside) => {
        const known = await inside.selectFrom("copy_cursor").selectAll().where("name", "=", WASH).executeTakeFirst();
        const from = known?.sequence ?? 0;
        const found = await sql<WashRow>`
          select a.market, a.trade_number, a.account as leader, b.account, o.user_id, a.lots, a.sequence, a.time_ms
          from copy_leader l
          join engine_fills a on a.account = l.account and a.sequence > ${from} and a.sequence <= ${toSequence}
          join engine_fills b on b.market = a.market and b.trade_number = a.trade_number and b.role <> a.role
          join engine_accounts o on o.account = b.account
          where o.user_id <> l.user_id and exists (
            select 1 from engine_follows f join engine_accounts s on s.account = f.account
            where f.leader = l.account and s.user_id = o.user_id)
          order by a.sequence, a.trade_number limit ${WASH_AT_ONCE}`.execute(inside);
        for (const row of found.rows) {
          await inside
            .insertInto("copy_wash_trade")
            .values(row)
            .onConflict((at) => at.columns(["market", "trade_number"]).doNothing())
            .execute();
        }
        // More than one round takes: the next resumes behind the last command that was read completely.
        const last = found.rows.length < WASH_AT_ONCE ? undefined : found.rows.at(-1);
        const sequence = last === undefined ? toSequence : Math.max(Number(last.sequence) - 1, from + 1);
        const insert = inside.insertInto("copy_cursor").values({ name: WASH, sequence });
        await insert.onConflict((at) => at.column("name").doUpdateSet({ sequence })).execute();
        return found.rows.length;
      });
    },
    async countWash(): Promise<ReadonlyMap<number, number>> {
      const rows = await tables
        .selectFrom("copy_wash_trade")
        .select(["leader", sql<number>`cast(count(*) as bigint)`.as("count")])
        .groupBy("leader")
        .execute();
      return new Map(rows.map(({ leader, count }) => [leader, Number(count)]));
    },
  };
}

export interface StopRow {
  readonly position_id: number;
  readonly trigger_ticks: number;
  readonly trigger_direction: string;
}

// A type, not an interface: only a type fits Kysely's table record.
type StopTables = {
  engine_stops: { order_id: number; account: number; position_id: number; is_whole: boolean };
  engine_orders: {
    order_id: number;
    state: string;
    trigger_ticks: number | null;
    trigger_direction: string | null;
    callback_bps: number | null;
  };
};

export type StopStore = ReturnType<typeof stopStore>;

export function stopStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<StopTables>();
  return {
    /** Take-profits and stop-losses of whole positions; a trailing stop has no fixed price. */
    async stopsOf(positionIds: readonly number[]): Promise<StopRow[]> {
      if (positionIds.length === 0) return [];
      const rows = await tables
        .selectFrom("engine_stops")
        .innerJoin("engine_orders", "engine_orders.order_id", "engine_stops.order_id")
        .select(["engine_stops.position_id", "engine_orders.trigger_ticks", "engine_orders.trigger_direction"])
        .where("engine_stops.position_id", "in", [...positionIds])
        .where("engine_stops.is_whole", "=", true)
        .where("engine_orders.state", "=", "PENDING_TRIGGER")
        .where((where) =>
          where.or([where("engine_orders.callback_bps", "is", null), where("engine_orders.callback_bps", "=", 0)]),
        )
        .execute();
      return rows.flatMap(({ position_id, trigger_ticks, trigger_direction }) =>
        trigger_ticks === null || trigger_direction === null ? [] : [{ position_id, trigger_ticks, trigger_direction }],
      );
    },
  };
}
