// Holds with an end: the core decides who came first, the timer or the owner.
import { beforeEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, type Stage } from "../testing/stage.ts";

let stage: Stage;
let alice = 0;
let bob = 0;
beforeEach(() => {
  stage = createStage();
  alice = stage.trader(0, 1_000);
  bob = stage.trader();
});

function sure(command: Command): MachineEvent[] {
  const events = stage.send(command);
  expect(checkInvariants(stage.machine)).toEqual([]);
  return events;
}
const refusal = (command: Command): string | undefined => eventsOf(sure(command), "rejected")[0]?.code;
const place = (reference: string, units: number, expiresAt = 0): MachineEvent[] =>
  sure({ kind: "hold", account: alice, asset: stage.quote, business: "otcEscrow", units, reference, expiresAt });
const tick = (time: number): MachineEvent[] => {
  stage.time = time;
  return sure({ kind: "tick" });
};
let number = 0;
const fresh = (): string => `r${++number}`;
const capture = (hold: string, units: number): Command => ({
  kind: "capture",
  account: alice,
  business: "otcRelease",
  units,
  reference: fresh(),
  to: bob,
  hold,
});

describe("[LEDGER-23] a hold with an end", () => {
  it("gives what is left back on the first tick past its time, and says so once", () => {
    const end = stage.time + 1_000;
    place("h", 300, end);
    sure(capture("h", 100));
    expect(stage.machine.nextTimerAt).toBe(end);
    expect(eventsOf(tick(end - 1), "holdExpired")).toEqual([]);
    const events = tick(end);
    expect(eventsOf(events, "frozen")).toMatchObject([
      { account: alice, business: "otcEscrow", deltaUnits: -200, availableUnits: 900, frozenUnits: 0 },
    ]);
    expect(eventsOf(events, "holdExpired")).toMatchObject([
      { account: alice, business: "otcEscrow", asset: stage.quote, units: 200, hold: "h" },
    ]);
    expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
    expect(eventsOf(tick(end + 5), "holdExpired")).toEqual([]);
  });

  it("is over at its time even before a tick: nothing can be captured, extended or split any more", () => {
    const end = stage.time + 1_000;
    place("h", 300, end);
    stage.time = end;
    expect(refusal(capture("h", 1))).toBe("HOLD_EXPIRED");
    expect(refusal({ kind: "extendHold", account: alice, expiresAt: end + 9, reference: fresh(), hold: "h" })).toBe(
      "HOLD_EXPIRED",
    );
    expect(refusal({ kind: "splitHold", account: alice, units: 1, reference: fresh(), hold: "h", into: "i" })).toBe(
      "HOLD_EXPIRED",
    );
    tick(end);
    expect(refusal(capture("h", 1))).toBe("HOLD_EXPIRED");
    expect(refusal({ kind: "release", account: alice, reference: fresh(), hold: "h" })).toBe("INVALID_AMOUNT");
  });

  it("extended in time goes on; it never gets shorter, and 0 takes its end away", () => {
    const end = stage.time + 1_000;
    place("h", 300, end);
    const extend = (expiresAt: number) =>
      ({ kind: "extendHold", account: alice, expiresAt, reference: fresh(), hold: "h" }) as const;
    expect(refusal(extend(end - 1))).toBe("INVALID_EXPIRY");
    expect(refusal(extend(end + 500))).toBeUndefined();
    expect(eventsOf(tick(end), "holdExpired")).toEqual([]);
    expect(refusal(capture("h", 100))).toBeUndefined();
    expect(refusal(extend(0))).toBeUndefined();
    expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
    expect(eventsOf(tick(end + 90_000), "holdExpired")).toEqual([]);
    expect(refusal(extend(end + 100_000))).toBe("INVALID_EXPIRY");
    expect(refusal({ ...extend(0), account: bob })).toBe("UNKNOWN_HOLD");
  });

  it("that is used up has no end any more", () => {
    place("h", 300, stage.time + 1_000);
    sure(capture("h", 300));
    expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
    const extend = { kind: "extendHold", account: alice, expiresAt: 0, reference: fresh(), hold: "h" } as const;
    expect(eventsOf(sure(extend), "rejected")).toMatchObject([{ code: "HOLD_EXCEEDED", limit: 0 }]);
  });

  it("is not placed with an end that is over", () => {
    const hold = { kind: "hold", account: alice, asset: stage.quote, business: "otcEscrow", units: 1 } as const;
    expect(refusal({ ...hold, reference: "x", expiresAt: stage.time })).toBe("INVALID_EXPIRY");
    expect(refusal({ ...hold, reference: "x", expiresAt: -1 })).toBe("INVALID_EXPIRY");
  });

  it("many end in the order of their times, ties in the order they were placed", () => {
    const base = stage.time;
    const ends = [50, 10, 30, 10, 70, 20, 10, 60];
    for (const [i, after] of ends.entries()) place(`h${i}`, 10 + i, base + after);
    const expired = eventsOf(tick(base + 65), "holdExpired").map(({ hold }) => hold);
    expect(expired).toEqual(["h1", "h3", "h6", "h5", "h2", "h0", "h7"]);
    expect(stage.machine.nextTimerAt).toBe(base + 70);
  });
});

