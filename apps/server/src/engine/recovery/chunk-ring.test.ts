// Checks the ring of chunks between the thread that reads the journal and the one that applies it, both sides on this
// thread: every chunk is transferred once, in order and whole, and neither side continues where it must wait.

import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { allOf } from "@clockwork/kit/all-of";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { localFiles } from "../journal/files.ts";
import { fillOrders, ScratchJournal } from "../journal/journal-fixture.ts";
import { listSegments } from "../journal/segments.ts";
import { allocateChunks, ChunkReader, ChunkWriter } from "./chunk-ring.ts";
import { findAfter, readSpans, type SpanRange } from "./command-spans.ts";
import { fillChunks, isWorthReadingAhead } from "./read-ahead.ts";

const CHUNK = 64 << 10;

function makeRing() {
  const buffers = allocateChunks();
  const bytes = new Uint8Array(buffers.chunks);
  return { buffers, bytes, writer: new ChunkWriter(buffers), reader: new ChunkReader(buffers) };
}

/** Writes a chunk of equal bytes. */
function put({ bytes, writer }: ReturnType<typeof makeRing>, mark: number, length: number): number {
  const at = writer.open();
  bytes.fill(mark, at, at + length);
  writer.publish(at + length);
  return at;
}

test("[JOURNAL-12] chunks come over in order, through a ring that turns over many times, with all of their bytes", () => {
  const ring = makeRing();
  expect([ring.buffers.control.byteLength, ring.buffers.chunks.byteLength]).toEqual([64, 64 * CHUNK]);
  const random = createRandom(4);
  const waiting: [mark: number, length: number][] = [];
  let taken = 0;
  for (let round = 0; round < 500; round++) {
    for (let left = random.below(40); left > 0 && waiting.length < 64 - (taken > 0 ? 1 : 0); left--) {
      const [mark, length] = [1 + random.below(250), random.below(CHUNK - 8)];
      const at = put(ring, mark, length);
      expect(at % CHUNK).toBe(8);
      waiting.push([mark, length]);
    }
    for (let left = random.below(40); left > 0 && waiting.length > 0; left--) {
      const [mark, length] = waiting.shift() as [number, number];
      expect(ring.reader.take(0)).toBe(true);
      taken++;
      const { at, end, bytes, text } = ring.reader;
      expect([end - at, text]).toEqual([length, undefined]);
      expect(length === 0 || (bytes[at] === mark && bytes[end - 1] === mark)).toBe(true);
    }
  }
  expect(taken).toBeGreaterThan(5_000);
  expect(ring.reader.waitedMs).toBe(0);
});

test("[JOURNAL-12] all 64 chunks can wait, and a chunk belongs to the reader until it requests the next", () => {
  const ring = makeRing();
  const places = Array.from({ length: 64 }, (_, at) => put(ring, at + 1, CHUNK - 8));
  expect(places).toEqual(Array.from({ length: 64 }, (_, at) => at * CHUNK + 8));
  expect(ring.writer.roomEnd).toBe(CHUNK);
  const words = new Int32Array(ring.buffers.control);
  expect([words[0], words[1]]).toEqual([64, 0]);
  expect(ring.reader.take(0)).toBe(true);
  expect(words[1]).toBe(0);
  expect(allOf(ring.reader.bytes.subarray(8, CHUNK), (byte) => byte === 1)).toBe(true);
  expect(ring.reader.take(0)).toBe(true);
  expect(words[1]).toBe(1);
  expect(put(ring, 99, 16)).toBe(8);
  expect(ring.writer.roomEnd).toBe(2 * CHUNK);
});

