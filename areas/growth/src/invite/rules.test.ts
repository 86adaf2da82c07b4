import { createRandom } from "@clockwork/kit/random";
import { DAY_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import { drawCode, type Friendship, findRing, findVoid, hideName, netFees, planHour, weekOf } from "./rules.ts";

test("[USR-4] twenty percent are split by the link, five go to the inviter's inviter, all rounded down", () => {
  const friends = new Map<number, Friendship>([
    [3, { inviterId: 2, friendPercent: 5 }],
    [2, { inviterId: 1, friendPercent: 0 }],
  ]);
  const plan = planHour([{ userId: 3, asset: 7, feeUnits: 1_019n }], friends);
  expect(plan.map(({ receiverId, degree, rebateUnits }) => [receiverId, degree, rebateUnits])).toEqual([
    [3, 0, 50n],
    [2, 1, 152n],
    [1, 2, 50n],
  ]);
  expect(planHour([{ userId: 9, asset: 7, feeUnits: 1_000n }], friends)).toEqual([]);
  expect(planHour([{ userId: 3, asset: 7, feeUnits: 4n }], friends)).toEqual([]);
});

test("[USR-4] fees returned by coupons are no fees: only the rest is shared, and nothing below zero", () => {
  const fee = (userId: number, asset: number, feeUnits: bigint) => ({ userId, asset, feeUnits });
  const paid = [fee(3, 7, 100n), fee(3, 8, 100n), fee(4, 7, 100n), fee(5, 7, 10n)];
  const backs = [fee(3, 7, 30n), fee(4, 7, 100n), fee(5, 7, 11n), fee(6, 7, 5n)];
  expect(netFees(paid, backs)).toEqual([fee(3, 7, 70n), fee(3, 8, 100n)]);
});

test("[USR-4] no user is paid for themselves, not even around a ring", () => {
  const ring = new Map<number, Friendship>([
    [1, { inviterId: 2, friendPercent: 0 }],
    [2, { inviterId: 1, friendPercent: 0 }],
    [3, { inviterId: 3, friendPercent: 10 }],
  ]);
  const plan = planHour(
    [1, 2, 3].map((userId) => ({ userId, asset: 1, feeUnits: 1_000n })),
    ring,
  );
  expect(plan.map(({ receiverId, friendId, degree }) => [receiverId, friendId, degree])).toEqual([
    [2, 1, 1],
    [1, 2, 1],
  ]);
});

/** The same by another method: for each receiver, over all users they invited and all users those invited. */
function naive(
  fees: readonly { userId: number; asset: number; feeUnits: bigint }[],
  people: readonly (Friendship & { userId: number })[],
): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const pay = (receiver: number, asset: number, units: bigint): void => {
    if (units > 0n) sums.set(`${receiver}:${asset}`, (sums.get(`${receiver}:${asset}`) ?? 0n) + units);
  };
  for (const friend of people) {
    for (const fee of fees.filter(({ userId }) => userId === friend.userId)) {
      pay(friend.userId, fee.asset, (fee.feeUnits * BigInt(friend.friendPercent)) / 100n);
      pay(friend.inviterId, fee.asset, (fee.feeUnits * BigInt(20 - friend.friendPercent)) / 100n);
      const above = people.find(({ userId }) => userId === friend.inviterId);
      if (above !== undefined) pay(above.inviterId, fee.asset, (fee.feeUnits * 5n) / 100n);
    }
  }
  return sums;
}

