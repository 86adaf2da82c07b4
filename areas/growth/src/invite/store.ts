// The SQL of invitations. An hour is planned whole or not at all.
import { type CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import type { RebateLeg } from "./needs.ts";

export interface LinkRow {
  readonly code: string;
  readonly user_id: number;
  readonly slot: number;
  readonly name: string;
  readonly friend_percent: number;
  readonly client_id: string;
  readonly created_ms: number;
}

export interface FriendRow {
  readonly user_id: number;
  readonly inviter_id: number;
  readonly code: string;
  readonly friend_percent: number;
  readonly joined_ms: number;
  readonly state: string;
  readonly reason: string;
  /** The accounts that prove it, separated by spaces. */
  readonly through: string;
  /** Since when it counts by the operators' decision; null where devices decide. */
  readonly released_ms: number | null;
}

export interface RebateRow {
  readonly hour: number;
  readonly receiver_id: number;
  readonly friend_id: number;
  readonly asset: number;
  readonly degree: number;
  readonly fee_units: bigint;
  readonly rebate_units: bigint;
  readonly fee_usdt_units: bigint;
  readonly rebate_usdt_units: bigint;
}

export interface PaymentRow {
  readonly hour: number;
  readonly receiver_id: number;
  readonly state: string;
  readonly paid_ms: number | null;
  /** Income from others' fees. */
  readonly earned_usdt_units: bigint;
}

export type InviteTables = {
  invite_link: LinkRow;
  invite_friend: FriendRow;
  invite_hour: { hour: number; planned_ms: number };
  invite_rebate: RebateRow;
  invite_payment: PaymentRow;
  invite_named: { user_id: number };
  engine_turnover: { hour: number; account: number; fee_asset: number; fee_units: bigint };
  engine_accounts: { account: number; user_id: number; book: string };
};
export type Tables = Kysely<InviteTables>;

const CHUNK = 200;
/** The number of friends read when rings are searched. */
const RING_MAX = 1_000;
/** Rebates of one statement: few round trips, and each a short block of the main thread. */
const REBATES = 64;
/** Accounts whose fees are read at a time. */
const ACCOUNTS = 250;
/** Play money and bonuses pay nothing that could be shared. */
const UNCOUNTED_BOOKS = ["demo", "bonus", "house"];

export type InviteStore = ReturnType<typeof inviteStore>;

export function inviteStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<InviteTables>();
  return { ...links(tables), ...friends(tables), ...circles(tables), ...hours(tables), ...payments(tables) };
}

