import { describe, expect, it } from "vitest";
import { coreOf, createMachine, restoreMachine } from "../machine/machine.ts";
import { RULES, type Rules } from "../protocol/rules.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, type Stage } from "../testing/stage.ts";

const DAY_MS = 86_400_000;
/** A reference is forgotten after as many days as the number says. */
const byDays = (...numbers: readonly number[]): readonly Rules[] =>
  numbers.map((number) => ({ number, referenceRetentionMs: number * DAY_MS }));

const open = (rules: readonly Rules[]): Stage => createStage({}, createMachine({ rules, fastPathsAfter: 0 }));

/** Whether a reference of so many days ago is still known. */
const isKnownAfter = (stage: Stage, account: number, days: number): boolean => {
  const reference = `at:${stage.machine.sequence}`;
  const mint = { kind: "mint", account, asset: stage.quote, business: "deposit", units: 5, reference } as const;
  stage.send(mint);
  stage.time += days * DAY_MS - 1;
  const events = stage.send(mint);
  expect(eventsOf(events, "rejected")).toEqual([]);
  return eventsOf(events, "repeated").length === 1;
};

describe("[RULES-1] numbered rules", () => {
  it("decide from the command on that sets them, and a replay decides each command by those then in force", () => {
    const stage = open(byDays(1, 2, 3));
    const account = stage.trader();
    expect([isKnownAfter(stage, account, 1), isKnownAfter(stage, account, 2)]).toEqual([true, false]);
    stage.send({ kind: "setRules", rules: 3 });
    expect([isKnownAfter(stage, account, 3), isKnownAfter(stage, account, 4)]).toEqual([true, false]);
    expect(stage.machine.rules).toBe(3);
    const replay = createMachine({ rules: byDays(1, 2, 3, 4, 5) });
    for (const bytes of stage.journal) replay.apply(bytes, 0);
    expect(replay.stateHash()).toBe(stage.machine.stateHash());
  });

  it("survive a snapshot and an emptied machine, fast paths included", () => {
    const stage = open(byDays(1, 2));
    const account = stage.trader();
    stage.send({ kind: "setRules", rules: 2 });
    const restored = restoreMachine(stage.machine.snapshot(), { rules: byDays(1, 2) });
    expect([restored.rules, restored.stateHash()]).toEqual([2, stage.machine.stateHash()]);
    expect(coreOf(restored).rules.referenceRetentionMs).toBe(2 * DAY_MS);
    expect(isKnownAfter(stage, account, 2)).toBe(true);
    stage.machine.restore();
    expect([stage.machine.rules, coreOf(stage.machine).rules.number]).toEqual([0, 1]);
    for (const bytes of stage.journal) stage.machine.apply(bytes, 0);
    expect(coreOf(stage.machine).rules.number).toBe(2);
  });

  it("only grow: the number in force and lower ones are refused and change nothing", () => {
    const stage = open(byDays(1, 2));
    stage.send({ kind: "setRules", rules: 2 });
    const globals = coreOf(stage.machine).rulesTable.i32.slice(0, 4);
    for (const rules of [2, 1, 0, -7])
      expect(eventsOf(stage.send({ kind: "setRules", rules }), "rejected")).toMatchObject([
        { code: "MALFORMED_COMMAND", command: "setRules" },
      ]);
    expect(coreOf(stage.machine).rulesTable.i32.slice(0, 4)).toEqual(globals);
  });

  it("that are not known stop the machine, in a command and in a snapshot", () => {
    const stage = open(byDays(1, 2));
    stage.send({ kind: "setRules", rules: 2 });
    expect(() => stage.send({ kind: "setRules", rules: 3 })).toThrow(
      "RULES-1: rules 3 are not known to this release, which knows 1, 2",
    );
    const parts = createStage({}, createMachine({ rules: byDays(2, 3) })).machine.snapshot();
    // A journal before its first number is decided by rules 1, which this release has dropped.
    expect(() => restoreMachine(parts, { rules: byDays(2, 3) })).toThrow("RULES-1: rules 1 are not known");
    expect(() => restoreMachine(open(byDays(1)).machine.snapshot(), { rules: byDays(2, 3) })).toThrow("RULES-1");
  });

  it("leave no trace in a journal that never sets them", () => {
    const [plain, set] = [open(RULES), open(RULES)];
    expect(plain.machine.stateHash()).toBe(createStage().machine.stateHash());
    set.send({ kind: "setRules", rules: 1 });
    plain.send({ kind: "tick" });
    expect(set.machine.stateHash()).not.toBe(plain.machine.stateHash());
  });

  it("have ascending numbers and the same members in the same order, which a reading of one relies on", () => {
    const [first] = RULES;
    expect(RULES.map(({ number }) => number)).toEqual(RULES.map((_, at) => (first?.number ?? 0) + at));
    for (const rules of RULES) expect(Object.keys(rules)).toEqual(Object.keys(first ?? {}));
  });
});
