// Checks the way back to the present on one thread: from which snapshot, by which release, up to which command, with which
// events, and what it refuses because commands are missing. The thread that reads ahead is in read-ahead.test.ts.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RuleViolation } from "@clockwork/kit/assert";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileJournal } from "../journal/file-journal.ts";
import { localFiles } from "../journal/files.ts";
import { faultOf, fillOrders, ScratchJournal, SMALL_SEGMENT_BYTES } from "../journal/journal-fixture.ts";
import { decodeSegmentHeader, encodeSegmentHeader } from "../journal/journal-format.ts";
import { listSegments } from "../journal/segments.ts";
import { testFactory } from "../threads/test-machine.ts";
import {
  checkJournalThere,
  checkSnapshotsBehind,
  type RecoveryOptions,
  type RecoveryStep,
  recover,
  recoverInSteps,
} from "./recovery.ts";
import { checkFolder } from "./releases.ts";
import { scrubSegments } from "./scrub.ts";
import { writeSnapshot } from "./snapshots.ts";

let scratch = new ScratchJournal();
let snapshots = "";
beforeEach(() => {
  scratch = new ScratchJournal();
  snapshots = mkdtempSync(join(tmpdir(), "cw-recovery-"));
});
afterEach(() => {
  scratch.clear();
  rmSync(snapshots, { recursive: true, force: true });
});

const optionsOf = (more: Partial<RecoveryOptions> = {}): RecoveryOptions => ({
  files: localFiles,
  journalFolder: scratch.folder,
  snapshotFolder: snapshots,
  factory: testFactory,
  ahead: false,
  ...more,
});

/** Orders in batches of ten, by one release after the other. */
function write(...lives: readonly [batches: number, release: string][]): void {
  for (const [batches, release] of lives) {
    const journal = scratch.open({ release });
    fillOrders(journal, batches, 10);
    journal.close();
  }
}

/** A snapshot of the state after that command, as the release would have taken it. */
function take(sequence: number, release = "test-1", identity = recover(optionsOf()).identity): string {
  const { machine } = recover(optionsOf({ toSequence: sequence, withoutSnapshots: true }));
  const header = { sequence, timeMs: machine.now, identity: identity ?? "", stateHash: machine.stateHash(), release };
  return writeSnapshot(localFiles, snapshots, header, machine.snapshot());
}

const outcomeOf = (more: Partial<RecoveryOptions> = {}) => {
  const notes: string[] = [];
  const { machine, snapshot, replayed, end } = recover(optionsOf({ onNote: (line) => notes.push(line), ...more }));
  const { sequence, now } = machine;
  return { sequence, now, hash: machine.stateHash(), from: snapshot?.sequence, replayed, stop: end.stop?.kind, notes };
};

test("[JOURNAL-12] the newest snapshot and what follows it give the state that all commands from the first give", () => {
  write([10, "test-1"]);
  const whole = outcomeOf();
  expect(whole).toMatchObject({ sequence: 100, from: undefined, replayed: 100, stop: "clean", notes: [] });
  take(33);
  take(60);
  const state = { sequence: 100, now: whole.now, hash: whole.hash, stop: "clean", notes: [] };
  expect(outcomeOf()).toEqual({ ...state, from: 60, replayed: 40 });
  expect(outcomeOf({ withoutSnapshots: true })).toEqual({ ...state, from: undefined, replayed: 100 });
  take(100);
  expect(outcomeOf()).toEqual({ ...state, from: 100, replayed: 0 });
  const there = recover(optionsOf());
  expect(there.identity).toBe(scratch.open().identity);
  expect(there.segments).toHaveLength(1);
});

test("[JOURNAL-12] a journal without a command is the state before the first", () => {
  write([0, "test-1"]);
  expect(outcomeOf()).toMatchObject({ sequence: 0, from: undefined, replayed: 0, stop: "clean", notes: [] });
});

test("[JOURNAL-12] damage in a segment covered by a snapshot does not prevent a start", () => {
  write([2, "test-1"], [2, "test-2"]);
  take(20);
  const { offset } = scratch.record(1, 0);
  scratch.edit(1, (bytes) => bytes.writeUInt8((bytes[offset + 80] ?? 0) ^ 1, offset + 80));
  expect(outcomeOf()).toMatchObject({ sequence: 40, from: 20, replayed: 20 });
});

