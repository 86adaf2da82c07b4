// Fee coupons under a process that is killed repeatedly: the fees returned equal a naive computation, once, out of the
// treasury, and rebates use the same amount for each hour.
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { coreOf } from "@clockwork/core/machine/machine";
import { eventsOf } from "@clockwork/core/testing/driver";
import { createStage } from "@clockwork/core/testing/stage";
import { toCoreUnits, units } from "@clockwork/kit/money";
import { createRandom } from "@clockwork/kit/random";
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import { finishDespiteKills } from "@clockwork/server/kill-fixture";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forDatabase, type TestDatabase } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import { FeeService } from "./fee-service.ts";
import type { PaidFee, RewardNeeds } from "./needs.ts";
import { type FeeCouponRow, rewardStore } from "./store.ts";

const START_MS = Date.UTC(2026, 2, 2);
const HOURS = 60;
const PEOPLE = [1, 2, 3];
const FUNDS = 10 ** 9;
/** Fewer than there are, so that a turn never sees all. */
const PAGE = 3;

interface Fee extends PaidFee {
  readonly userId: number;
}

const coupon = (userId: number, faceUnits: bigint): FeeCouponRow => ({
  coupon_id: `c${userId}`,
  user_id: userId,
  biz: "spot",
  ratio_bps: 3_300,
  face_units: faceUnits,
  paid_units: 0n,
  pending_units: 0n,
  turn: 0,
  cursor_sequence: 0,
  state: "OPEN",
  issued_ms: START_MS + 5 * HOUR_MS,
  expires_ms: START_MS + 50 * HOUR_MS,
});

/** Fee by fee in their order, until the coupon is used up. */
function compute({ user_id, face_units, issued_ms, expires_ms }: FeeCouponRow, fees: readonly Fee[]) {
  const hours = new Map<number, bigint>();
  let paid = 0n;
  for (const fee of fees) {
    if (fee.userId !== user_id || fee.timeMs < issued_ms || fee.timeMs >= expires_ms) continue;
    const share = (fee.worthUnits * 33n) / 100n;
    const back = paid + share > face_units ? face_units - paid : share;
    if (back === 0n) continue;
    paid += back;
    const hour = Math.floor(fee.timeMs / HOUR_MS);
    // The rest of the fee rounds down.
    hours.set(hour, (hours.get(hour) ?? 0n) + (fee.feeUnits * back + fee.worthUnits - 1n) / fee.worthUnits);
  }
  return { paid, hours };
}

async function openTown(given: TestDatabase, random: ReturnType<typeof createRandom>) {
  const root = new URL("../../../..", import.meta.url).pathname;
  await migrate(
    given.database(),
    collectMigrations(root).filter(({ name }) => /^(claimants|rewards)\//.test(name)),
  );
  const stage = createStage();
  const treasury = stage.trader(0, FUNDS);
  const accounts = new Map(PEOPLE.map((user) => [user, stage.trader()]));
  const { ledger } = coreOf(stage.machine);
  const store = rewardStore(given.database().kysely);
  const fees: Fee[] = [];
  const needs: Partial<RewardNeeds> = {
    listFees: async (userId, biz, after, fromMs, toMs) =>
      fees
        .filter((fee) => biz === "spot" && fee.userId === userId && fee.sequence > after)
        .filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
        .slice(0, PAGE),
    async payFees(userId, amount, reference) {
      if (random.chance(1, 8)) return "later";
      const leg = { from: treasury, to: accounts.get(userId) ?? 0, asset: stage.quote };
      const events = stage.send({ kind: "settle", reference, legs: [{ ...leg, units: toCoreUnits(units(amount)) }] });
      return eventsOf(events, "rejected").length === 0 ? "done" : { code: "REFUSED" };
    },
    changed: () => undefined,
    notify: async () => undefined,
    report: () => undefined,
  };
  let kills = 0;
  return {
    stage,
    store,
    fees,
    kills: () => kills,
    holds: (account: number): number => ledger.available(ledger.cellIndex.find(account, stage.quote)),
    treasury,
    accounts,
    async finish(job: (service: FeeService) => Promise<void>): Promise<void> {
      kills += await finishDespiteKills(random, (life) =>
        job(new FeeService({ store: life.guard(store), needs: life.guard(needs as RewardNeeds) })),
      );
    },
  };
}

/** While the ledger does not answer, an hour waits. */
const untilAnswered = async (settle: () => Promise<void>): Promise<void> => {
  for (;;) {
    const failure = await settle().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    if (!(failure instanceof Error && failure.message.endsWith("cannot be paid now"))) throw failure;
  }
};

forDatabase("sqlite", "fee coupons", (given) => {
  test("[USR-5] return fees to the unit and once, however often the process is killed", async () => {
    const random = createRandom(5);
    const town = await openTown(given, random);
    const { store, fees } = town;
    // The first two are used up, the third is not.
    const coupons = [coupon(1, 900n), coupon(2, 5_001n), coupon(3, 10n ** 8n)];
    for (const row of coupons) await store.addFeeCoupon(row);
    for (let hour = 0; hour < HOURS; hour += 1) {
      for (let turn = random.below(8); turn > 0; turn -= 1) {
        const timeMs = START_MS + hour * HOUR_MS + random.below(HOUR_MS);
        const feeUnits = BigInt(random.between(1, 900));
        const worthUnits = feeUnits * BigInt(random.between(1, 3));
        fees.push({ userId: random.pick(PEOPLE), sequence: fees.length + 1, timeMs, asset: 7, feeUnits, worthUnits });
      }
      const endMs = START_MS + (hour + 1) * HOUR_MS;
      for (const user of PEOPLE) if (random.chance(1, 2)) await town.finish((service) => service.run(user, endMs));
      await town.finish((service) => untilAnswered(() => service.settleBefore(PEOPLE, endMs)));
      // The input of an hour's rebates is complete when they are computed.
      const answer = await store.listFeesBack(Math.floor(endMs / HOUR_MS) - 1);
      for (const row of coupons) {
        const expected = compute(row, fees).hours.get(Math.floor(endMs / HOUR_MS) - 1);
        expect(answer.find(({ user_id }) => user_id === row.user_id)?.back_units).toBe(expected);
      }
    }
    for (let turn = 0; turn < 40; turn += 1) {
      await town.finish((service) => service.resume(START_MS + HOURS * HOUR_MS + DAY_MS));
    }
    const paid = coupons.map((row) => compute(row, fees).paid);
    const rows = await Promise.all(coupons.map((row) => store.findFeeCoupon(row.coupon_id)));
    expect(rows.map((row) => [row?.state, row?.paid_units, row?.pending_units])).toEqual([
      ["USED", 900n, 0n],
      ["USED", 5_001n, 0n],
      [expect.stringMatching(/^(?!OPEN)/), paid[2], 0n],
    ]);
    expect([...town.accounts.values()].map((account) => BigInt(town.holds(account)))).toEqual(paid);
    expect(BigInt(FUNDS - town.holds(town.treasury))).toBe(paid.reduce((sum, one) => sum + one, 0n));
    expect(checkInvariants(town.stage.machine)).toEqual([]);
    expect(town.kills()).toBeGreaterThan(5);
  }, 60_000);
});
