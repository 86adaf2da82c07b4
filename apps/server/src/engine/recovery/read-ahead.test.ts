// Checks that a replay with a thread that reads ahead ends as one without: the same state, events and end, the same
// fault at the same place, and no difference when that thread is lost.
import { once } from "node:events";
import { copyFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { localFiles } from "../journal/files.ts";
import { fillOrders, ScratchJournal, SMALL_SEGMENT_BYTES } from "../journal/journal-fixture.ts";
import { EngineFault } from "../memory/fault.ts";
import { testFactory } from "../threads/test-machine.ts";
import type { ReadAheadOptions } from "./read-ahead.ts";
import { type RecoveryOptions, type RecoveryStep, recover, recoverInSteps } from "./recovery.ts";

const AHEAD: ReadAheadOptions = { commandsMin: 0, fromFirst: true, timeoutMs: 60_000 };
const BATCH = 100;

let scratch = new ScratchJournal();
beforeEach(() => {
  scratch = new ScratchJournal();
});
afterEach(() => scratch.clear());

const optionsOf = (more: Partial<RecoveryOptions>): RecoveryOptions => ({
  files: localFiles,
  journalFolder: scratch.folder,
  snapshotFolder: join(scratch.folder, "snapshots"),
  factory: testFactory,
  ...more,
});

/** The observable outcome of a replay: how it ended or what stopped it, and the events it published. */
function outcomeOf(more: Partial<RecoveryOptions>): object {
  const events: Buffer[] = [];
  const take = ({ machine, hasEvents }: RecoveryStep): void => {
    if (hasEvents) events.push(Buffer.from(machine.events.bytes.slice(0, machine.events.length)));
  };
  try {
    const { machine, replayed, end, identity } = recover(optionsOf(more), take);
    const { sequence, now } = machine;
    return { hash: machine.stateHash(), sequence, now, replayed, end, identity, events: Buffer.concat(events) };
  } catch (error) {
    if (!(error instanceof EngineFault)) throw error;
    return { code: error.code, message: error.message, place: error.place };
  }
}

/** The outcome, which must be the same by both ways and when one follows the other. */
function bothWays(more: Partial<RecoveryOptions> = {}): Record<string, unknown> {
  const alone = outcomeOf({ ...more, ahead: false });
  expect(outcomeOf({ ...more, ahead: AHEAD })).toEqual(alone);
  return alone as Record<string, unknown>;
}

function write(batches: number, count = BATCH, segmentBytes = SMALL_SEGMENT_BYTES): void {
  const journal = scratch.open({ segmentBytes });
  fillOrders(journal, batches, count);
  journal.close();
}

const flip = (segment: number, at: number): void =>
  scratch.edit(segment, (bytes) => bytes.writeUInt8((bytes[at] ?? 0) ^ 4, at));

describe("a thread that is lost", () => {
  // A thread's start is reported late: those of earlier tests have arrived by then.
  beforeEach(() => setImmediate());
  const received = async (): Promise<Worker> => ((await once(process, "worker")) as [Worker])[0];

  test("[JOURNAL-13] it ends when the replay is given up", async () => {
    write(200, 250, 8 << 20);
    const worker = received();
    const steps = recoverInSteps(optionsOf({ ahead: AHEAD }));
    steps.next();
    const ended = once(await worker, "exit");
    steps.return(undefined as never);
    await ended;
  });

  test("[JOURNAL-13] the replay continues without it, from the exact command, and reports it", async () => {
    const journal = scratch.open({ segmentBytes: 8 << 20 });
    // More than the ring holds, so that it is lost with work left to do.
    fillOrders(journal, 80, 2_500);
    journal.close();
    const alone = outcomeOf({ ahead: false }) as { hash: string };
    const notes: string[] = [];
    const ahead = { ...AHEAD, timeoutMs: 1_000 };
    const worker = received();
    const steps = recoverInSteps(optionsOf({ ahead, onNote: (line) => void notes.push(line) }));
    for (let count = 0; count < 3; count++) expect(steps.next().done).toBe(false);
    await (await worker).terminate();
    for (;;) {
      const step = steps.next();
      if (!step.done) continue;
      expect(step.value.machine.stateHash()).toBe(alone.hash);
      break;
    }
    expect(notes).toEqual([expect.stringContaining("gave no sign for 1000 ms; going on without it")]);
  });

  test("[JOURNAL-13] one that cannot even start changes nothing", () => {
    write(50);
    const path = join(scratch.folder, "broken.mjs");
    writeFileSync(path, "throw new Error('no thread');\n");
    const ahead = { ...AHEAD, timeoutMs: 200, worker: pathToFileURL(path) };
    expect(outcomeOf({ ahead })).toEqual(outcomeOf({ ahead: false }));
    expect(outcomeOf({ ahead: { ...ahead, fromFirst: false } })).toEqual(outcomeOf({ ahead: false }));
  });
});

describe("the same end", () => {
  test("[JOURNAL-12] one batch, none, and many batches that end inside chunks", () => {
    write(0);
    expect(bothWays()).toMatchObject({ sequence: 0, end: { stop: { kind: "clean" } } });
    write(1, 1);
    expect(bothWays()).toMatchObject({ sequence: 1 });
    write(137, 33);
    expect(bothWays()).toMatchObject({ sequence: 1 + 137 * 33, replayed: 1 + 137 * 33 });
  });

  test("[JOURNAL-12] an hour of commands in many segments", () => {
    const journal = scratch.open({ segmentBytes: 512 << 10 });
    const count = 180_000;
    fillOrders(journal, count / 2_000, 2_000, { timeMs: 1_762_000_000_000, stepMs: 3_600_000 / count });
    journal.close();
    expect(readdirSync(scratch.folder).length).toBeGreaterThan(4);
    const alone = bothWays();
    expect(alone).toMatchObject({ sequence: count, now: 1_762_003_600_000 });
    // As a server does it: on its own thread until the other is ahead.
    expect(outcomeOf({ ahead: { commandsMin: 0 } })).toEqual(alone);
  });

  test("[JOURNAL-12] up to a sequence in the middle of a batch, at its end, at the journal's, and beyond", () => {
    write(200);
    for (const toSequence of [1, 9_950, 10_000, 20_000])
      expect(bothWays({ toSequence })).toMatchObject({ sequence: toSequence });
    expect(bothWays({ toSequence: 20_001 })).toMatchObject({ code: "JOURNAL_BEHIND" });
  });

  test("[JOURNAL-12] events from the middle of a chunk on, and all of them", () => {
    write(100);
    for (const eventsAfter of [0, 4_321, 10_000]) {
      const { events } = bothWays({ eventsAfter });
      const bytes = events as Buffer;
      expect(bytes.length).toBe((10_000 - eventsAfter) * 64);
      if (bytes.length > 0) expect(bytes.readDoubleLE(8)).toBe(eventsAfter + 1);
    }
    expect(bothWays({ eventsAfter: 10_001 })).toMatchObject({ code: "JOURNAL_BEHIND" });
  });
});

describe("the same fault at the same place", () => {
  test.each([0, 63, 200, 512, 1_000])("[JOURNAL-12] a last record cut after %i bytes", (kept) => {
    write(20);
    const last = scratch.record(1, -1);
    scratch.edit(1, (bytes) => bytes.fill(0, last.offset + kept, last.offset + last.bytes));
    const kind = kept === 0 ? "clean" : "torn";
    expect(bothWays()).toMatchObject({ sequence: 1_900, end: { stop: { kind, offset: last.offset } } });
  });

  test("[JOURNAL-12] flipped bits in header, frames and chain value, of the first, a middle and the last record", () => {
    write(200);
    for (const [segment, index, from] of [
      [1, 0, 9],
      [1, 7, 70],
      [2, 0, 9],
      [2, 0, 70],
      [2, -1, -3],
    ] as const) {
      const { offset, bytes, first } = scratch.record(segment, index);
      const at = from < 0 ? offset + bytes + from : offset + from;
      flip(segment, at);
      const place = { file: scratch.path(segment), offset, sequence: first };
      expect(bothWays()).toMatchObject({ code: "JOURNAL_DAMAGED", place });
      flip(segment, at);
    }
    flip(2, 20);
    expect(bothWays()).toMatchObject({ place: { file: scratch.path(2), offset: 0 } });
  });

  test("[JOURNAL-12] records blanked, swapped and repeated", () => {
    write(30);
    const pristine = readFileSync(scratch.path(1));
    const [second, third] = [scratch.record(1, 1), scratch.record(1, 2)];
    scratch.edit(1, (bytes) => bytes.fill(0, second.offset, second.offset + second.bytes));
    expect(bothWays()).toMatchObject({ place: { offset: second.offset, sequence: second.first } });
    writeFileSync(scratch.path(1), pristine);
    scratch.edit(1, (bytes) => {
      const copy = Buffer.from(bytes.subarray(second.offset, second.offset + second.bytes));
      bytes.copyWithin(second.offset, third.offset, third.offset + third.bytes);
      copy.copy(bytes, third.offset);
    });
    expect(bothWays()).toMatchObject({ code: "JOURNAL_DAMAGED" });
    writeFileSync(scratch.path(1), pristine);
    const last = scratch.record(1, -1);
    scratch.edit(1, (bytes) => bytes.copyWithin(last.offset + last.bytes, last.offset, last.offset + last.bytes));
    expect(String(bothWays().message)).toContain("a record is repeated or moved");
  });

  test("[JOURNAL-12] segments cut, missing, copied, and sealed with nothing behind", () => {
    write(400);
    const count = readdirSync(scratch.folder).length;
    expect(count).toBeGreaterThan(3);
    for (const index of [1, count]) {
      const pristine = readFileSync(scratch.path(index));
      truncateSync(scratch.path(index), 30_000);
      expect(bothWays()).toMatchObject({ place: { file: scratch.path(index) } });
      rmSync(scratch.path(index));
      expect(bothWays()).toMatchObject({ code: "JOURNAL_SEGMENT_MISSING" });
      writeFileSync(scratch.path(index), pristine);
    }
    copyFileSync(scratch.path(2), scratch.path(count + 1));
    expect(bothWays()).toMatchObject({ code: "JOURNAL_SEGMENT_REPEATED" });
  });

  test("[JOURNAL-12] a seal that is missing, and a segment that continues another chain", () => {
    write(400);
    const last = scratch.record(2, -1);
    const sealAt = last.offset + last.bytes;
    const pristine = readFileSync(scratch.path(2));
    scratch.edit(2, (bytes) => bytes.fill(0, sealAt));
    expect(String(bothWays().message)).toContain("records are missing at the end of the segment");
    writeFileSync(scratch.path(2), pristine);
    const [own, mine] = [scratch, readFileSync(scratch.path(1))];
    scratch = new ScratchJournal();
    write(400);
    const foreign = readFileSync(scratch.path(1));
    // Another journal's records behind this one's name: whole in themselves, joined to nothing.
    mine.copy(foreign, 32, 32, 48);
    writeFileSync(own.path(1), foreign);
    scratch.clear();
    scratch = own;
    expect(bothWays()).toMatchObject({ code: "JOURNAL_DAMAGED" });
  });

  test("[JOURNAL-12] frames that do not fit their count, though every checksum is right", () => {
    const journal = scratch.open();
    fillOrders(journal, 50, BATCH);
    journal.append({ firstSequence: 5_001, count: 3, timeMs: 1e9, frames: Uint8Array.of(1, 2, 3, 4, 5, 6, 7) });
    fillOrders(journal, 5, BATCH, { timeMs: 1e10 });
    journal.close();
    expect(bothWays()).toMatchObject({ code: "JOURNAL_DAMAGED" });
    expect(bothWays({ toSequence: 5_000 })).toMatchObject({ sequence: 5_000 });
  });
});
