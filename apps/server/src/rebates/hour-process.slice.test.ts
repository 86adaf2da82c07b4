// An hour computed by the separate process equals one computed here to the last row.

import { HourService, type HourWork, WORTH_UNITS } from "@clockwork/growth/invite/hour-service";
import type { Friendship } from "@clockwork/growth/invite/rules";
import { inviteStore } from "@clockwork/growth/invite/store";
import { allOf } from "@clockwork/kit/all-of";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import type { Database } from "../storage/database.ts";
import { forMigrated } from "../storage/test-databases.ts";
import { HourProcess } from "./hour-process.ts";

const HOUR = 500_000;
const PEOPLE = 300;

type Tables = Record<
  "engine_accounts" | "engine_turnover" | "invite_friend" | "invite_rebate" | "invite_payment" | "invite_hour",
  Record<string, unknown>
>;

const tablesOf = (database: Database) => database.kysely.$extendTables<Tables>();

/** Fees of two hours, the same in both. */
async function plant(database: Database): Promise<ReadonlyMap<number, Friendship>> {
  const tables = tablesOf(database);
  const random = createRandom(26);
  const friends = new Map<number, Friendship>();
  for (let user = 1; user <= PEOPLE; user++) {
    const inviterId = user <= 10 ? 900 + user : 1 + random.below(10);
    friends.set(user, { inviterId, friendPercent: random.below(11) });
    const account = 1_000 + user;
    const opened = { account, user_id: user, book: "spot", sub: 0, group_id: 0, flags: 0, created_ms: 0 };
    await tables.insertInto("engine_accounts").values(opened).execute();
    const names = { code: "c", joined_ms: 0, state: "counts", reason: "", through: "", released_ms: null };
    const friend = { user_id: user, inviter_id: inviterId, friend_percent: friends.get(user)?.friendPercent, ...names };
    await tables.insertInto("invite_friend").values(friend).execute();
    const fees = [2, 5].map((fee_asset) => [fee_asset, BigInt(1 + random.below(1_000_000_000))] as const);
    const turnover = [HOUR, HOUR + 1].flatMap((hour) =>
      fees.map(([fee_asset, fee_units]) => ({
        hour,
        account,
        market: fee_asset,
        role: "taker",
        fee_asset,
        notional_units: 1n,
        fee_units,
      })),
    );
    await tables.insertInto("engine_turnover").values(turnover).execute();
  }
  return friends;
}

forMigrated("sqlite", "hours of rebates", ({ database }) => {
  test("[USR-4] are computed in a separate process as they are here, and written while others write", async () => {
    const { aside } = database();
    if (aside === undefined) throw new Error("SQLite lends turns");
    const tables = tablesOf(database());
    const friends = await plant(database());
    const work = (hour: number): HourWork => ({
      hour,
      friends,
      backs: [{ userId: 3, asset: 2, feeUnits: 77n }],
      worths: new Map([[2, 3n * WORTH_UNITS]]),
      plannedMs: 1,
    });
    const here = new HourService(inviteStore(database().kysely), async () => undefined);
    const there = new HourProcess(aside);
    expect(await there.listPayers(HOUR + 1)).toEqual(await here.listPayers(HOUR));
    await here.plan(work(HOUR));
    const noise = Array.from({ length: 50 }, (_, at) =>
      tables.insertInto("invite_hour").values({ hour: at, planned_ms: 0 }).execute(),
    );
    await Promise.all([there.plan(work(HOUR + 1)), ...noise]);
    const read = async (hour: number) => ({
      rebates: await tables
        .selectFrom("invite_rebate")
        .select(["receiver_id", "friend_id", "asset", "degree", "fee_units", "rebate_units"])
        .select(["fee_usdt_units", "rebate_usdt_units"])
        .where("hour", "=", hour)
        .orderBy("receiver_id")
        .orderBy("friend_id")
        .orderBy("asset")
        .orderBy("degree")
        .execute(),
      payments: await tables
        .selectFrom("invite_payment")
        .select(["receiver_id", "state", "earned_usdt_units"])
        .where("hour", "=", hour)
        .orderBy("receiver_id")
        .execute(),
    });
    const plain = await read(HOUR);
    expect(plain.rebates.length).toBeGreaterThan(PEOPLE);
    expect(await read(HOUR + 1)).toEqual(plain);
    // Only one of the two coins has a price.
    const [known, unknown] = [2, 5].map((asset) => plain.rebates.filter((row) => row.asset === asset));
    expect(allOf(known ?? [], (row) => row.rebate_usdt_units === 3n * (row.rebate_units as bigint))).toBe(true);
    expect(allOf(unknown ?? [], (row) => row.rebate_usdt_units === 0n)).toBe(true);
    // A second plan of an hour writes nothing, and an hour whose fees were not read is refused.
    await there.listPayers(HOUR + 1);
    await there.plan({ ...work(HOUR + 1), worths: new Map() });
    expect(await read(HOUR + 1)).toEqual(plain);
    await expect(there.plan(work(HOUR))).rejects.toThrow("is not the one");
    await there.close();
    await expect(there.listPayers(HOUR)).rejects.toThrow("has ended");
  });
});