test("[JOURNAL-12] a snapshot beyond the requested command or events is not used", () => {
  write([10, "test-1"]);
  take(33);
  take(60);
  expect(outcomeOf({ toSequence: 59 })).toMatchObject({ sequence: 59, from: 33, replayed: 26, stop: undefined });
  expect(outcomeOf({ toSequence: 60 })).toMatchObject({ sequence: 60, from: 60, replayed: 0 });
  expect(outcomeOf({ toSequence: 100 })).toMatchObject({ sequence: 100, from: 60 });
  expect(outcomeOf({ eventsAfter: 59 })).toMatchObject({ sequence: 100, from: 33 });
  expect(outcomeOf({ eventsAfter: 60 })).toMatchObject({ sequence: 100, from: 60 });
  expect(outcomeOf({ eventsAfter: 90, toSequence: 40 })).toMatchObject({ sequence: 40, from: 33 });
  expect(faultOf(() => recover(optionsOf({ toSequence: 101 }))).message).toBe(
    `JOURNAL_BEHIND: ${scratch.folder}: ends at 100, but 101 was asked for`,
  );
});

test("[JOURNAL-12] events are returned from the requested one on, each once, with the time before each step", () => {
  // Enough for several steps: a step ends when 256 KiB of events have gathered.
  const journal = scratch.open({ segmentBytes: 4 << 20 });
  fillOrders(journal, 9, 1_000);
  journal.close();
  for (const eventsAfter of [0, 1_234, 8_999, 9_000]) {
    const sequences: number[] = [];
    let nowMs = 0;
    recover(optionsOf({ eventsAfter }), ({ machine, timeBeforeMs, hasEvents }: RecoveryStep) => {
      expect(timeBeforeMs).toBe(nowMs);
      nowMs = machine.now;
      const { bytes, length } = machine.events;
      expect(length).toBeLessThanOrEqual((256 << 10) + 64);
      if (!hasEvents) expect(machine.sequence).toBeLessThanOrEqual(eventsAfter);
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      if (hasEvents && sequences.length === 0) expect(timeBeforeMs).toBe(eventsAfter === 0 ? 0 : 1_000 + eventsAfter);
      if (hasEvents) for (let at = 0; at < length; at += 64) sequences.push(view.getFloat64(at + 8, true));
    });
    expect(sequences).toEqual(Array.from({ length: 9_000 - eventsAfter }, (_, at) => eventsAfter + 1 + at));
  }
  // A machine's events before its first command are left out, and a command without an event has none.
  const given = (change: (machine: ReturnType<typeof testFactory.createMachine>) => void): boolean[] => {
    const createMachine = () => {
      const machine = testFactory.createMachine();
      change(machine);
      return machine;
    };
    const found: boolean[] = [];
    const options = optionsOf({ factory: { ...testFactory, createMachine }, eventsAfter: 0, toSequence: 1 });
    recover(options, ({ machine, hasEvents }) => found.push(hasEvents, machine.events.length === 64));
    return found;
  };
  const silence = (machine: ReturnType<typeof testFactory.createMachine>): void => {
    const own = machine.apply.bind(machine);
    machine.apply = (bytes, at) => {
      own(bytes, at);
      machine.events.clear();
    };
  };
  expect(given((machine) => Object.assign(machine, { length: 64 }))).toEqual([true, true]);
  expect(given(silence)).toEqual([false, false]);
  // Without a request for events none are passed.
  recover(optionsOf(), ({ hasEvents }) => expect(hasEvents).toBe(false));
});

test("[JOURNAL-12] a projection that has seen more than the journal holds is proof that commands are missing", () => {
  write([10, "test-1"]);
  expect(outcomeOf({ eventsAfter: 100 }).sequence).toBe(100);
  const behind = `JOURNAL_BEHIND: ${scratch.folder}: ends at 100, but the projection has seen 101: commands are missing`;
  expect(faultOf(() => recover(optionsOf({ eventsAfter: 101 }))).message).toBe(behind);
  // Who stops earlier has not seen the end.
  expect(outcomeOf({ eventsAfter: 101, toSequence: 50 }).sequence).toBe(50);
});