describe("[LEDGER-24] a split hold", () => {
  it("is two holds with one end, each captured on its own", () => {
    const end = stage.time + 1_000;
    place("h", 300, end);
    const split = { kind: "splitHold", account: alice, units: 120, reference: "s", hold: "h", into: "part" } as const;
    expect(refusal(split)).toBeUndefined();
    expect(eventsOf(sure(split), "repeated")).toHaveLength(1);
    expect(refusal({ ...split, into: "other" })).toBe("REFERENCE_REUSED");
    expect(refusal({ ...split, reference: fresh() })).toBe("REFERENCE_REUSED");
    expect(refusal(capture("part", 121))).toBe("HOLD_EXCEEDED");
    expect(refusal(capture("part", 120))).toBeUndefined();
    expect(refusal(capture("h", 181))).toBe("HOLD_EXCEEDED");
    expect(eventsOf(tick(end), "holdExpired")).toMatchObject([{ hold: "h", units: 180 }]);
  });

  it("may be the whole; more than is left, a bad name and another's hold are refused", () => {
    place("h", 300);
    const split = { kind: "splitHold", account: alice, units: 300, hold: "h", into: "all" } as const;
    expect(refusal({ ...split, reference: fresh(), units: 301 })).toBe("HOLD_EXCEEDED");
    expect(refusal({ ...split, reference: fresh(), into: "" })).toBe("INVALID_REFERENCE");
    expect(refusal({ ...split, reference: fresh(), account: bob })).toBe("UNKNOWN_HOLD");
    expect(refusal({ ...split, reference: fresh() })).toBeUndefined();
    expect(refusal(capture("h", 1))).toBe("HOLD_EXCEEDED");
    expect(refusal(capture("all", 300))).toBeUndefined();
  });
});

it("[MACHINE-4] holds and their ends come through a snapshot and a replay", () => {
  const end = stage.time + 1_000;
  place("a", 100, end);
  place("b", 100, end + 5);
  sure({ kind: "splitHold", account: alice, units: 40, reference: "s", hold: "a", into: "c" });
  const cut = stage.journal.length;
  tick(end);
  tick(end + 5);
  const hash = stage.machine.stateHash();
  const journal = [...stage.journal];
  stage.machine.restore();
  for (const bytes of journal.slice(0, cut)) stage.machine.apply(bytes, 0);
  stage.machine.restore(stage.machine.snapshot());
  expect(stage.machine.nextTimerAt).toBe(end);
  for (const bytes of journal.slice(cut)) stage.machine.apply(bytes, 0);
  expect(stage.machine.stateHash()).toBe(hash);
});