test("[JOURNAL-12] the reader detects that half is full, and that nothing came within the timeout", () => {
  const ring = makeRing();
  for (let count = 1; count <= 33; count++) {
    put(ring, 1, 8);
    expect(ring.reader.isHalfFull).toBe(count >= 32);
  }
  for (let count = 0; count < 33; count++) expect(ring.reader.take(0)).toBe(true);
  expect(ring.reader.isHalfFull).toBe(false);
  const before = performance.now();
  expect(ring.reader.take(30)).toBe(false);
  expect(performance.now() - before).toBeGreaterThan(20);
  expect(ring.reader.waitedMs).toBeGreaterThan(20);
  expect(ring.reader.waitedMs).toBeLessThanOrEqual(performance.now() - before);
  put(ring, 7, 8);
  expect(ring.reader.take(0)).toBe(true);
  expect(ring.reader.bytes[ring.reader.at]).toBe(7);
});

test("[JOURNAL-12] the end states its reason, and an abandoned writer is notified", () => {
  const ring = makeRing();
  put(ring, 1, 8);
  ring.writer.finish("it ends: ä");
  expect(ring.reader.take(0)).toBe(true);
  expect(ring.reader.text).toBeUndefined();
  expect(ring.reader.take(0)).toBe(true);
  expect([ring.reader.text, ring.reader.end - ring.reader.at]).toEqual(["it ends: ä", 0]);
  expect(ring.writer.passed).toBe(0);
  ring.reader.pass(1_234);
  expect(ring.writer.passed).toBe(1_234);
  ring.reader.stop();
  expect(ring.writer.open()).toBe(-1);
  const words = new Int32Array(ring.buffers.control);
  const written = words[0];
  ring.writer.finish("nobody reads it");
  expect(words[0]).toBe(written);
});

/** The outcome of sleeping on a word during the change. */
async function sleeperOn(buffer: SharedArrayBuffer, word: number, act: () => void): Promise<string> {
  const words = new Int32Array(buffer);
  const { value } = Atomics.waitAsync(words, word, words[word] as number);
  act();
  const noNews = setTimeout(200, "asleep");
  return Promise.race([value, noNews]);
}

test("[JOURNAL-12] who sleeps is woken: a reader by a chunk, a writer by the half that is free again, or by the end", async () => {
  const ring = makeRing();
  const { control } = ring.buffers;
  expect(await sleeperOn(control, 0, () => put(ring, 1, 8))).toBe("ok");
  expect(await sleeperOn(control, 0, () => ring.writer.finish("end"))).toBe("ok");
  const full = makeRing();
  for (let count = 0; count < 64; count++) put(full, 1, 8);
  const takeSome = (count: number) => () => {
    for (let left = count; left > 0; left--) full.reader.take(0);
  };
  // The one that is taken last is not given back yet.
  expect(await sleeperOn(full.buffers.control, 1, takeSome(32))).toBe("asleep");
  expect(await sleeperOn(full.buffers.control, 1, takeSome(1))).toBe("ok");
  expect(await sleeperOn(full.buffers.control, 1, takeSome(31))).toBe("asleep");
  expect(await sleeperOn(full.buffers.control, 1, () => full.reader.stop())).toBe("ok");
});

test("[JOURNAL-12] what the thread would unpack is what is read here, from any command to any, and its end is the same", () => {
  const scratch = new ScratchJournal();
  try {
    const journal = scratch.open({ segmentBytes: 1 << 20 });
    fillOrders(journal, 40, 250);
    journal.close();
    const segments = listSegments(localFiles, scratch.folder);
    for (const [afterSequence, toSequence] of [
      [0, Number.MAX_SAFE_INTEGER],
      [1, 9_999],
      [249, 250],
      [250, 251],
      [4_321, 8_765],
      [9_999, 10_000],
      [10_000, 20_000],
    ] as const) {
      const range = { segments, afterSequence, toSequence };
      const alone = commandsOf(range);
      const ahead = aheadOf(range);
      expect(ahead.sequences).toEqual(alone.sequences);
      expect(ahead.end).toEqual(alone.end);
      expect(Buffer.compare(ahead.bytes, alone.bytes)).toBe(0);
      const count = Math.max(0, Math.min(10_000, toSequence) - afterSequence);
      expect(alone.sequences).toEqual(Array.from({ length: count }, (_, at) => afterSequence + 1 + at));
    }
  } finally {
    scratch.clear();
  }
});