test("[JOURNAL-13] commands of another release are refused, unless a snapshot covers them or the caller allows them", () => {
  write([4, "test-1"], [3, "test-2"], [2, "test-3"]);
  const refusal = (index: number, release: string, sequence: number) => ({
    message: expect.stringContaining(`was written by release ${release}. Start that release once and stop it in order`),
    place: { file: scratch.path(index), sequence },
    code: "JOURNAL_RELEASE",
  });
  expect(faultOf(() => recover(optionsOf({ release: "test-3" })))).toMatchObject(refusal(1, "test-1", 1));
  take(39);
  expect(faultOf(() => recover(optionsOf({ release: "test-3" })))).toMatchObject(refusal(1, "test-1", 40));
  take(40);
  expect(faultOf(() => recover(optionsOf({ release: "test-3" })))).toMatchObject(refusal(2, "test-2", 41));
  expect(outcomeOf({ release: "test-2", toSequence: 70 })).toMatchObject({ sequence: 70, from: 40, notes: [] });
  expect(faultOf(() => recover(optionsOf({ release: "test-2", toSequence: 71 })))).toMatchObject(
    refusal(3, "test-3", 41),
  );
  take(70);
  expect(faultOf(() => recover(optionsOf({ release: "test-2", toSequence: 71 })))).toMatchObject(
    refusal(3, "test-3", 71),
  );
  expect(outcomeOf({ release: "test-3" })).toMatchObject({ sequence: 90, from: 70, notes: [] });
  take(89);
  expect(faultOf(() => recover(optionsOf({ release: "test-4", toSequence: 90 })))).toMatchObject(
    refusal(3, "test-3", 90),
  );
  take(90);
  expect(outcomeOf({ release: "test-4", toSequence: 90 })).toMatchObject({ sequence: 90, from: 90, replayed: 0 });
  const others = { release: "test-3", replayOthers: true, withoutSnapshots: true };
  expect(outcomeOf(others).notes).toEqual(
    [1, 2].map((at) => `segment-0000000${at}.journal was written by release test-${at} and is replayed by test-3`),
  );
  expect(outcomeOf({ withoutSnapshots: true })).toMatchObject({ sequence: 90, notes: [] });
});

test("[JOURNAL-13] commands under numbered rules are replayed by every release that knows them, and by no other", () => {
  const life = (release: string, rules: number): void => {
    const journal = new FileJournal({ folder: scratch.folder, release, segmentBytes: SMALL_SEGMENT_BYTES });
    journal.begin(rules);
    fillOrders(journal, 3, 10);
    journal.close();
  };
  life("test-2", 2);
  life("test-3", 3);
  const knowing = (oldest: number, newest: number, replayOthers = false) =>
    optionsOf({ release: "test-9", replayOthers, factory: { ...testFactory, rules: { oldest, newest } } });
  const notes: string[] = [];
  expect(recover({ ...knowing(2, 4), onNote: (line) => notes.push(line) }).machine.sequence).toBe(60);
  expect(notes).toEqual(
    [2, 3].map(
      (at) =>
        `segment-0000000${at - 1}.journal was written by release test-${at} and is replayed under rules ${at} by test-9`,
    ),
  );
  for (const isOn of [false, true]) {
    expect(faultOf(() => recover(knowing(1, 2, isOn)))).toMatchObject({
      code: "JOURNAL_RELEASE",
      message: expect.stringContaining(
        "was written by release test-3 under rules 3, which this release does not know (it knows 1 to 2). Start that release or a later one",
      ),
    });
    expect(faultOf(() => recover(knowing(3, 3, isOn))).message).toContain(
      "under rules 2, which this release does not know (it knows 3). Start a release once that knows rules 2 and 3",
    );
  }
  // A snapshot beyond them is enough to drop them.
  const { machine, identity } = recover(optionsOf({ toSequence: 30 }));
  const header = { sequence: 30, timeMs: machine.now, identity: identity ?? "", stateHash: "", release: "test-2" };
  writeSnapshot(localFiles, snapshots, header, machine.snapshot());
  expect(recover(knowing(3, 3)).machine.sequence).toBe(60);
});

