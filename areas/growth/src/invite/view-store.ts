// The SQL of the views of invitations: sums by day, friend and week. Only paid rebates are summed.
import { type Kysely, sql } from "kysely";
import type { FriendRow, InviteTables, Tables } from "./store.ts";

const HOURS = 24;

export interface FriendSum {
  readonly friendId: number;
  readonly degree: number;
  readonly feeUsdtUnits: bigint;
  readonly usdtUnits: bigint;
}

export type InviteViewStore = ReturnType<typeof inviteViewStore>;

export function inviteViewStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<InviteTables>();
  return { ...friendQueries(tables), ...sumQueries(tables), ...rankingQueries(tables) };
}

function friendQueries(tables: Tables) {
  return {
    async countFriends(inviterId: number): Promise<number> {
      const count = sql<number>`cast(count(*) as bigint)`.as("count");
      const query = tables.selectFrom("invite_friend").select(count).where("inviter_id", "=", inviterId);
      return Number((await query.executeTakeFirst())?.count ?? 0);
    },
    async countByCode(inviterId: number): Promise<ReadonlyMap<string, number>> {
      const rows = await tables
        .selectFrom("invite_friend")
        .select(["code", sql<number>`cast(count(*) as bigint)`.as("count")])
        .where("inviter_id", "=", inviterId)
        .groupBy("code")
        .execute();
      return new Map(rows.map(({ code, count }) => [code, Number(count)]));
    },
    /** The newest first, after the given one. */
    listFriends(inviterId: number, after: readonly [number, number] | undefined, limit: number): Promise<FriendRow[]> {
      let query = tables.selectFrom("invite_friend").selectAll().where("inviter_id", "=", inviterId);
      if (after !== undefined) {
        const [joinedMs, userId] = after;
        query = query.where(({ or, and, eb }) =>
          or([eb("joined_ms", "<", joinedMs), and([eb("joined_ms", "=", joinedMs), eb("user_id", "<", userId)])]),
        );
      }
      return query.orderBy("joined_ms", "desc").orderBy("user_id", "desc").limit(limit).execute();
    },
    /** The number who joined since then, and the number of all who paid a fee since then. */
    async countSince(inviterId: number, sinceMs: number): Promise<{ joined: number; traded: number }> {
      const count = sql<number>`cast(count(*) as bigint)`.as("count");
      const joined = await tables
        .selectFrom("invite_friend")
        .select(count)
        .where("inviter_id", "=", inviterId)
        .where("state", "=", "counts")
        .where("joined_ms", ">=", sinceMs)
        .executeTakeFirst();
      const traded = await tables
        .selectFrom("invite_rebate")
        .select(sql<number>`cast(count(distinct friend_id) as bigint)`.as("count"))
        .where("receiver_id", "=", inviterId)
        .where("degree", "=", 1)
        .where("hour", ">=", Math.floor(sinceMs / 3_600_000))
        .executeTakeFirst();
      return { joined: Number(joined?.count ?? 0), traded: Number(traded?.count ?? 0) };
    },
  };
}

