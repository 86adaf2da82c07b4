// Owns the layout of the memory that the engine's threads share: rings, bells, cursors and flags. Must be the only
// place that assigns a meaning to a word.
import { Bell, type RingMemory } from "./ring.ts";

export interface RingSizes {
  /** Commands waiting for the core, then for the journal; full means ENGINE_BUSY. Each size is a power of two. */
  readonly commandBytes: number;
  /** Events waiting for their commit, then for the main thread. */
  readonly eventBytes: number;
}

// Large enough for what the core does while a batch is packed and synced; what does not fit waits one ring earlier.
export const RING_SIZES_DEFAULT: RingSizes = { commandBytes: 4 << 20, eventBytes: 8 << 20 };
const TICK_BYTES = 64 << 10;
const PLACE_BYTES_MAX = 128 << 10;

/** The part of the event ring that a machine writes one group's events into: small enough for the core's cache. */
export function placeBytes(eventBytes: number): number {
  return Math.min(PLACE_BYTES_MAX, eventBytes >> 3);
}

/** What is passed to each worker; plain shared buffers. */
export interface EngineBuffers {
  readonly control: SharedArrayBuffer;
  readonly commands: SharedArrayBuffer;
  readonly ticks: SharedArrayBuffer;
  readonly events: SharedArrayBuffer;
}

// 32-bit words 32 apart: no two threads write to one cache line nor to the pair of lines that is fetched together. The
// doubles follow them.
const WORD = {
  commandHead: 0,
  commandApplied: 32,
  commandTail: 64,
  tickHead: 96,
  tickTail: 128,
  eventHead: 160,
  eventTail: 192,
  coreBell: 224,
  journalBell: 256,
  mainBell: 288,
  durable: 320,
  failed: 352,
  request: 384,
  spare: 416,
  state: 480,
  stopping: 512,
} as const;
const DOUBLE = { sequence: 272, durableSequence: 288, replayTarget: 304, tablesSequence: 320 } as const;
const CONTROL_BYTES = 4096;

export const STATES = ["starting", "replaying", "running", "halted"] as const;
export type EngineState = (typeof STATES)[number];

export function allocateBuffers(sizes: RingSizes): EngineBuffers {
  for (const [name, bytes] of Object.entries(sizes)) {
    if (bytes < 1 << 16 || bytes > 1 << 30 || (bytes & (bytes - 1)) !== 0) {
      throw new RangeError(`${name} must be a power of two from 64 KiB to 1 GiB`);
    }
  }
  return {
    control: new SharedArrayBuffer(CONTROL_BYTES),
    commands: new SharedArrayBuffer(sizes.commandBytes),
    ticks: new SharedArrayBuffer(TICK_BYTES),
    events: new SharedArrayBuffer(sizes.eventBytes),
  };
}

export class EngineMemory {
  /** Commands by their three hands: who writes them, the core that stamps them, the journal that gives the room back. */
  readonly commandRing: RingMemory;
  readonly coreRing: RingMemory;
  readonly journalRing: RingMemory;
  /** Commands of the core's own for the journal, which merges them by sequence. */
  readonly tickRing: RingMemory;
  readonly eventRing: RingMemory;
  readonly coreBell: Bell;
  readonly journalBell: Bell;
  readonly mainBell: Bell;
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;

  constructor(buffers: EngineBuffers) {
    const words = new Int32Array(buffers.control);
    this.#words = words;
    this.#doubles = new Float64Array(buffers.control);
    const { commands, ticks, events } = buffers;
    this.commandRing = { words, head: WORD.commandHead, tail: WORD.commandTail, buffer: commands };
    this.coreRing = { words, head: WORD.commandHead, tail: WORD.commandApplied, buffer: commands };
    this.journalRing = { words, head: WORD.commandApplied, tail: WORD.commandTail, buffer: commands };
    this.tickRing = { words, head: WORD.tickHead, tail: WORD.tickTail, buffer: ticks };
    this.eventRing = { words, head: WORD.eventHead, tail: WORD.eventTail, buffer: events };
    this.coreBell = new Bell(words, WORD.coreBell);
    this.journalBell = new Bell(words, WORD.journalBell);
    this.mainBell = new Bell(words, WORD.mainBell);
  }

  /** Low 32 bits of the last durable sequence; its readers have the rest. */
  get durableLow(): number {
    return Atomics.load(this.#words, WORD.durable);
  }
  setDurable(sequence: number): void {
    this.#doubles[DOUBLE.durableSequence] = sequence;
    Atomics.store(this.#words, WORD.durable, (sequence % 2 ** 32) | 0);
  }
  get durableSequence(): number {
    return this.#doubles[DOUBLE.durableSequence] ?? 0;
  }

  get sequence(): number {
    return this.#doubles[DOUBLE.sequence] ?? 0;
  }
  set sequence(value: number) {
    this.#doubles[DOUBLE.sequence] = value;
  }

  /** Where the replay at the start will end. */
  get replayTarget(): number {
    return this.#doubles[DOUBLE.replayTarget] ?? 0;
  }
  set replayTarget(value: number) {
    this.#doubles[DOUBLE.replayTarget] = value;
  }

  /** How far the slowest of those who keep events has stored them. */
  get tablesSequence(): number {
    return this.#doubles[DOUBLE.tablesSequence] ?? 0;
  }
  set tablesSequence(value: number) {
    this.#doubles[DOUBLE.tablesSequence] = value;
  }

  get state(): EngineState {
    return STATES[Atomics.load(this.#words, WORD.state)] ?? "halted";
  }
  set state(state: EngineState) {
    Atomics.store(this.#words, WORD.state, STATES.indexOf(state));
  }

  /** The journal could not write: nothing more becomes durable. */
  get failed(): boolean {
    return Atomics.load(this.#words, WORD.failed) !== 0;
  }
  fail(): void {
    Atomics.store(this.#words, WORD.failed, 1);
  }

  /** A message waits on the core worker's port. */
  takeRequest(): boolean {
    return Atomics.exchange(this.#words, WORD.request, 0) !== 0;
  }
  get requested(): boolean {
    return Atomics.load(this.#words, WORD.request) !== 0;
  }
  request(): void {
    Atomics.store(this.#words, WORD.request, 1);
  }

  /** The journal worker is to write what waits and end. */
  get stopping(): boolean {
    return Atomics.load(this.#words, WORD.stopping) !== 0;
  }
  stop(): void {
    Atomics.store(this.#words, WORD.stopping, 1);
  }

  /** Number of the blank segment file that is ready to be taken; 0 for none. */
  get spare(): number {
    return Atomics.load(this.#words, WORD.spare);
  }
  set spare(value: number) {
    Atomics.store(this.#words, WORD.spare, value);
  }
}