interface Found {
  readonly sequences: number[];
  readonly bytes: Buffer;
  readonly end: unknown;
}

function commandsOf(range: SpanRange, applied?: number): Found {
  const spans = readSpans(localFiles, range, applied);
  const [sequences, parts]: [number[], Buffer[]] = [[], []];
  for (;;) {
    const step = spans.next();
    if (step.done) return { sequences, bytes: Buffer.concat(parts), end: step.value };
    const { bytes, i32, f64, at, end, lastSequence } = step.value;
    for (let from = at; from < end; from += (i32[from >> 2] as number) & 0xffff)
      sequences.push(f64[(from >> 3) + 1] as number);
    expect(sequences.at(-1)).toBe(lastSequence);
    parts.push(Buffer.from(bytes.slice(at, end)));
  }
}

/** The thread's work done here: all of it has to fit the ring. */
function aheadOf(range: SpanRange, passed = 0): Found {
  const buffers = allocateChunks();
  const reader = new ChunkReader(buffers);
  reader.pass(passed);
  fillChunks({ buffers, range });
  const [sequences, parts]: [number[], Buffer[]] = [[], []];
  while (reader.take(0)) {
    if (reader.text !== undefined)
      return { sequences, bytes: Buffer.concat(parts), end: reader.text === "" ? "gave up" : endOf(reader.text) };
    for (let at = reader.at; at < reader.end; at += (reader.i32[at >> 2] as number) & 0xffff)
      sequences.push(reader.f64[(at >> 3) + 1] as number);
    parts.push(Buffer.from(reader.bytes.slice(reader.at, reader.end)));
  }
  throw new Error("it did not say that it ended");
}

const endOf = (text: string): unknown => {
  const end = JSON.parse(text) as { lastSequence: number; stop?: unknown };
  return { lastSequence: end.lastSequence, stop: end.stop };
};

test("[JOURNAL-12] batches applied by then are not unpacked, and reading resumes from any applied command", () => {
  const scratch = new ScratchJournal();
  try {
    const journal = scratch.open();
    fillOrders(journal, 12, 10);
    journal.close();
    const segments = listSegments(localFiles, scratch.folder);
    const range = { segments, afterSequence: 25, toSequence: 115 };
    for (const applied of [25, 26, 29, 30, 31, 90, 114, 115]) {
      const here = commandsOf(range, applied);
      expect(here.sequences).toEqual(Array.from({ length: 115 - applied }, (_, at) => applied + 1 + at));
      expect(here.end).toEqual(commandsOf(range).end);
    }
    // Whole batches before the passed sequence are left out; the others come from their first command after the
    // range's.
    const firstAhead = [0, 4, 5, 14, 15, 89, 90].map((passed) => aheadOf(range, passed).sequences[0]);
    expect(firstAhead).toEqual([26, 26, 31, 31, 41, 111, 111]);
    const reader = new ChunkReader(allocateChunks());
    const span = commandsSpan(range);
    for (const [sequence, found] of [
      [0, 26],
      [26, 27],
      [30, 31],
      [114, 115],
    ] as const)
      expect(span.f64[(findAfter(span, sequence) >> 3) + 1]).toBe(found);
    expect(findAfter(span, 115)).toBe(span.end);
    // Data after the end belongs to an earlier round.
    const short = findAfter(span, 30);
    expect(findAfter({ ...span, end: short }, 115)).toBe(short);
    expect(findAfter({ ...reader, at: 8, end: 8 } as never, 1)).toBe(8);
  } finally {
    scratch.clear();
  }
});

