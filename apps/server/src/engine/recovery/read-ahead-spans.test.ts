// Checks what a thread that reads ahead hands over, and each way in which it hands over nothing: small journals, so that the
// start of the thread is all it costs. Whole replays beside it are in read-ahead.test.ts.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localFiles } from "../journal/files.ts";
import { fillOrders, ScratchJournal } from "../journal/journal-fixture.ts";
import { listSegments } from "../journal/segments.ts";
import { testFactory } from "../threads/test-machine.ts";
import { type ReadAheadOptions, readSpansAhead } from "./read-ahead.ts";
import { recover } from "./recovery.ts";

let scratch = new ScratchJournal();
beforeEach(() => {
  scratch = new ScratchJournal();
  const journal = scratch.open({ segmentBytes: 1 << 20 });
  fillOrders(journal, 30, 100);
  journal.close();
});
afterEach(() => scratch.clear());

const PATIENT = 60_000;

function readAhead(options: ReadAheadOptions, afterSequence = 0, toSequence = Number.MAX_SAFE_INTEGER) {
  const notes: string[] = [];
  const range = { segments: listSegments(localFiles, scratch.folder), afterSequence, toSequence };
  const spans = readSpansAhead(range, options, (line) => notes.push(line));
  const sequences: number[] = [];
  for (;;) {
    const step = spans.next();
    if (step.done) return { sequences, end: step.value, notes };
    const { i32, f64, at, end } = step.value;
    expect(at).toBeLessThan(end);
    for (let from = at; from < end; from += (i32[from >> 2] as number) & 0xffff)
      sequences.push(f64[(from >> 3) + 1] as number);
  }
}

const run = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

test("[JOURNAL-12] the thread hands over every command of the range once, in order, and how it ended", () => {
  const whole = readAhead({ fromFirst: true, patienceMs: PATIENT });
  expect(whole).toMatchObject({ end: { lastSequence: 3_000, stop: { kind: "clean" } }, notes: [] });
  expect(whole.sequences).toEqual(run(1, 3_000));
  const part = readAhead({ fromFirst: true, patienceMs: PATIENT }, 150, 2_222);
  expect(part.sequences).toEqual(run(151, 2_222));
  expect(part.end).toEqual({ lastSequence: 2_300 });
});

test("[JOURNAL-12] what is read before the thread is ahead is read here, to the end where that comes first", () => {
  const { sequences, end, notes } = readAhead({ patienceMs: PATIENT });
  expect(sequences).toEqual(run(1, 3_000));
  expect(end).toMatchObject({ lastSequence: 3_000, stop: { kind: "clean" } });
  expect(notes).toEqual([]);
});

test("[JOURNAL-13] a thread that fails, is silent or cannot be had hands over nothing, and silence alone is worth a word", () => {
  const path = join(scratch.folder, "broken.mjs");
  writeFileSync(path, "throw new Error('no thread');\n");
  const silent = readAhead({ fromFirst: true, patienceMs: 40, worker: pathToFileURL(path) });
  expect(silent).toEqual({
    ...{ sequences: [], end: undefined },
    notes: ["the thread that reads the journal ahead gave no sign for 40 ms; going on without it"],
  });
  const none = readAhead({ fromFirst: true, patienceMs: PATIENT, worker: new URL("http://127.0.0.1/none") });
  expect(none).toEqual({ sequences: [], end: undefined, notes: [] });
  const { offset } = scratch.record(1, 12);
  scratch.edit(1, (bytes) => bytes.writeUInt8((bytes[offset + 80] ?? 0) ^ 1, offset + 80));
  const damaged = readAhead({ fromFirst: true, patienceMs: PATIENT });
  expect([damaged.end, damaged.notes]).toEqual([undefined, []]);
});

test("[JOURNAL-12] a replay reads ahead where enough commands follow and the files are real ones, and alone where not", () => {
  const path = join(scratch.folder, "broken.mjs");
  writeFileSync(path, "throw new Error('no thread');\n");
  // A thread that is silent leaves a note: who has none has not asked for one.
  const ahead = { fromFirst: true, patienceMs: 20, worker: pathToFileURL(path) };
  const notesOf = (more: object, commandsMin: number, hasAhead = true): number => {
    const notes: string[] = [];
    const { machine } = recover({
      ...{ files: localFiles, journalFolder: scratch.folder, snapshotFolder: join(scratch.folder, "none") },
      ...{ factory: testFactory, ahead: hasAhead ? { ...ahead, commandsMin } : false, toSequence: 2_000 },
      ...{ onNote: (line: string) => notes.push(line), ...more },
    });
    expect(machine.sequence).toBe(2_000);
    return notes.length;
  };
  expect(notesOf({}, 2_000)).toBe(1);
  expect(notesOf({}, 2_001)).toBe(0);
  expect(notesOf({ files: { ...localFiles } }, 2_000)).toBe(0);
  expect(notesOf({}, 2_000, false)).toBe(0);
  expect(notesOf({ ahead: undefined }, 0)).toBe(0);
});
