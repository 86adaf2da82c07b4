// Owns the journal's commands in the form of a replay: unpacked, in order, many consecutively in one buffer. Must never
// return a command twice, nor one that was not verified.
import type { Files } from "../journal/files.ts";
import { FrameReader } from "../journal/frame.ts";
import { type ReadEnd, readBatches, type Segment } from "../journal/segments.ts";

/** Stamped commands back to back from byte `at` to `end`; invalid when the next span is requested. */
export interface CommandSpan {
  readonly bytes: Uint8Array;
  readonly i32: Int32Array;
  readonly f64: Float64Array;
  readonly at: number;
  readonly end: number;
}

/** Which commands of which files: those after `afterSequence` up to `toSequence`. */
export interface SpanRange {
  readonly segments: readonly Segment[];
  readonly afterSequence: number;
  readonly toSequence: number;
}

/**
 * The commands after `appliedSequence`, read on this thread. Reading starts where the range does, so that the verdict
 * on the files is the same however much of them has been applied already.
 */
export function* readSpans(
  files: Files,
  range: SpanRange,
  appliedSequence = range.afterSequence,
): Generator<CommandSpan & { readonly lastSequence: number }, ReadEnd> {
  const reader = new FrameReader();
  const { bytes, i32, f64 } = reader;
  const span = { bytes, i32, f64, at: 0, end: 0, lastSequence: 0 };
  const batches = readBatches(files, range.segments, range.afterSequence + 1, range.toSequence, true);
  for (;;) {
    const step = batches.next();
    if (step.done) return step.value;
    const { firstSequence, count } = step.value;
    if (firstSequence + count - 1 <= appliedSequence) continue;
    reader.open(step.value);
    reader.skip(appliedSequence, 0);
    while (reader.hasMore(range.toSequence)) {
      span.end = reader.fill(0, bytes.length, range.toSequence);
      span.lastSequence = reader.sequence;
      yield span;
    }
  }
}

/** Where in the span the first command after that sequence starts; its end when there is none. */
export function findAfter({ i32, f64, at: from, end }: CommandSpan, sequence: number): number {
  let at = from;
  while (at < end && (f64[(at >> 3) + 1] as number) <= sequence) at += (i32[at >> 2] as number) & 0xffff;
  return at;
}