/** All commands of a small range on end. */
function commandsSpan(range: SpanRange) {
  const bytes = new Uint8Array(Buffer.concat([Buffer.alloc(16), commandsOf(range).bytes]));
  const [i32, f64] = [new Int32Array(bytes.buffer), new Float64Array(bytes.buffer)];
  return { bytes, i32, f64, at: 16, end: bytes.length };
}

test("[JOURNAL-12] files that cannot be read to their end are left to the main reader, after all before them", () => {
  const scratch = new ScratchJournal();
  try {
    const journal = scratch.open();
    fillOrders(journal, 12, 10);
    journal.close();
    const range = {
      segments: listSegments(localFiles, scratch.folder),
      afterSequence: 0,
      toSequence: Number.MAX_SAFE_INTEGER,
    };
    const writtenForNobody = (): number | undefined => {
      const buffers = allocateChunks();
      new ChunkReader(buffers).stop();
      fillChunks({ buffers, range });
      return new Int32Array(buffers.control)[0];
    };
    expect(writtenForNobody()).toBe(0);
    const { offset } = scratch.record(1, 6);
    scratch.edit(1, (bytes) => bytes.writeUInt8((bytes[offset + 80] ?? 0) ^ 1, offset + 80));
    expect(aheadOf(range).end).toBe("gave up");
    expect(writtenForNobody()).toBe(0);
  } finally {
    scratch.clear();
  }
});

test("[JOURNAL-13] a writer of a full ring waits, and ends when the reader is done", async () => {
  const ring = makeRing();
  for (let count = 0; count < 64; count++) put(ring, 1, 8);
  const code = `const { workerData } = require("node:worker_threads");
    const words = new Int32Array(workerData);
    setTimeout(() => { Atomics.store(words, 2, 1); Atomics.notify(words, 1); }, 20);`;
  const worker = new Worker(code, { eval: true, workerData: ring.buffers.control });
  expect(ring.writer.open()).toBe(-1);
  await worker.terminate();
});

test("[JOURNAL-13] unwanted chunks are not delivered, and no end is reported", () => {
  const scratch = new ScratchJournal();
  try {
    const journal = scratch.open({ segmentBytes: 256 << 10 });
    fillOrders(journal, 100, 200);
    journal.close();
    const segments = listSegments(localFiles, scratch.folder);
    expect(segments.length).toBeGreaterThan(1);
    const buffers = allocateChunks();
    const words = new Int32Array(buffers.control);
    let written = 0;
    const [first, second] = segments;
    // Stopped when the second segment is opened.
    const stopping = {
      ...second,
      get path(): string {
        written = words[0] as number;
        new ChunkReader(buffers).stop();
        return second?.path ?? "";
      },
    };
    fillChunks({
      buffers,
      range: { segments: [first, stopping] as never, afterSequence: 0, toSequence: Number.MAX_SAFE_INTEGER },
    });
    expect(written).toBeGreaterThan(1);
    // The chunk that was open then is the last.
    expect(words[0]).toBe(written + 1);
  } finally {
    scratch.clear();
  }
});

test("[JOURNAL-12] a thread pays from a million commands on that certainly follow", () => {
  const segments = [1, 1_000_001].map((firstSequence) => ({ path: "", name: "", header: { firstSequence } }) as never);
  const isWorth = (afterSequence: number, toSequence = Number.MAX_SAFE_INTEGER, more = {}, list = segments): boolean =>
    isWorthReadingAhead({ segments: list, afterSequence, toSequence }, more);
  expect([0, 1].map((after) => isWorth(after))).toEqual([true, false]);
  expect([1_000_006, 1_000_005].map((to) => isWorth(6, to))).toEqual([true, false]);
  expect([5, 6].map((count) => isWorth(999_995, undefined, { commandsMin: count }))).toEqual([true, false]);
  expect([0, 1].map((count) => isWorth(0, undefined, { commandsMin: count }, []))).toEqual([true, false]);
});
