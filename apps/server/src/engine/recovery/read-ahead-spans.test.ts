// Checks what a thread that reads ahead delivers, and each way in which it delivers nothing: small journals, so that
// the start of the thread is the only cost. Whole replays with it are in read-ahead.test.ts.
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localFiles } from "../journal/files.ts";
import { fillOrders, ScratchJournal } from "../journal/journal-fixture.ts";
import { listSegments } from "../journal/segments.ts";
import { testFactory } from "../threads/test-machine.ts";
import { isWorthReadingAhead, type ReadAheadOptions, readSpansAhead } from "./read-ahead.ts";
import { recover, recoverInSteps } from "./recovery.ts";

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

test("[JOURNAL-12] the thread delivers every command of the range once, in order, and how it ended", () => {
  const whole = readAhead({ fromFirst: true, timeoutMs: PATIENT });
  expect(whole).toMatchObject({ end: { lastSequence: 3_000, stop: { kind: "clean" } }, notes: [] });
  expect(whole.sequences).toEqual(run(1, 3_000));
  const part = readAhead({ fromFirst: true, timeoutMs: PATIENT }, 150, 2_222);
  expect(part.sequences).toEqual(run(151, 2_222));
  expect(part.end).toEqual({ lastSequence: 2_300 });
  const none = readAhead({ fromFirst: true, timeoutMs: PATIENT }, 3_000);
  expect(none).toMatchObject({ sequences: [], end: { lastSequence: 3_000 } });
});

test("[JOURNAL-12] what is read before the thread is ahead is read here, to the end where that comes first", () => {
  const { sequences, end, notes } = readAhead({ timeoutMs: PATIENT });
  expect(sequences).toEqual(run(1, 3_000));
  expect(end).toMatchObject({ lastSequence: 3_000, stop: { kind: "clean" } });
  expect(notes).toEqual([]);
});

test("[JOURNAL-12] the thread receives how many commands of the range were applied without it", async () => {
  const answer = join(scratch.folder, "told.txt");
  const path = join(scratch.folder, "listening.mjs");
  const lines = [
    'import { writeFileSync } from "node:fs";',
    'import { workerData } from "node:worker_threads";',
    "const words = new Int32Array(workerData.buffers.control);",
    "while (Atomics.load(words, 3) === 0) Atomics.wait(words, 4, 0, 5);",
    `writeFileSync(${JSON.stringify(answer)}, String(Atomics.load(words, 3)));`,
  ];
  writeFileSync(path, lines.join("\n"));
  const range = { segments: listSegments(localFiles, scratch.folder), afterSequence: 150, toSequence: 3_000 };
  const spans = readSpansAhead(range, { worker: pathToFileURL(path) });
  const first = spans.next().value as { f64: Float64Array; i32: Int32Array; at: number; end: number };
  let count = 0;
  for (let at = first.at; at < first.end; at += (first.i32[at >> 2] as number) & 0xffff) count++;
  spans.next();
  while (!existsSync(answer) || readFileSync(answer, "utf8") === "") await setTimeout(5);
  expect(readFileSync(answer, "utf8")).toBe(String(count));
  spans.return(undefined);
});

test("[JOURNAL-13] a thread that fails, is silent or cannot start delivers nothing, and only silence is noted", () => {
  const path = join(scratch.folder, "broken.mjs");
  writeFileSync(path, "throw new Error('no thread');\n");
  const silent = readAhead({ fromFirst: true, timeoutMs: 40, worker: pathToFileURL(path) });
  expect(silent).toEqual({
    sequences: [],
    end: undefined,
    notes: ["the thread that reads the journal ahead gave no sign for 40 ms; going on without it"],
  });
  const none = readAhead({ fromFirst: true, timeoutMs: PATIENT, worker: new URL("http://127.0.0.1/none") });
  expect(none).toEqual({ sequences: [], end: undefined, notes: [] });
  const { offset } = scratch.record(1, 12);
  scratch.edit(1, (bytes) => bytes.writeUInt8((bytes[offset + 80] ?? 0) ^ 1, offset + 80));
  const damaged = readAhead({ fromFirst: true, timeoutMs: PATIENT });
  expect([damaged.end, damaged.notes]).toEqual([undefined, []]);
});

test("[JOURNAL-13] the thread ends when the replay is given up", async () => {
  const path = join(scratch.folder, "endless.mjs");
  writeFileSync(path, "setInterval(() => undefined, 1000);\n");
  // Messages of earlier threads have arrived by then.
  await setImmediate();
  const born = once(process, "worker") as Promise<[Worker]>;
  const steps = recoverInSteps({
    files: localFiles,
    journalFolder: scratch.folder,
    snapshotFolder: join(scratch.folder, "none"),
    factory: testFactory,
    ahead: { commandsMin: 0, worker: pathToFileURL(path) },
  });
  expect(steps.next().done).toBe(false);
  const [worker] = await born;
  // A thread may fail after its last reader left: without a listener the error would end the process.
  expect(worker.listenerCount("error")).toBe(1);
  const ended = once(worker, "exit");
  steps.return(undefined as never);
  await ended;
});

test("[JOURNAL-12] a replay reads ahead where enough commands follow and the files are real ones, and alone where not", () => {
  const path = join(scratch.folder, "broken.mjs");
  writeFileSync(path, "throw new Error('no thread');\n");
  // A silent thread causes a note, if the caller has a callback for notes.
  const ahead = { fromFirst: true, timeoutMs: 20, worker: pathToFileURL(path) };
  const notesOf = (more: object, commandsMin: number, hasAhead = true): number => {
    const notes: string[] = [];
    const { machine } = recover({
      files: localFiles,
      journalFolder: scratch.folder,
      snapshotFolder: join(scratch.folder, "none"),
      factory: testFactory,
      ahead: hasAhead ? { ...ahead, commandsMin } : false,
      toSequence: 2_000,
      onNote: (line: string) => notes.push(line),
      ...more,
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

test("[JOURNAL-12] however many commands are requested, a caller without a worker gets no thread", async () => {
  const born: unknown[] = [];
  const note = (worker: unknown) => born.push(worker);
  await setImmediate();
  process.on("worker", note);
  try {
    const wanted = () =>
      recover({
        files: localFiles,
        journalFolder: scratch.folder,
        snapshotFolder: join(scratch.folder, "none"),
        factory: testFactory,
        ahead: false,
        toSequence: 2_000_000,
      });
    expect(wanted).toThrow("ends at 3000, but 2000000 was asked for");
    await setImmediate();
    expect(born).toEqual([]);
  } finally {
    process.off("worker", note);
  }
});

test("[JOURNAL-12] the known rest follows from the start of the newest segment, or from the requested range", () => {
  const segments = [1, 101, 201, 301].map((firstSequence) => ({ header: { firstSequence } }));
  const isWorth = (range: object, commandsMin: number): boolean =>
    isWorthReadingAhead({ segments, afterSequence: 0, toSequence: Number.MAX_SAFE_INTEGER, ...range } as never, {
      commandsMin,
    });
  expect([isWorth({}, 300), isWorth({}, 301)]).toEqual([true, false]);
  expect([isWorth({ afterSequence: 50 }, 250), isWorth({ afterSequence: 50 }, 251)]).toEqual([true, false]);
  expect([isWorth({ toSequence: 350 }, 350), isWorth({ toSequence: 350 }, 351)]).toEqual([true, false]);
  expect([isWorth({ segments: [] }, 0), isWorth({ segments: [] }, 1)]).toEqual([true, false]);
});