test("[JOURNAL-13] what recovery would refuse is refused by reading headers alone", () => {
  write([3, "test-1"], [3, "test-2"]);
  const check = (release: string, judgeLayout = (): string | undefined => undefined): boolean =>
    checkFolder({
      files: localFiles,
      journalFolder: scratch.folder,
      snapshotFolder: snapshots,
      release,
      rules: undefined,
      judgeLayout,
    });
  expect(faultOf(() => check("test-2")).message).toContain("was written by release test-1. Start that release once");
  take(30, "test-1");
  expect([check("test-2"), check("test-2")]).toEqual([false, false]);
  expect(faultOf(() => check("test-3")).message).toContain("was written by release test-2. Start that release once");
  take(60, "test-2");
  expect(check("test-3")).toBe(false);
  const fault = faultOf(() => check("test-2", () => "its layout 9 is not known"));
  expect(fault.message).toContain(
    "was written by release test-2 and cannot be read by this one (its layout 9 is not known). Start release test-2, or a later",
  );
});

test("[JOURNAL-13] a snapshot that this release cannot read is refused in every mode", () => {
  write([3, "test-1"]);
  const path = take(20, "test-0");
  const factory = {
    ...testFactory,
    restoreMachine: () => {
      throw new RuleViolation("TOY-4", "another layout");
    },
  };
  for (const replayOthers of [false, true])
    expect(faultOf(() => recover(optionsOf({ factory, replayOthers })))).toMatchObject({
      code: "JOURNAL_RELEASE",
      place: { file: path },
      message: expect.stringContaining(
        `JOURNAL_RELEASE: ${path}: was written by release test-0 and cannot be read by this one (TOY-4: another layout). Start release test-0, or a later one`,
      ),
    });
  // An error that is no broken rule is passed on, and so is a machine that cannot even start.
  const broken = (error: Error) => ({
    createMachine: () => {
      throw error;
    },
    restoreMachine: () => {
      throw error;
    },
  });
  for (const replayOthers of [false, true])
    expect(() => recover(optionsOf({ factory: broken(new Error("no memory")), replayOthers }))).toThrow("no memory");
  const rule = new RuleViolation("TOY-9", "never");
  expect(() => recover(optionsOf({ factory: broken(rule), replayOthers: true, withoutSnapshots: true }))).toThrow(rule);
});

test("[JOURNAL-12] a machine restored at another sequence than its snapshot's is not used", () => {
  write([3, "test-1"]);
  const path = take(20);
  const restoreMachine: typeof testFactory.restoreMachine = (parts) => {
    const machine = testFactory.restoreMachine(parts);
    (machine as { sequence: number }).sequence--;
    return machine;
  };
  expect(faultOf(() => recover(optionsOf({ factory: { ...testFactory, restoreMachine } })))).toMatchObject({
    code: "REPLAY_DIVERGED",
    place: { file: path },
    message: expect.stringContaining("restored to sequence 19 instead of 20"),
  });
  const createMachine = () => Object.assign(testFactory.createMachine(), { sequence: 1 });
  const from = { factory: { ...testFactory, createMachine }, withoutSnapshots: true };
  expect(faultOf(() => recover(optionsOf(from)))).toMatchObject({
    code: "REPLAY_DIVERGED",
    place: { file: snapshots },
  });
});

test("[JOURNAL-12] a snapshot of another journal is skipped with a note, and without a journal none is read", () => {
  write([3, "test-1"]);
  take(20, "test-1", "ab".repeat(16));
  const { notes, ...found } = outcomeOf();
  expect(found).toMatchObject({ sequence: 30, from: undefined });
  expect(notes).toEqual([
    expect.stringMatching(/^passed over a snapshot: SNAPSHOT_DAMAGED: .*: belongs to another journal$/),
  ]);
  scratch.clear();
  expect(outcomeOf()).toMatchObject({ sequence: 0, replayed: 0, notes: [], from: undefined });
});

test("[JOURNAL-12] a command that breaks a rule ends the replay there, and so does a caller that is done", () => {
  write([3, "test-1"]);
  const apply = (sequence: number) => {
    const machine = testFactory.createMachine();
    const own = machine.apply.bind(machine);
    machine.apply = (bytes, at) => {
      own(bytes, at);
      if (machine.sequence === sequence) throw new RuleViolation("TOY-1", "asked to break");
    };
    return machine;
  };
  expect(() => recover(optionsOf({ factory: { ...testFactory, createMachine: () => apply(12) } }))).toThrow(
    "asked to break",
  );
  const steps = recoverInSteps(optionsOf());
  expect(steps.next().done).toBe(false);
  expect(steps.return(undefined as never).done).toBe(true);
  expect(steps.next().done).toBe(true);
});

