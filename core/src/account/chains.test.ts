// Holds and restrictions beside plain lists of them: made, lifted and ended in any order, and what legs of one settlement
// take from each.
import { createRandom } from "@clockwork/kit/random";
import { beforeEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { coreOf } from "../machine/machine.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { EXTERNAL_ACCOUNT, HOUSE_BOOKS } from "../protocol/names.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, type Stage } from "../testing/stage.ts";

const USER = 7;
let stage: Stage;
let alice = 0;
let bob = 0;
let number = 0;
beforeEach(() => {
  stage = createStage();
  alice = stage.trader(1_000, 100_000, { user: USER });
  bob = stage.trader();
});

function sure(command: Command): MachineEvent[] {
  const events = stage.send(command);
  expect(checkInvariants(stage.machine)).toEqual([]);
  return events;
}
const fresh = (): string => `r${++number}`;
const refusal = (command: Command): string | undefined => eventsOf(sure(command), "rejected")[0]?.code;
const hold = (reference: string, units: number, expiresAt = 0): MachineEvent[] =>
  sure({ kind: "hold", account: alice, asset: stage.quote, business: "otcEscrow", units, reference, expiresAt });

describe("[LEDGER-23] holds", () => {
  it("are captured to an account there is, not to oneself, not to bonus, and by whole units", () => {
    hold("h", 100);
    const made = stage.send({ kind: "createAccount", user: 77, book: "bonus" });
    const bonus = eventsOf(made, "accountCreated")[0]?.account ?? 0;
    const capture = { kind: "capture", account: alice, business: "otcRelease", hold: "h", to: bob, units: 10 } as const;
    const codes = [
      { to: 9_999 },
      { to: HOUSE_BOOKS.length },
      { to: alice },
      { to: bonus },
      { units: 0 },
      { units: -5 },
      {},
    ].map((one) => refusal({ ...capture, ...one, reference: fresh() }));
    expect(codes).toEqual([
      ...["UNKNOWN_ACCOUNT", "UNKNOWN_ACCOUNT", "NOT_TRANSFERABLE", "NOT_TRANSFERABLE"],
      ...["INVALID_AMOUNT", "INVALID_AMOUNT", undefined],
    ]);
  });

  it("are split by whole units and may keep their end", () => {
    const end = stage.time + 1_000;
    hold("h", 100, end);
    const split = { kind: "splitHold", account: alice, hold: "h", into: "i" } as const;
    expect(refusal({ ...split, units: 0, reference: fresh() })).toBe("INVALID_AMOUNT");
    const extend = { kind: "extendHold", account: alice, hold: "h" } as const;
    expect(refusal({ ...extend, expiresAt: end - 1, reference: fresh() })).toBe("INVALID_EXPIRY");
    expect(refusal({ ...extend, expiresAt: end, reference: fresh() })).toBeUndefined();
  });

  it("keep their name and what was said of them though their name is the first of all", () => {
    stage = createStage();
    const carol = stage.trader(0, 1_000, { user: USER });
    stage.time += 1;
    sure({ kind: "restrict", user: USER, units: 600, reference: fresh() });
    // The name of the first deposit is forgotten, and its place is the next that is taken.
    stage.time += coreOf(stage.machine).rules.referenceRetentionMs - 1;
    const money = { account: carol, asset: stage.quote, business: "withdrawal", outgoing: true } as const;
    expect(refusal({ kind: "hold", ...money, units: 400, reference: "h" })).toBeUndefined();
    const split = { kind: "splitHold", account: carol, units: 1, hold: "h", into: "h" } as const;
    expect(refusal({ ...split, reference: fresh() })).toBe("REFERENCE_REUSED");
    const legs = [{ from: carol, to: EXTERNAL_ACCOUNT, asset: stage.quote, units: 400, hold: "h" }];
    expect(refusal({ kind: "settle", outgoing: true, reference: fresh(), legs })).toBeUndefined();
  });

  it("are known by name as long as a reference is, and may begin anew after that", () => {
    const { referenceRetentionMs } = coreOf(stage.machine).rules;
    const taken = { kind: "capture", account: alice, business: "otcRelease", hold: "h", to: bob, units: 1 } as const;
    const capture = (): string | undefined => refusal({ ...taken, reference: fresh() });
    const spend = (): MachineEvent[] => sure({ kind: "release", account: alice, hold: "h", reference: fresh() });
    for (const isOver of [false, true]) {
      stage = createStage();
      alice = stage.trader(1_000, 100_000);
      bob = stage.trader();
      const begin = stage.time;
      hold("h", 10, isOver ? begin + 5 : 0);
      if (isOver) {
        stage.time += 5;
        sure({ kind: "tick" });
      } else spend();
      stage.time = begin + referenceRetentionMs - 1;
      expect(capture()).toBe(isOver ? "HOLD_EXPIRED" : "HOLD_EXCEEDED");
      stage.time = begin + referenceRetentionMs;
      // The two oldest of all, the deposits, are forgotten first: this one is still there, and counts no more.
      if (!isOver) expect(capture()).toBe("UNKNOWN_HOLD");
      expect(eventsOf(hold("h", 10), "frozen")).toHaveLength(1);
      spend();
      expect(capture()).toBe("HOLD_EXCEEDED");
    }
  });

  it("give their records back", () => {
    const { holds } = coreOf(stage.machine);
    for (let i = 0; i < 30; i++) {
      hold(`a${i}`, 10);
      hold(`b${i}`, 10);
      for (const name of [`a${i}`, `b${i}`])
        sure({ kind: "release", account: alice, hold: name, reference: fresh(), units: 0 });
    }
    expect([...holds.of(alice)]).toEqual([]);
    expect(holds.table.count).toBeLessThan(6);
  });
});

