// Checks the segments a start need not read, because a snapshot covers them: damage there would only be found when the
// journal is replayed from its start, when it may be too late to restore the segment. Never writes.

import { readSegment } from "../journal/archived.ts";
import type { Files } from "../journal/files.ts";
import { CHAIN_BYTES } from "../journal/journal-format.ts";
import { scanSegment } from "../journal/journal-scan.ts";
import { damageAt, listSegments } from "../journal/segments.ts";
import { EngineFault } from "../memory/fault.ts";

/** Yields after each good segment that ends with the snapshot's command or before; throws for the first that is not. */
export function* scrubSegments(files: Files, folder: string, snapshotSequence: number): Generator<void> {
  const segments = listSegments(files, folder);
  let bytes: Uint8Array | undefined;
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1];
    if (next === undefined || next.header.firstSequence > snapshotSequence + 1) return;
    // Archived segments were read back when archived, and are checked when fetched.
    if (segment.isArchived) continue;
    bytes = readSegment(files, segment.path, bytes);
    const scan = scanSegment(bytes, segment.header.firstSequence);
    let step = scan.next();
    while (!step.done) step = scan.next();
    const stop = step.value;
    const isJoined =
      stop.sequence === next.header.firstSequence &&
      next.header.chain.every((byte, at) => bytes?.[stop.offset - CHAIN_BYTES + at] === byte);
    if (stop.kind === "damaged" || !isJoined) {
      const { message } = damageAt(segment, stop);
      throw new EngineFault(
        "JOURNAL_DAMAGED",
        `${message}. Trading continues from the snapshot behind it, but the journal cannot be replayed from its beginning: restore this segment from a copy`,
      );
    }
    yield;
  }
}
