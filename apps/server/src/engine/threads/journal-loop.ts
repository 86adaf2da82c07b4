// Owns the journal thread's work: take all that waits, commit it as one batch, move the durable cursor. Must never move
// the cursor before the journal confirmed that the batch is safe.

import { FrameWriter } from "../journal/frame.ts";
import type { Journal } from "../journal/journal.ts";
import { JournalFeed } from "../journal/journal-feed.ts";
import { FRAMES_BYTES_MAX } from "../journal/journal-format.ts";
import type { EngineMemory } from "../memory/memory.ts";

const IDLE_MS = 1_000;

/** Runs until `memory.stop()` and nothing waits any more; throws the journal's fault. */
export async function runJournal(
  journal: Journal,
  memory: EngineMemory,
  framesBytesMax = FRAMES_BYTES_MAX,
): Promise<void> {
  const feed = new JournalFeed(memory, journal.durableSequence + 1);
  const writer = new FrameWriter(framesBytesMax);
  const hasWork = (): boolean => !feed.isEmpty() || memory.stopping;
  for (;;) {
    writer.reset();
    feed.pack(writer);
    if (writer.count === 0) {
      if (memory.stopping && feed.isEmpty()) return;
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
