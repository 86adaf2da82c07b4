// Owns the journal thread's work: take all that waits, commit it as one batch, move the durable cursor.
// Must never move the cursor before the journal said that the batch is safe.

import { FrameWriter } from "./frame.ts";
import type { Journal } from "./journal.ts";
import { FRAMES_BYTES_MAX } from "./journal-format.ts";
import type { EngineMemory } from "./memory.ts";
import { RingReader } from "./ring.ts";

const IDLE_MS = 1_000;

/** Runs until `memory.stop()` and nothing waits any more; throws the journal's fault. */
export async function runJournal(
  journal: Journal,
  memory: EngineMemory,
  framesBytesMax = FRAMES_BYTES_MAX,
): Promise<void> {
  const ring = new RingReader(memory.journalRing);
  const writer = new FrameWriter(framesBytesMax);
  const hasWork = (): boolean => !ring.isEmpty() || memory.stopping;
  for (;;) {
    writer.reset();
    packWaiting(ring, writer);
    if (writer.count === 0) {
      if (memory.stopping && ring.isEmpty()) return;
      memory.journalBell.wait(hasWork, IDLE_MS);
      continue;
    }
    const { firstSequence, count, timeMs, bytes, length } = writer;
    const committing = journal.append({ firstSequence, count, timeMs, frames: bytes.subarray(0, length) });
    // Local files return when the disk has it; a replicated journal would let us wait here.
    if (committing !== undefined) await committing;
    memory.setDurable(journal.durableSequence);
    memory.coreBell.ring();
  }
}

/** Takes commands off the ring until it is empty or the batch is full; the ring is free again at once. */
export function packWaiting(ring: RingReader, writer: FrameWriter): void {
  for (let at = ring.peek(); at >= 0; at = ring.peek()) {
    const length = (ring.i32[at >> 2] as number) & 0xffff;
    if (!writer.fits(length)) break;
    writer.add(ring.i32, ring.f64, at);
    ring.advance(length);
  }
  ring.release();
}
