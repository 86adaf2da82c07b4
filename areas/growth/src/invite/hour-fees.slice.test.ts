// An hour's fees of many accounts are read a few hundred at a time, with the same sums; hours are found one by one.

import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import { inviteStore } from "./store.ts";

const HOUR = 500_000;
const PEOPLE = 400;

type Tables = {
  engine_accounts: Record<string, unknown>;
  engine_turnover: Record<string, unknown>;
  invite_friend: Record<string, unknown>;
};

forEachMigrated("fees of an hour", ({ database }) => {
  test("[USR-4] are summed by user and coin over all their accounts, however many traded", async () => {
    const tables = database().kysely.$extendTables<Tables>();
    const turnover = (hour: number, account: number, market: number, fee_asset: number, fee_units: bigint) => ({
      hour,
      account,
      market,
      role: "taker",
      fee_asset,
      notional_units: 1n,
      fee_units,
    });
    const expected = new Map<string, bigint>();
    for (let user = 1; user <= PEOPLE; user++) {
      // The second account's number is far from the first, as of one opened later.
      const accounts = [1_000 + user, 9_000 + user, 20_000 + user];
      const books = ["spot", "linear", "demo"];
      const opened = accounts.map((account, at) => ({
        account,
        user_id: user,
        book: books[at],
        sub: 0,
        group_id: 0,
        flags: 0,
        created_ms: 0,
      }));
      await tables.insertInto("engine_accounts").values(opened).execute();
      const paid = accounts.flatMap((account) => [
        turnover(HOUR, account, 1, 2, BigInt(user)),
        turnover(HOUR, account, 2, 2, 10n),
        turnover(HOUR, account, 3, 5, 7n),
        turnover(HOUR, account, 4, -1, 99n),
        turnover(HOUR + 1, account, 1, 2, 1_000n),
      ]);
      await tables.insertInto("engine_turnover").values(paid).execute();
      // Every fourth has no inviter; every fifth of the others is the same person as their inviter.
      if (user % 4 === 0) continue;
      const state = user % 5 === 0 ? "void" : "counts";
      const friend = { user_id: user, inviter_id: 9_999, code: "c", friend_percent: 5, joined_ms: 0, state };
      await tables
        .insertInto("invite_friend")
        .values({ ...friend, reason: "", through: "", released_ms: null })
        .execute();
      if (state === "void") continue;
      expected.set(`${user}:2`, 2n * (BigInt(user) + 10n));
      expected.set(`${user}:5`, 14n);
    }
    const sums = await inviteStore(database().kysely).sumFees(HOUR);
    expect(new Map(sums.map(({ userId, asset, feeUnits }) => [`${userId}:${asset}`, feeUnits]))).toEqual(expected);
    expect(sums).toHaveLength(expected.size);
    expect(await inviteStore(database().kysely).sumFees(HOUR + 2)).toEqual([]);
    await tables
      .insertInto("engine_turnover")
      .values(turnover(HOUR + 5, 1_001, 1, 2, 1n))
      .execute();
    const { nextTraded, countTurnover } = inviteStore(database().kysely);
    const walked: (number | undefined)[] = [];
    for (let hour = await nextTraded(HOUR - 9, HOUR + 5); hour !== undefined; hour = await nextTraded(hour, HOUR + 5)) {
      walked.push(hour);
    }
    expect(walked).toEqual([HOUR, HOUR + 1, HOUR + 5]);
    expect(await nextTraded(HOUR + 1, HOUR + 4)).toBeUndefined();
    expect(await countTurnover(HOUR, HOUR + 4, 100_000)).toBe(PEOPLE * 15);
    expect(await countTurnover(HOUR, HOUR + 4, 100)).toBe(100);
    expect(await countTurnover(HOUR + 2, HOUR + 4, 100)).toBe(0);
  });
});
