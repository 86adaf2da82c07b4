// Owns what a journal is to the rest of the engine: numbered batches of command frames, and a durable cursor. Must
// never depend on what a command means, nor where the batches are kept: local files now, a replicated log later.

/** Consecutive commands committed together; `frames` is opaque here (see frame.ts). */
export interface JournalBatch {
  readonly firstSequence: number;
  readonly count: number;
  /** Time of the first command, milliseconds since 1970, for listings only. */
  readonly timeMs: number;
  readonly frames: Uint8Array;
}

export interface SegmentSummary {
  readonly name: string;
  readonly index: number;
  readonly release: string;
  readonly firstSequence: number;
  readonly bytes: number;
}

/**
 * An append-only, totally ordered record of commands.
 *
 * `append` takes exactly the batch that starts at `durableSequence + 1` and returns (or resolves) only when the batch
 * would survive a power cut; it throws a fault otherwise and is unusable from then on. An implementation shared by
 * several machines must refuse a sequence that exists already: that unique number is what fences a deposed leader.
 */
export interface Journal {
  /** Who this journal is; snapshots carry it so that they are never applied to another one. */
  readonly identity: string;
  /** Sequence of the last command that would survive a power cut; 0 when empty. */
  readonly durableSequence: number;
  append(batch: JournalBatch): void | Promise<void>;
  /** Batches that hold `fromSequence` and all after it, verified; the first may start earlier. */
  read(fromSequence: number): Iterable<JournalBatch> | AsyncIterable<JournalBatch>;
  segments(): readonly SegmentSummary[];
  close(): void | Promise<void>;
}
