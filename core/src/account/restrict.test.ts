// Restrictions: so much of a user's worth must stay, over all assets and books, until a time or until lifted.
import { beforeEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { readRestriction } from "../inspect/restrictions.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { EXTERNAL_ACCOUNT } from "../protocol/names.ts";
import { eventsOf } from "../testing/driver.ts";
import { createPerpStage } from "../testing/perp-stage.ts";
import { createStage, type Stage } from "../testing/stage.ts";

const USER = 7;
const OTHER = 8;
let stage: Stage;
let alice = 0;
let bob = 0;
beforeEach(() => {
  stage = createStage();
  alice = stage.trader(0, 1_000, { user: USER });
  bob = stage.trader(0, 1_000, { user: OTHER });
});

function sure(command: Command): MachineEvent[] {
  const events = stage.send(command);
  expect(checkInvariants(stage.machine)).toEqual([]);
  return events;
}
let number = 0;
const fresh = (): string => `r${++number}`;
const refusal = (command: Command): [string, number] | undefined => {
  const [rejected] = eventsOf(sure(command), "rejected");
  return rejected === undefined ? undefined : [rejected.code, rejected.limit];
};
const restrict = (units: number, reference: string, until = 0): MachineEvent[] =>
  sure({ kind: "restrict", user: USER, units, reference, until });
const send = (units: number, more: object = {}): Command => ({
  kind: "transfer",
  account: alice,
  to: bob,
  asset: stage.quote,
  units,
  outgoing: true,
  reference: fresh(),
  ...more,
});

describe("[LEDGER-26] a restricted user", () => {
  it("sends away no more than lies above what must stay; the refusal says how much may leave", () => {
    expect(eventsOf(restrict(600, "t1"), "restricted")).toMatchObject([
      { user: USER, units: 600, totalUnits: 600, until: 0 },
    ]);
    expect(refusal(send(401))).toEqual(["RESTRICTED", 400]);
    expect(refusal(send(300))).toBeUndefined();
    expect(refusal(send(101))).toEqual(["RESTRICTED", 100]);
    expect(readRestriction(stage.machine, USER)).toEqual({ worthUnits: 700n, restrictedUnits: 600n, freeUnits: 100n });
    const burn = { kind: "burn", account: alice, asset: stage.quote, business: "withdrawal" } as const;
    expect(refusal({ ...burn, outgoing: true, units: 101, reference: fresh() })).toEqual(["RESTRICTED", 100]);
    expect(refusal({ ...burn, outgoing: true, units: 100, reference: fresh() })).toBeUndefined();
  });

  it("is asked only by what says that money goes out, and never for the user's own accounts", () => {
    restrict(1_000, "t1");
    const own = stage.trader(0, 0, { user: USER, sub: 1 });
    expect(refusal(send(10, { to: own }))).toBeUndefined();
    expect(refusal(send(10, { outgoing: false }))).toBeUndefined();
    const order = { kind: "placeOrder", account: alice, market: stage.market, side: "buy" } as const;
    expect(refusal({ ...order, price: 100, quantity: 1 })).toBeUndefined();
    // Others are free.
    expect(refusal({ ...send(1_000), account: bob, to: alice } as Command)).toBeUndefined();
  });

  it("has what is held to leave counted once: two withdrawals cannot share what is free", () => {
    restrict(600, "t1");
    const hold = { kind: "hold", account: alice, asset: stage.quote, business: "withdrawal", outgoing: true } as const;
    expect(refusal({ ...hold, units: 300, reference: "w1" })).toBeUndefined();
    expect(refusal({ ...hold, units: 101, reference: "w2" })).toEqual(["RESTRICTED", 100]);
    sure({ kind: "splitHold", account: alice, units: 100, reference: fresh(), hold: "w1", into: "w3" });
    expect(refusal({ ...hold, units: 101, reference: "w2" })).toEqual(["RESTRICTED", 100]);
    // What was let out by its hold is not asked again when it leaves.
    const leg = { from: alice, to: EXTERNAL_ACCOUNT, asset: stage.quote, units: 200, hold: "w1" };
    expect(refusal({ kind: "settle", outgoing: true, reference: fresh(), legs: [leg] })).toBeUndefined();
    sure({ kind: "release", account: alice, reference: fresh(), hold: "w3" });
    expect(refusal({ ...hold, units: 201, reference: "w2" })).toEqual(["RESTRICTED", 200]);
  });

  it("settles legs together within what is free", () => {
    restrict(600, "t1");
    const leg = (units: number) => ({ from: alice, to: bob, asset: stage.quote, units });
    const settle = (...units: number[]): Command => ({
      kind: "settle",
      outgoing: true,
      reference: fresh(),
      legs: units.map(leg),
    });
    expect(refusal(settle(250, 151))).toEqual(["RESTRICTED", 150]);
    expect(refusal(settle(250, 150))).toBeUndefined();
    // A hold that was not placed to leave is asked for when it does.
    sure({ kind: "hold", account: alice, asset: stage.quote, business: "otcEscrow", units: 100, reference: "h" });
    const held = { ...leg(1), hold: "h" };
    expect(refusal({ kind: "settle", outgoing: true, reference: fresh(), legs: [held] })).toEqual(["RESTRICTED", 0]);
  });

  it("counts every asset and book at the average of its market, its index where one is set", () => {
    const rich = stage.trader(2_000, 0, { user: USER, book: "funding" });
    // No price yet: two lots of BTC count for nothing and cannot leave.
    restrict(500, "t1");
    const coin = { account: rich, asset: stage.base };
    expect(refusal(send(1, coin))).toEqual(["NO_REFERENCE_PRICE", 0]);
    expect(refusal(send(501))).toEqual(["RESTRICTED", 500]);
    const seller = stage.trader(10_000, 0);
    const trade = { kind: "placeOrder", market: stage.market, quantity: 1, price: 300 } as const;
    sure({ ...trade, account: seller, side: "sell" });
    sure({ ...trade, account: bob, side: "buy" });
    // One lot of 1 000 units at 300: two lots are worth 600.
    expect(readRestriction(stage.machine, USER).worthUnits).toBe(1_600n);
    expect(refusal(send(2_000, coin))).toBeUndefined();
    sure({ kind: "transfer", account: bob, to: rich, asset: stage.base, units: 1, reference: fresh() });
    sure({ kind: "setReferencePrice", market: stage.market, indexTicks: 1_000_000 });
    expect(readRestriction(stage.machine, USER).worthUnits).toBe(2_000n);
    // What leaves is rounded up: one unit at 1 000 000 a lot is 1 000.
    expect(refusal(send(1, coin))).toBeUndefined();
  });

  it("is free at the end of the time, told by a tick or not", () => {
    const until = stage.time + 1_000;
    restrict(600, "t1", until);
    restrict(100, "t2");
    expect(stage.machine.nextTimerAt).toBe(until);
    expect(refusal(send(301))).toEqual(["RESTRICTED", 300]);
    stage.time = until;
    expect(refusal(send(301))).toBeUndefined();
    const events = sure({ kind: "tick" });
    expect(eventsOf(events, "restrictionEnded")).toMatchObject([
      { reason: "expired", user: USER, units: 600, totalUnits: 100 },
    ]);
    expect(eventsOf(events, "reference")).toMatchObject([{ reference: "t1" }]);
    expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
  });

  it("is lifted by reference, in part or whole, once", () => {
    restrict(600, "t1");
    const lift = (units: number, reference: string, restriction = "t1"): Command => ({
      kind: "unrestrict",
      units,
      reference,
      restriction,
    });
    expect(refusal(lift(601, "u0"))).toEqual(["INVALID_AMOUNT", 600]);
    const events = sure(lift(200, "u1"));
    expect(eventsOf(events, "restrictionEnded")).toMatchObject([{ reason: "lifted", units: 200, totalUnits: 400 }]);
    expect(eventsOf(events, "reference").map(({ reference }) => reference)).toEqual(["t1", "u1"]);
    expect(eventsOf(sure(lift(200, "u1")), "repeated")).toHaveLength(1);
    expect(refusal(lift(0, "u2"))).toBeUndefined();
    expect(refusal(lift(0, "u3"))).toEqual(["UNKNOWN_RESTRICTION", 0]);
    expect(refusal(send(1_000))).toBeUndefined();
  });

  it("is refused what makes no sense, and knows a repeat", () => {
    const bad = (more: object) => refusal({ kind: "restrict", user: USER, units: 5, reference: "x", ...more })?.[0];
    expect(bad({ user: 0 })).toBe("MALFORMED_COMMAND");
    expect(bad({ units: 0 })).toBe("INVALID_AMOUNT");
    expect(bad({ until: stage.time })).toBe("INVALID_EXPIRY");
    expect(bad({ reference: "" })).toBe("INVALID_REFERENCE");
    restrict(5, "x");
    expect(eventsOf(restrict(5, "x"), "repeated")).toHaveLength(1);
    expect(bad({ units: 6 })).toBe("REFERENCE_REUSED");
    expect(bad({ units: Number.MAX_SAFE_INTEGER, reference: "y" })).toBe("INVALID_AMOUNT");
  });

  it("loses with open positions, at the contract's index", () => {
    const perps = createPerpStage();
    const [long, short] = [perps.trader(20_000_000_000, { user: USER }), perps.trader(20_000_000_000, { user: OTHER })];
    perps.sell(short, 1_000, 500_000);
    perps.buy(long, 1_000, 500_000);
    const before = readRestriction(perps.machine, USER).worthUnits;
    const { available, frozen } = perps.balance(long);
    expect(before).toBe(BigInt(available + frozen));
    perps.mark(perps.linear, 495_000);
    // One coin, 500 USDT lower.
    expect(before - readRestriction(perps.machine, USER).worthUnits).toBe(500_000_000n);
    perps.mark(perps.linear, 505_000);
    expect(readRestriction(perps.machine, USER).worthUnits).toBe(before);
    const coins = perps.trader(100_000_000, { inverse: true, user: USER });
    expect(coins).toBeGreaterThan(0);
    perps.sure({ kind: "setReferencePrice", market: perps.linear, indexTicks: 600_000 });
    expect(readRestriction(perps.machine, USER).worthUnits - before).toBe(60_000_000_000n);
  });
});

it("[LEDGER-26] a bonus is not the user's own worth", () => {
  const perps = createPerpStage();
  perps.fundTreasury(1_000_000);
  const account = perps.trader(5_000_000, { user: USER });
  const grant = { kind: "grantBonus", account, asset: perps.usdt, units: 1_000_000, reference: "g" } as const;
  const events = perps.sure({ ...grant, expiresAt: perps.time + 10_000 });
  expect(eventsOf(events, "posting")).toHaveLength(2);
  expect(readRestriction(perps.machine, USER).worthUnits).toBe(5_000_000n);
});

it("[MACHINE-4] restrictions come through a snapshot and a replay, and reading them changes nothing", () => {
  const until = stage.time + 1_000;
  restrict(600, "t1", until);
  restrict(100, "t2");
  const hash = stage.machine.stateHash();
  readRestriction(stage.machine, USER);
  expect(stage.machine.stateHash()).toBe(hash);
  stage.machine.restore(stage.machine.snapshot());
  expect(stage.machine.nextTimerAt).toBe(until);
  expect(refusal(send(301))).toEqual(["RESTRICTED", 300]);
  stage.time = until;
  sure({ kind: "tick" });
  const end = stage.machine.stateHash();
  const journal = [...stage.journal];
  stage.machine.restore();
  for (const bytes of journal) stage.machine.apply(bytes, 0);
  expect(stage.machine.stateHash()).toBe(end);
});

it("[LEDGER-26] what a bonus bears of a loss is not taken from what else the user has", () => {
  const perps = createPerpStage();
  perps.fundTreasury(1_000_000_000);
  const [long, short] = [perps.trader(1_000_000_000, { user: USER }), perps.trader(20_000_000_000)];
  const grant = { kind: "grantBonus", account: long, asset: perps.usdt, reference: "g" } as const;
  perps.sure({ ...grant, units: 1_000_000_000, ratioBps: 10_000, expiresAt: perps.time + 1_000_000 });
  const made = eventsOf(perps.sure({ kind: "createAccount", user: USER, book: "funding" }), "accountCreated");
  const money = { asset: perps.usdt, units: 500_000_000, business: "deposit", reference: "f" } as const;
  perps.sure({ kind: "mint", account: made[0]?.account ?? 0, ...money });
  perps.sell(short, 100, 500_000);
  perps.buy(long, 100, 500_000);
  // Of 0.1 coins at 12 000 less: more than the user's own thousand.
  perps.mark(perps.linear, 380_000);
  expect(perps.held(long)).toHaveLength(1);
  expect(readRestriction(perps.machine, USER).worthUnits).toBe(500_000_000n);
});