describe("[LEDGER-25] legs of one settlement", () => {
  const leg = (more: object): object => ({ from: alice, to: bob, asset: stage.quote, business: "transfer", ...more });
  const settle = (...legs: object[]) =>
    eventsOf(sure({ kind: "settle", reference: fresh(), legs } as Command), "rejected").map(({ code, limit, item }) => [
      ...[code, limit, item],
    ]);

  it("take from their own hold and from no other", () => {
    hold("h", 100);
    hold("i", 100);
    expect(settle(leg({ hold: "h", units: 80 }), leg({ hold: "i", units: 80 }))).toEqual([]);
    expect(settle(leg({ hold: "h", units: 15 }), leg({ hold: "h", units: 6 }))).toEqual([["HOLD_EXCEEDED", 5, 1]]);
  });

  it("take from their own asset and from no other; the refusal never names less than nothing", () => {
    expect(settle(leg({ asset: stage.base, units: 900 }), leg({ units: 99_500 }))).toEqual([]);
    expect(settle(leg({ units: 500 }), leg({ units: 1 }))).toEqual([["INSUFFICIENT_BALANCE", 0, 1]]);
  });
});

describe("[LEDGER-26] restrictions", () => {
  const restrict = (units: number, reference: string): Command => ({ kind: "restrict", user: USER, units, reference });

  it("sum up to what a list of them says, lifted in any order, and give their records back", () => {
    const random = createRandom(3);
    const open = new Map<string, number>();
    const sum = (): number => [...open.values()].reduce((all, one) => all + one, 0);
    for (let step = 0; step < 150; step++) {
      if (open.size === 0 || (open.size < 6 && random.chance(1, 2))) {
        const [name, units] = [fresh(), random.between(1, 50)];
        open.set(name, units);
        expect(eventsOf(sure(restrict(units, name)), "restricted")[0]?.totalUnits).toBe(sum());
      } else {
        const name = random.pick([...open.keys()]);
        const units = random.pick([0, 1, open.get(name) ?? 0]);
        const left = units === 0 ? 0 : (open.get(name) ?? 0) - units;
        if (left === 0) open.delete(name);
        else open.set(name, left);
        const events = sure({ kind: "unrestrict", units, reference: fresh(), restriction: name });
        expect([step, eventsOf(events, "restrictionEnded")[0]?.totalUnits]).toEqual([step, sum()]);
      }
    }
    expect(coreOf(stage.machine).restrictions.table.count).toBeLessThan(9);
  });

  it("keep their name though it is the first of all", () => {
    stage = createStage();
    sure(restrict(1, "first"));
    stage.time += coreOf(stage.machine).rules.referenceRetentionMs + 1;
    expect(refusal(restrict(2, "first"))).toBe("REFERENCE_REUSED");
  });

  it("of one unit hold; their name is taken while they last, however long ago it was given", () => {
    sure(restrict(1, "one"));
    const burn = { kind: "burn", account: alice, asset: stage.quote, business: "withdrawal", outgoing: true } as const;
    sure({ kind: "burn", account: alice, asset: stage.base, units: 1_000, business: "withdrawal", reference: fresh() });
    expect(refusal({ ...burn, units: 100_000, reference: fresh() })).toBe("RESTRICTED");
    stage.time += coreOf(stage.machine).rules.referenceRetentionMs + 1;
    expect(refusal(restrict(5, "one"))).toBe("REFERENCE_REUSED");
    expect(refusal({ ...burn, units: 99_999, reference: fresh() })).toBeUndefined();
    sure({ kind: "unrestrict", reference: fresh(), restriction: "one" });
    expect(refusal(restrict(5, "one"))).toBeUndefined();
  });
});