test("[USR-4] a thousand hours agree with a naive computation and never give more than a quarter of the fee", () => {
  const random = createRandom(26);
  for (let round = 0; round < 1_000; round += 1) {
    // All were invited by an earlier user.
    const people = Array.from({ length: random.between(1, 12) }, (_, at) => ({
      userId: at + 2,
      inviterId: random.between(1, at + 1),
      friendPercent: random.between(0, 20),
    }));
    const fees = people.flatMap(({ userId }) =>
      random.chance(2, 3)
        ? [{ userId, asset: random.between(0, 3), feeUnits: BigInt(random.between(0, 1_000_000)) }]
        : [],
    );
    const friends = new Map(people.map(({ userId, ...friendship }) => [userId, friendship]));
    const sums = new Map<string, bigint>();
    let paid = 0n;
    for (const { receiverId, asset, rebateUnits } of planHour(fees, friends)) {
      const name = `${receiverId}:${asset}`;
      sums.set(name, (sums.get(name) ?? 0n) + rebateUnits);
      paid += rebateUnits;
    }
    expect([...sums].sort()).toEqual([...naive(fees, people)].sort());
    const charged = fees.reduce((sum, { feeUnits }) => sum + feeUnits, 0n);
    expect(paid * 4n <= charged).toBe(true);
  }
});

test("[USR-4] a friend at a device of a user who gains by it counts for nothing, nor does the second at one device", () => {
  expect(findVoid(new Set([5]), [5, 6], [])).toEqual({ reason: "self", through: [5] });
  expect(findVoid(new Set([6]), [5, 6], [])).toEqual({ reason: "self", through: [6] });
  expect(findVoid(new Set([8]), [5], [7, 8])).toEqual({ reason: "ring", through: [8] });
  expect(findVoid(new Set([9]), [5], [7, 8])).toBeUndefined();
});

test("[USR-4] weeks start on Monday, codes have no letters that look alike, names are hidden", () => {
  const monday = Date.UTC(2026, 10, 16);
  expect(new Date(monday).getUTCDay()).toBe(1);
  for (const offset of [0, 1, DAY_MS, 7 * DAY_MS - 1]) expect(weekOf(monday + offset)).toBe(monday);
  expect(weekOf(monday - 1)).toBe(monday - 7 * DAY_MS);
  expect(drawCode(() => 0)).toBe("22222222");
  expect([hideName("quentin9"), hideName("Ü"), hideName("")]).toEqual(["q•••••9", "Ü•••••", "••••••"]);
});

/** Accounts 10n to 10n + 9 are one person at one device; invitations are by account. */
function town(invitations: readonly (readonly [inviter: number, friend: number])[]) {
  const personOf = (userId: number): number => Math.floor(userId / 10);
  const everybody = [...new Set(invitations.flat())];
  const mates = (userId: number): number[] =>
    everybody.filter((one) => one !== userId && personOf(one) === personOf(userId));
  return (inviterId: number, userId: number) =>
    findRing(
      { userId, inviterId },
      {
        listInvitedBy: async (userIds) =>
          invitations.filter(([inviter]) => userIds.includes(inviter)).map(([, friend]) => friend),
        listSharing: async (userIds) => new Set(userIds.flatMap(mates).filter((one) => !userIds.includes(one))),
        sharesWith: async (one, among) => new Set(mates(one).filter((mate) => among.includes(mate))),
      },
    );
}

test("[USR-4] two or three users who invite each other's second accounts are a ring, whoever came first", async () => {
  const swap = town([
    [10, 21],
    [20, 11],
  ]);
  expect(await swap(10, 21)).toEqual({ reason: "ring", through: [11] });
  expect(await swap(20, 11)).toEqual({ reason: "ring", through: [21] });
  const three = town([
    [10, 21],
    [20, 31],
    [30, 11],
  ]);
  for (const [inviter, friend] of [
    [10, 21],
    [20, 31],
    [30, 11],
  ] as const)
    expect((await three(inviter, friend))?.reason).toBe("ring");
  // A chain is no ring, and neither are second accounts alone.
  const chain = town([
    [10, 21],
    [20, 31],
    [30, 41],
    [50, 11],
  ]);
  for (const [inviter, friend] of [
    [10, 21],
    [20, 31],
    [30, 41],
  ] as const)
    expect(await chain(inviter, friend)).toBeUndefined();
});
