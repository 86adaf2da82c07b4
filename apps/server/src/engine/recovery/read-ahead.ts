// Owns the thread that reads the journal ahead of a replay: when it is worth its start, what it is given, and what is
// done without it. Must never hang on it, nor let it pass a verdict on files that cannot be read to their end.

import { Worker } from "node:worker_threads";
import { measureMs } from "@clockwork/host/time/measure";
import { localFiles } from "../journal/files.ts";
import { FrameReader } from "../journal/frame.ts";
import { type ReadEnd, readBatches } from "../journal/segments.ts";
import { allocateChunks, type ChunkBuffers, ChunkReader, ChunkWriter } from "./chunk-ring.ts";
import { type CommandSpan, findAfter, readSpans, type SpanRange } from "./command-spans.ts";

/** With fewer commands the thread would hardly have started before they are all applied. */
const COMMANDS_MIN = 1_000_000;
/** A thread without output for this long is lost, or its disk is: replay continues without it. */
const TIMEOUT_MS = 5_000;
const GAVE_UP = "";
/**
 * Reading here costs a quarter of the time. A replay that waits for a larger share, over this long, is faster alone.
 */
const WAITED_SHARE_MAX = 0.25;
const WINDOW_MS = 200;

// Written out in full: the build searches for this and puts the worker next to its parent.
const READ_AHEAD_WORKER = new URL("./read-ahead-worker.ts", import.meta.url);

export interface ReadAheadOptions {
  readonly commandsMin?: number;
  readonly timeoutMs?: number;
  /** The thread's file, for callers that are bundled into another file. */
  readonly worker?: URL;
  /** Wait for the thread's first commands instead of reading here until then, so that a test controls who read them. */
  readonly fromFirst?: boolean;
}

export interface ReadAheadWorkerData {
  readonly buffers: ChunkBuffers;
  readonly range: SpanRange;
}

/** Whether enough commands certainly follow that a thread for reading them pays. */
export function isWorthReadingAhead(range: SpanRange, { commandsMin = COMMANDS_MIN }: ReadAheadOptions): boolean {
  const { segments, afterSequence, toSequence } = range;
  const known = (segments.at(-1)?.header.firstSequence ?? 1) - 1;
  const last = toSequence === Number.MAX_SAFE_INTEGER ? known : toSequence;
  return last - afterSequence >= commandsMin;
}

/**
 * The commands of the range, read and unpacked by a separate thread; on this one until that thread is up and ahead,
 * which takes as long as half a million of them. Returns undefined when the thread could not continue, whatever the
 * reason: the caller that reads the rest meets the same fault and can describe it.
 */
export function* readSpansAhead(
  range: SpanRange,
  { timeoutMs = TIMEOUT_MS, worker: url = READ_AHEAD_WORKER, fromFirst = false }: ReadAheadOptions,
  onNote?: (line: string) => void,
): Generator<CommandSpan, ReadEnd | undefined> {
  const buffers = allocateChunks();
  const worker = startThread(url, { buffers, range });
  if (worker === undefined) return undefined;
  const ring = new ChunkReader(buffers);
  try {
    let sequence = range.afterSequence;
    for (const here = readSpans(localFiles, range); !(fromFirst || ring.isHalfFull); ) {
      const step = here.next();
      if (step.done) return step.value;
      ({ lastSequence: sequence } = step.value);
      yield step.value;
      ring.pass(sequence - range.afterSequence);
    }
    const haste = new Haste(ring);
    while (ring.take(timeoutMs)) {
      if (ring.text !== undefined) return ring.text === GAVE_UP ? undefined : (JSON.parse(ring.text) as ReadEnd);
      if (!fromFirst && haste.isStarved()) return undefined;
      ring.at = findAfter(ring, sequence);
      if (ring.at < ring.end) yield ring;
    }
    onNote?.(`the thread that reads the journal ahead gave no sign for ${timeoutMs} ms; going on without it`);
    return undefined;
  } finally {
    ring.stop();
    void worker.terminate();
  }
}

/** Detects a thread that does not keep up, because its processor is busy. */
class Haste {
  readonly #ring: ChunkReader;
  #sinceMs = measureMs();
  #waitedMs = 0;

  constructor(ring: ChunkReader) {
    this.#ring = ring;
  }

  isStarved(): boolean {
    const nowMs = measureMs();
    const wholeMs = nowMs - this.#sinceMs;
    if (wholeMs < WINDOW_MS) return false;
    const { waitedMs } = this.#ring;
    const isStarved = waitedMs - this.#waitedMs > wholeMs * WAITED_SHARE_MAX;
    this.#sinceMs = nowMs;
    this.#waitedMs = waitedMs;
    return isStarved;
  }
}

/** Undefined when the system has no thread to give; the replay goes without. */
function startThread(url: URL, workerData: ReadAheadWorkerData): Worker | undefined {
  try {
    const worker = new Worker(url, { workerData, name: "read-ahead" });
    // A thread that waits for chunks receives no messages: a lost worker shows by its silence.
    worker.on("error", () => undefined);
    worker.unref();
    return worker;
  } catch {
    return undefined;
  }
}

/** The thread's side: fills chunks until the range ends, the reader is done, or a fault occurs. */
export function fillChunks({ buffers, range }: ReadAheadWorkerData): void {
  const ring = new ChunkWriter(buffers);
  try {
    const end = unpackRange(new FrameReader(buffers.chunks), ring, range);
    if (end !== undefined) ring.finish(JSON.stringify(end));
  } catch {
    ring.finish(GAVE_UP);
  }
}

/** Undefined when the reader is done. */
function unpackRange(reader: FrameReader, ring: ChunkWriter, range: SpanRange): ReadEnd | undefined {
  const { segments, afterSequence, toSequence } = range;
  const batches = readBatches(localFiles, segments, afterSequence + 1, toSequence, true);
  let at = ring.open();
  if (at < 0) return undefined;
  for (;;) {
    const step = batches.next();
    if (step.done) {
      ring.publish(at);
      return step.value;
    }
    const { firstSequence, count } = step.value;
    if (firstSequence + count - 1 <= afterSequence + ring.passed) continue;
    reader.open(step.value);
    reader.skip(afterSequence, at);
    at = reader.fill(at, ring.roomEnd, toSequence);
    while (reader.hasMore(toSequence)) {
      ring.publish(at);
      at = ring.open();
      if (at < 0) return undefined;
      at = reader.fill(at, ring.roomEnd, toSequence);
    }
  }
}