test("[JOURNAL-7] a journal is created anew only where nothing proves that there has been one", () => {
  const none = join(scratch.folder, "none");
  const check = (tables: number, folder = none): void => checkJournalThere(localFiles, folder, snapshots, tables);
  check(0);
  const words = "Nothing was written. Restore the segments from a copy";
  const head = `JOURNAL_MISSING: ${none}: the journal is missing, but `;
  expect(faultOf(() => check(1)).message).toBe(`${head}the tables hold events up to 1. ${words}`);
  write([3, "test-1"]);
  take(10);
  const path = take(20);
  expect(faultOf(() => check(0)).message).toBe(`${head}${path} was taken at 20. ${words}`);
  expect(faultOf(() => check(7)).message).toBe(
    `${head}${path} was taken at 20 and the tables hold events up to 7. ${words}`,
  );
  check(7, scratch.folder);
});

test("[JOURNAL-7] a journal that ends before its newest snapshot is refused, one that ends there is not", () => {
  checkSnapshotsBehind(localFiles, snapshots, 0);
  write([3, "test-1"]);
  take(10);
  const path = take(20);
  checkSnapshotsBehind(localFiles, snapshots, 20);
  const fault = faultOf(() => checkSnapshotsBehind(localFiles, snapshots, 19));
  expect([fault.code, fault.place]).toEqual(["JOURNAL_BEHIND", { file: path, sequence: 20 }]);
  expect(fault.message).toContain("was taken at 20, but the journal ends at 19: commands are missing");
});

test("[JOURNAL-5] the segments before a snapshot are checked one by one, and the first bad one is reported", () => {
  write([2, "test-1"], [2, "test-2"], [2, "test-3"], [1, "test-4"]);
  // They end with 20, 40 and 60; one that ends with the snapshot's own command is read only here.
  const looked = (snapshot: number): number => [...scrubSegments(localFiles, scratch.folder, snapshot)].length;
  expect([0, 19, 20, 39, 40, 60, 70].map(looked)).toEqual([0, 0, 1, 1, 2, 3, 3]);
  mkdirSync(join(snapshots, "none"));
  expect([...scrubSegments(localFiles, join(snapshots, "none"), 99)]).toEqual([]);
  const third = scratch.record(3, 1);
  const flip = (index: number, at: number): void =>
    scratch.edit(index, (bytes) => bytes.writeUInt8((bytes[at] ?? 0) ^ 4, at));
  flip(3, third.offset + 70);
  expect(looked(59)).toBe(2);
  const fault = faultOf(() => looked(60));
  expect(fault.message).toContain(
    `JOURNAL_DAMAGED: ${scratch.path(3)} at byte ${third.offset}, sequence ${third.first}: `,
  );
  expect(fault.message).toContain("restore this segment from a copy");
  flip(3, third.offset + 70);
  // Whole in itself, but without its last record: the next one does not follow it.
  const last = scratch.record(2, 1);
  scratch.edit(2, (bytes) => bytes.fill(0, last.offset));
  expect(faultOf(() => looked(60)).message).toContain(
    `${scratch.path(2)} at byte ${last.offset}, sequence ${last.first}: `,
  );
  expect(looked(20)).toBe(1);
});

test("[JOURNAL-5] a segment of another journal under the right name, identity and sequence does not continue this one", () => {
  write([2, "test-1"], [2, "test-2"]);
  const [own, { identity }] = [scratch, recover(optionsOf())];
  scratch = new ScratchJournal();
  write([2, "test-1"], [2, "test-2"]);
  const foreign = new Uint8Array(readFileSync(scratch.path(1)));
  scratch.clear();
  scratch = own;
  const header = decodeSegmentHeader(foreign);
  if (typeof header === "string") throw new Error(header);
  foreign.set(encodeSegmentHeader({ ...header, identity: identity ?? "" }));
  writeFileSync(scratch.path(1), foreign);
  expect(listSegments(localFiles, scratch.folder)).toHaveLength(2);
  expect(faultOf(() => [...scrubSegments(localFiles, scratch.folder, 99)]).code).toBe("JOURNAL_DAMAGED");
});
