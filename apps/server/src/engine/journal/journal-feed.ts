// Owns the journal thread's view of what the core has applied: submitted commands in place in their ring, the core's
// own ticks in theirs, merged by sequence. Must never skip one, nor return a command before the core published it.
import type { EngineMemory } from "../memory/memory.ts";
import { type RingMemory, RingReader } from "../memory/ring.ts";

/** Where a batch is packed; see FrameWriter. */
export interface FeedTarget {
  pack(i32: Int32Array, f64: Float64Array, from: number, to: number, sequence: number): number;
  readonly count: number;
}

export class JournalFeed {
  readonly #commands: RingReader;
  readonly #ticks: RingReader;
  /** Sequence of the next command. */
  #next: number;

  constructor(memory: Pick<EngineMemory, "journalRing" | "tickRing">, next: number) {
    this.#commands = new RingReader(memory.journalRing);
    this.#ticks = new RingReader(memory.tickRing);
    this.#next = next;
  }

  isEmpty(): boolean {
    return this.#commands.isEmpty() && this.#ticks.isEmpty();
  }

  /** Gives out commands until none waits or the target is full; their room is free again at once. */
  pack(target: FeedTarget): void {
    // Commands first: a tick that came before a command was published before it.
    while (this.#packRun(this.#commands, target) || this.#packRun(this.#ticks, target));
    this.#commands.release();
    this.#ticks.release();
    this.#checkNext();
  }

  /** A command that waits while none has the next sequence: the core's rings are broken, and nothing more is safe. */
  #checkNext(): void {
    const waits = this.#sequenceOf(this.#commands);
    // A tick before that command is seen by now, as it was published before.
    if (waits < 0 || waits === this.#next || this.#sequenceOf(this.#ticks) === this.#next) return;
    throw new RangeError(`command ${this.#next} is missing before ${waits}`);
  }

  #sequenceOf(ring: RingReader): number {
    const at = ring.peek();
    return at < 0 ? -1 : (ring.f64[(at >> 3) + 1] as number);
  }

  /** Those of one ring up to the first whose turn has not come; whether there was one at least. */
  #packRun(ring: RingReader, target: FeedTarget): boolean {
    const before = target.count;
    const at = ring.peek();
    if (at < 0) return false;
    ring.advance(target.pack(ring.i32, ring.f64, at, at + ring.span, this.#next) - at);
    this.#next += target.count - before;
    return target.count > before;
  }
}

/** A separate ring for each, in private memory: for warm-up and tests. */
export function makeFeedMemory(bytes: number): { journalRing: RingMemory; tickRing: RingMemory } {
  const words = new Int32Array(new SharedArrayBuffer(16));
  const buffer = (): SharedArrayBuffer => new SharedArrayBuffer(bytes);
  return {
    journalRing: { words, head: 0, tail: 1, buffer: buffer() },
    tickRing: { words, head: 2, tail: 3, buffer: buffer() },
  };
}