function links(tables: Tables) {
  return {
    listLinks: (userId: number): Promise<LinkRow[]> =>
      tables.selectFrom("invite_link").selectAll().where("user_id", "=", userId).orderBy("slot").execute(),
    findLink: (code: string): Promise<LinkRow | undefined> =>
      tables.selectFrom("invite_link").selectAll().where("code", "=", code).executeTakeFirst(),
    /** False when the code, the slot or the id is taken. */
    async addLink(row: LinkRow): Promise<boolean> {
      const insert = tables
        .insertInto("invite_link")
        .values(row)
        .onConflict((at) => at.doNothing());
      return ((await insert.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    async changeLink(
      userId: number,
      code: string,
      values: Partial<Pick<LinkRow, "name" | "friend_percent">>,
    ): Promise<boolean> {
      const change = tables
        .updateTable("invite_link")
        .set(values)
        .where("code", "=", code)
        .where("user_id", "=", userId);
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
    async setNamed(userId: number, isNamed: boolean): Promise<void> {
      if (!isNamed) await tables.deleteFrom("invite_named").where("user_id", "=", userId).execute();
      else {
        await tables
          .insertInto("invite_named")
          .values({ user_id: userId })
          .onConflict((at) => at.doNothing())
          .execute();
      }
    },
    async listNamed(userIds: readonly number[]): Promise<ReadonlySet<number>> {
      if (userIds.length === 0) return new Set();
      const rows = await tables.selectFrom("invite_named").select("user_id").where("user_id", "in", userIds).execute();
      return new Set(rows.map(({ user_id }) => user_id));
    },
  };
}

function friends(tables: Tables) {
  return {
    findFriend: (userId: number): Promise<FriendRow | undefined> =>
      tables.selectFrom("invite_friend").selectAll().where("user_id", "=", userId).executeTakeFirst(),
    /** False when it is known already. */
    async addFriend(row: FriendRow): Promise<boolean> {
      const insert = tables
        .insertInto("invite_friend")
        .values(row)
        .onConflict((at) => at.column("user_id").doNothing());
      return ((await insert.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    /** By the result of the device check; false where operators decided otherwise. */
    async voidFriend(userId: number, reason: string, through: string): Promise<boolean> {
      const values = { state: "void", reason, through };
      const change = tables.updateTable("invite_friend").set(values).where("user_id", "=", userId);
      return (await change.where("released_ms", "is", null).executeTakeFirst()).numUpdatedRows > 0n;
    },
    /** By the operators' decision; false when it is so already. */
    async judgeFriend(userId: number, counts: boolean, timeMs: number): Promise<boolean> {
      const next = counts
        ? { state: "counts", reason: "", through: "", released_ms: timeMs }
        : { state: "void", reason: "operator", through: "", released_ms: null };
      const change = tables.updateTable("invite_friend").set(next).where("user_id", "=", userId);
      return (await change.where("state", "<>", next.state).executeTakeFirst()).numUpdatedRows > 0n;
    },
    listJudged: (limit: number): Promise<FriendRow[]> =>
      tables
        .selectFrom("invite_friend")
        .selectAll()
        .where(({ or, eb }) => or([eb("state", "=", "void"), eb("released_ms", "is not", null)]))
        .orderBy("joined_ms", "desc")
        .orderBy("user_id")
        .limit(limit)
        .execute(),
    async firstJoinedMs(): Promise<number | undefined> {
      const query = tables.selectFrom("invite_friend").select(sql<number | null>`min(joined_ms)`.as("first"));
      const first = (await query.executeTakeFirst())?.first;
      return first === null || first === undefined ? undefined : Number(first);
    },
    /** Those of the given users who count. */
    async listCounting(userIds: readonly number[]): Promise<FriendRow[]> {
      const found: FriendRow[] = [];
      for (let at = 0; at < userIds.length; at += CHUNK) {
        const some = userIds.slice(at, at + CHUNK);
        const query = tables.selectFrom("invite_friend").selectAll().where("user_id", "in", some);
        for (const row of await query.where("state", "=", "counts").execute()) found.push(row);
      }
      return found;
    },
  };
}

/** Invited users, as far as devices are compared. */
function circles(tables: Tables) {
  return {
    /** Of the inviter's friends, those who count and came before. */
    async listEarlier({ inviter_id, joined_ms, user_id }: FriendRow): Promise<number[]> {
      const rows = await tables
        .selectFrom("invite_friend")
        .select(["user_id"])
        .where("inviter_id", "=", inviter_id)
        .where("state", "=", "counts")
        .where("user_id", "<>", user_id)
        .where("joined_ms", "<=", joined_ms)
        .execute();
      return rows.map((row) => row.user_id);
    },
    /** All users invited by these, except those released by operators: the oldest first. */
    async listInvitedBy(userIds: readonly number[]): Promise<number[]> {
      if (userIds.length === 0) return [];
      const rows = await tables
        .selectFrom("invite_friend")
        .select(["user_id"])
        .where("inviter_id", "in", userIds)
        .where("released_ms", "is", null)
        .orderBy("user_id")
        .limit(RING_MAX)
        .execute();
      return rows.map((row) => row.user_id);
    },
  };
}

function hours(tables: Tables) {
  return {
    async lastHour(): Promise<number | undefined> {
      const query = tables.selectFrom("invite_hour").select(sql<number | null>`max(hour)`.as("last"));
      const last = (await query.executeTakeFirst())?.last;
      return last === null || last === undefined ? undefined : Number(last);
    },
    /**
     * The first hour after one in which a fee was paid, up to and including another. Reads one row: a day has hundreds
     * of thousands, and session reads queue behind this.
     */
    async nextTraded(after: number, to: number): Promise<number | undefined> {
      const query = tables.selectFrom("engine_turnover").select("hour");
      return (await query.where("hour", ">", after).where("hour", "<=", to).orderBy("hour").limit(1).executeTakeFirst())
        ?.hour;
    },
    /** Rows of turnover of these hours, counted up to a maximum. */
    async countTurnover(from: number, to: number, most: number): Promise<number> {
      const rows = tables
        .selectFrom("engine_turnover")
        .select("hour")
        .where("hour", ">=", from)
        .where("hour", "<=", to);
      const query = tables
        .selectFrom(rows.limit(most).as("some"))
        .select(sql<number>`cast(count(*) as bigint)`.as("count"));
      return Number((await query.executeTakeFirst())?.count ?? 0);
    },
    /**
     * Fees of invited users in an hour, by coin, before returns. Read a few hundred accounts at a time, so that the
     * main thread is not blocked for long.
     */
    async sumFees(hour: number): Promise<HourFees[]> {
      const sums = new Map<string, HourFees>();
      for (let after = -1; ; ) {
        const last = await lastTraded(tables, hour, after);
        if (last === undefined) break;
        for (const row of await sumWindow(tables, hour, after, last)) {
          const key = `${row.userId}:${row.asset}`;
          // Of several accounts of one user.
          sums.set(key, { ...row, feeUnits: row.feeUnits + (sums.get(key)?.feeUnits ?? 0n) });
        }
        after = last;
      }
      return [...sums.values()].sort((left, right) => left.userId - right.userId || left.asset - right.asset);
    },
    /** An hour completely or not at all; a concurrent second call writes nothing. */
    planHour: (hour: number, rows: readonly RebateRow[], plannedMs: number): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const note = inside
          .insertInto("invite_hour")
          .values({ hour, planned_ms: plannedMs })
          .onConflict((at) => at.column("hour").doNothing());
        if (((await note.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
        await addRebates(inside, rows);
        const planned = sumEarned(rows).map(([receiver_id, earned_usdt_units]) => {
          return { hour, receiver_id, state: "planned", paid_ms: null, earned_usdt_units };
        });
        for (let at = 0; at < planned.length; at += CHUNK) {
          await inside
            .insertInto("invite_payment")
            .values(planned.slice(at, at + CHUNK))
            .execute();
        }
        return true;
      }),
  };
}

interface HourFees {
  readonly userId: number;
  readonly asset: number;
  readonly feeUnits: bigint;
}

/** The last of the next few hundred accounts with turnover in an hour; undefined when there are no more. */
async function lastTraded(tables: Tables, hour: number, after: number): Promise<number | undefined> {
  const next = tables.selectFrom("engine_turnover").select("account").distinct().where("hour", "=", hour);
  const some = next.where("account", ">", after).orderBy("account").limit(ACCOUNTS).as("some");
  const row = await tables.selectFrom(some).select(sql<number | null>`max(account)`.as("last")).executeTakeFirst();
  return row === undefined || row.last === null ? undefined : Number(row.last);
}

async function sumWindow(tables: Tables, hour: number, after: number, last: number): Promise<HourFees[]> {
  const rows = await tables
    .selectFrom("engine_turnover as turnover")
    .innerJoin("engine_accounts as owner", "owner.account", "turnover.account")
    .innerJoin("invite_friend as friend", "friend.user_id", "owner.user_id")
    .select(["owner.user_id", "turnover.fee_asset"])
    .select(sql<string>`cast(sum(turnover.fee_units) as text)`.as("fee"))
    .where("turnover.hour", "=", hour)
    .where("turnover.account", ">", after)
    .where("turnover.account", "<=", last)
    .where("turnover.fee_asset", ">=", 0)
    .where("owner.book", "not in", UNCOUNTED_BOOKS)
    .where("friend.state", "=", "counts")
    .groupBy(["owner.user_id", "turnover.fee_asset"])
    .execute();
  return rows.map((row) => ({ userId: row.user_id, asset: row.fee_asset, feeUnits: BigInt(row.fee) }));
}

/**
 * Built once for all chunks of one size: a day has hundreds of thousands of rows, and every one has the same statement.
 */
async function addRebates(inside: Transaction<InviteTables>, rows: readonly RebateRow[]): Promise<void> {
  let [built, size]: [CompiledQuery | undefined, number] = [undefined, 0];
  for (let at = 0; at < rows.length; at += REBATES) {
    const some = rows.slice(at, at + REBATES);
    if (built === undefined || size !== some.length) {
      built = inside.insertInto("invite_rebate").values(some.map(inOrder)).compile();
      size = some.length;
    }
    await inside.executeQuery({ ...built, parameters: some.flatMap((row) => Object.values(inOrder(row))) });
  }
}

/** Values in the order of the statement's columns. */
function inOrder(row: RebateRow): RebateRow {
  return {
    receiver_id: row.receiver_id,
    hour: row.hour,
    friend_id: row.friend_id,
    asset: row.asset,
    degree: row.degree,
    fee_units: row.fee_units,
    rebate_units: row.rebate_units,
    fee_usdt_units: row.fee_usdt_units,
    rebate_usdt_units: row.rebate_usdt_units,
  };
}

/** By receiver, including those who only get their own fees back. */
function sumEarned(rows: readonly RebateRow[]): (readonly [receiverId: number, earnedUsdtUnits: bigint])[] {
  const sums = new Map<number, bigint>();
  for (const { receiver_id, degree, rebate_usdt_units } of rows) {
    sums.set(receiver_id, (sums.get(receiver_id) ?? 0n) + (degree > 0 ? rebate_usdt_units : 0n));
  }
  return [...sums];
}

function payments(tables: Tables) {
  return {
    /** Behind a place, in order. */
    listPlanned: (
      limit: number,
      { hour, receiverId }: { readonly hour: number; readonly receiverId: number },
    ): Promise<PaymentRow[]> =>
      tables
        .selectFrom("invite_payment")
        .selectAll()
        // Written exactly as in its index: a day's rows are not searched among those of years.
        .where(sql<boolean>`state = 'planned'`)
        .where("hour", ">=", hour)
        .where(({ or, eb }) => or([eb("hour", ">", hour), eb("receiver_id", ">", receiverId)]))
        .orderBy("hour")
        .orderBy("receiver_id")
        .limit(limit)
        .execute(),
    /** The parts of an hour's payments to these receivers, by coin in the order of their numbers. */
    async sumPayments(
      hour: number,
      receiverIds: readonly number[],
    ): Promise<ReadonlyMap<number, readonly RebateLeg[]>> {
      const rows = await tables
        .selectFrom("invite_rebate")
        .select(["receiver_id", "asset"])
        .select(sql<string>`cast(sum(rebate_units) as text)`.as("sum"))
        .where("receiver_id", "in", receiverIds)
        .where("hour", "=", hour)
        .groupBy(["receiver_id", "asset"])
        .orderBy("receiver_id")
        .orderBy("asset")
        .execute();
      const legs = new Map<number, RebateLeg[]>();
      for (const { receiver_id, asset, sum } of rows) {
        const own = legs.get(receiver_id) ?? [];
        own.push({ asset, units: BigInt(sum) });
        legs.set(receiver_id, own);
      }
      return legs;
    },
    /** Returns those for whom it was new. */
    async setPaid(hour: number, receiverIds: readonly number[], paidMs: number): Promise<readonly number[]> {
      if (receiverIds.length === 0) return [];
      const rows = await tables
        .updateTable("invite_payment")
        .set({ state: "paid", paid_ms: paidMs })
        .where("hour", "=", hour)
        .where("receiver_id", "in", receiverIds)
        .where("state", "=", "planned")
        .returning("receiver_id")
        .execute();
      return rows.map(({ receiver_id }) => receiver_id);
    },
  };
}