function sumQueries(tables: Tables) {
  const paid = () =>
    tables
      .selectFrom("invite_rebate as rebate")
      .innerJoin("invite_payment as payment", (join) =>
        join.onRef("payment.hour", "=", "rebate.hour").onRef("payment.receiver_id", "=", "rebate.receiver_id"),
      )
      .where("payment.state", "=", "paid");
  return {
    /** A user's income from others' fees, by day. */
    async sumDays(receiverId: number, fromDay: number) {
      const day = sql<number>`cast(rebate.hour / 24 as bigint)`;
      const rows = await paid()
        .select(day.as("day"))
        .select(sql<string>`cast(sum(rebate.rebate_usdt_units) as text)`.as("usdt"))
        .select(sql<string>`cast(sum(rebate.fee_usdt_units) as text)`.as("fees"))
        .where("rebate.receiver_id", "=", receiverId)
        .where("rebate.degree", ">", 0)
        .where("rebate.hour", ">=", fromDay * HOURS)
        .groupBy(day)
        .execute();
      return new Map(
        rows.map((row) => [Number(row.day), { usdtUnits: BigInt(row.usdt), feeUsdtUnits: BigInt(row.fees) }]),
      );
    },
    /** In total: of others' fees, and of one's own. */
    async sumAll(receiverId: number): Promise<{ earned: bigint; back: bigint }> {
      const rows = await paid()
        .select(sql<boolean>`rebate.degree > 0`.as("is_earned"))
        .select(sql<string>`cast(sum(rebate.rebate_usdt_units) as text)`.as("usdt"))
        .where("rebate.receiver_id", "=", receiverId)
        .groupBy(sql`rebate.degree > 0`)
        .execute();
      const of = (isEarned: boolean): bigint =>
        rows.reduce((sum, row) => (Boolean(row.is_earned) === isEarned ? sum + BigInt(row.usdt) : sum), 0n);
      return { earned: of(true), back: of(false) };
    },
    /** By friend: what they paid, the inviter's income, and what was returned to them. */
    async sumFriends(inviterId: number, friendIds: readonly number[], fromHour: number): Promise<FriendSum[]> {
      if (friendIds.length === 0) return [];
      const sums = () =>
        paid()
          .select(["rebate.friend_id", "rebate.degree"])
          .select(sql<string>`cast(sum(rebate.rebate_usdt_units) as text)`.as("usdt"))
          .select(sql<string>`cast(sum(rebate.fee_usdt_units) as text)`.as("fees"))
          .where("rebate.friend_id", "in", friendIds)
          .where("rebate.hour", ">=", fromHour)
          .groupBy(["rebate.friend_id", "rebate.degree"]);
      const rows = [
        ...(await sums().where("rebate.receiver_id", "=", inviterId).where("rebate.degree", "=", 1).execute()),
        ...(await sums().where("rebate.receiver_id", "in", friendIds).where("rebate.degree", "=", 0).execute()),
      ];
      return rows.map((row) => ({
        friendId: row.friend_id,
        degree: row.degree,
        feeUsdtUnits: BigInt(row.fees),
        usdtUnits: BigInt(row.usdt),
      }));
    },
  };
}

function rankingQueries(tables: Tables) {
  const sums = (from: number, to: number) =>
    tables
      .selectFrom("invite_payment")
      .select("receiver_id")
      .select(sql<string>`cast(sum(earned_usdt_units) as text)`.as("usdt"))
      .where("hour", ">=", from)
      .where("hour", "<", to)
      .where("earned_usdt_units", ">", 0n)
      .groupBy("receiver_id");
  return {
    /** Hours from and to, the last one excluded; the largest sum first, of equals the older account number. */
    async rank(from: number, to: number, offset: number, limit: number) {
      const rows = await sums(from, to)
        .orderBy(sql`sum(earned_usdt_units)`, "desc")
        .orderBy("receiver_id")
        .offset(offset)
        .limit(limit)
        .execute();
      return rows.map(({ receiver_id, usdt }) => ({ userId: receiver_id, usdtUnits: BigInt(usdt) }));
    },
    /** The number ranked before a user; undefined for a user with nothing. */
    async countBefore(userId: number, from: number, to: number): Promise<number | undefined> {
      const own = await sums(from, to).where("receiver_id", "=", userId).executeTakeFirst();
      if (own === undefined) return undefined;
      const mine = BigInt(own.usdt);
      const before = await tables
        .selectFrom(
          sums(from, to)
            .having(({ or, and, eb }) =>
              or([
                eb(sql`sum(earned_usdt_units)`, ">", mine),
                and([eb(sql`sum(earned_usdt_units)`, "=", mine), eb("receiver_id", "<", userId)]),
              ]),
            )
            .as("ahead"),
        )
        .select(sql<number>`cast(count(*) as bigint)`.as("count"))
        .executeTakeFirst();
      return Number(before?.count ?? 0);
    },
  };
}
