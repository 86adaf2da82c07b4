// Owns the main thread's end of the event ring: resolves the promises of submitted commands and hands event batches
// to subscribers in order. Must never hand out a batch twice or out of order, and keeps a bound on what waits.

import { EVENT_BYTES, EVENT_HEADER, EVENTS } from "@clockwork/core/protocol/event";
import type { Ack, EventBatch, EventListener } from "@clockwork/host/engine";
import { makeAck } from "../memory/ack.ts";
import type { EngineMemory } from "../memory/memory.ts";
import { RingReader } from "../memory/ring.ts";
import { CHUNK_HEADER_BYTES, FLAG_CONTINUES, FLAG_SUBMITTED } from "./event-chunk.ts";

interface PendingCommand {
  readonly kind: number;
  readonly resolve: (ack: Ack) => void;
}

const CLOCK = EVENTS.clock.kind;
const IDLE_MS = 1_000;
const CHUNKS_A_TURN = 64;

export class EventPump {
  readonly #memory: EngineMemory;
  readonly #ring: RingReader;
  readonly #listeners = new Set<EventListener>();
  readonly #onListenerError: (error: unknown) => void;
  #pending: (PendingCommand | undefined)[] = [];
  #taken = 0;
  #carry: { readonly pieces: Uint8Array[]; readonly timeBeforeMs: number; readonly sequence: number } | undefined;
  #stopped = false;
  #running: Promise<void> | undefined;
  #drainWaiters: (() => void)[] = [];
  /** Last sequence handed out. */
  sequence = 0;

  constructor(memory: EngineMemory, onListenerError: (error: unknown) => void) {
    this.#memory = memory;
    this.#ring = new RingReader(memory.eventRing);
    this.#onListenerError = onListenerError;
  }

  get pendingCount(): number {
    return this.#pending.length - this.#taken;
  }

  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Expects the answer of a command just put into the ring; answers come in the same order. */
  expect(kind: number, resolve: (ack: Ack) => void): void {
    this.#pending.push({ kind, resolve });
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Reads what is left and ends. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#memory.mainBell.ring();
    await this.#running;
  }

  /** Resolves when all that was released so far has been handed out. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#drainWaiters.push(resolve);
      this.#memory.mainBell.ring();
    });
  }

  /** Answers everything that still waits with the same ack. */
  abandon(ack: Ack): void {
    for (; this.#taken < this.#pending.length; this.#taken++) this.#pending[this.#taken]?.resolve(ack);
    this.#pending = [];
    this.#taken = 0;
  }

  async #run(): Promise<void> {
    const ready = (): boolean => this.#stopped || this.#drainWaiters.length > 0 || !this.#ring.isEmpty();
    for (;;) {
      let chunks = 0;
      for (let at = this.#ring.peek(); at >= 0 && chunks < CHUNKS_A_TURN; at = this.#ring.peek(), chunks++) {
        const batch = this.#takeChunk(at);
        // Only a core that found the ring full waits for room.
        const wasCrowded = this.#ring.isCrowded();
        this.#ring.release();
        if (wasCrowded) this.#memory.coreBell.ring();
        if (batch !== undefined) await this.#handOut(batch);
      }
      if (chunks === 0) for (const resolve of this.#drainWaiters.splice(0)) resolve();
      if (chunks === 0 && this.#stopped) return;
      if (chunks === 0) await this.#memory.mainBell.waitAsync(ready, IDLE_MS);
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #handOut(batch: EventBatch): Promise<void> {
    this.sequence = batch.lastSequence;
    for (const listener of this.#listeners) {
      try {
        const waiting = listener(batch);
        if (waiting !== undefined) await waiting;
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  /** Copies one chunk out of the ring; a command whose events continue in the next chunk is held back for it. */
  #takeChunk(at: number): EventBatch | undefined {
    const { i32, f64 } = this.#ring;
    const total = i32[at >> 2] as number;
    const flags = i32[(at >> 2) + 1] as number;
    const lastSequence = f64[(at >> 3) + 2] as number;
    const timeBeforeMs = f64[(at >> 3) + 3] as number;
    const bytes: Uint8Array = this.#ring.bytes.slice(at + CHUNK_HEADER_BYTES, at + total);
    this.#ring.advance(total);
    const continues = (flags & FLAG_CONTINUES) !== 0;
    const carry = this.#carry;
    if (carry === undefined && !continues) return this.#makeBatch(bytes, flags, timeBeforeMs);
    if (carry !== undefined && continues && lastSequence === carry.sequence) {
      carry.pieces.push(bytes);
      return undefined;
    }
    const joined = carry === undefined ? bytes : Buffer.concat([...carry.pieces, bytes]);
    const time = carry?.timeBeforeMs ?? timeBeforeMs;
    this.#carry = undefined;
    if (!continues) return this.#makeBatch(joined, flags, time);
    let cut = joined.length;
    while (cut > 0 && sequenceAt(joined, cut - EVENT_BYTES) === lastSequence) cut -= EVENT_BYTES;
    const whole = joined.subarray(0, cut);
    this.#carry = { pieces: [joined.slice(cut)], timeBeforeMs: timeAfter(whole, time), sequence: lastSequence };
    return cut === 0 ? undefined : this.#makeBatch(whole, flags, time);
  }

  #makeBatch(bytes: Uint8Array, flags: number, timeBeforeMs: number): EventBatch {
    if ((flags & FLAG_SUBMITTED) !== 0) this.#answer(bytes, timeBeforeMs);
    const lastSequence = sequenceAt(bytes, bytes.length - EVENT_BYTES);
    return { firstSequence: sequenceAt(bytes, 0), lastSequence, timeBeforeMs, bytes };
  }

  #answer(bytes: Uint8Array, timeBeforeMs: number): void {
    // One view for all: every order passes here.
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let time = timeBeforeMs;
    for (let from = 0; from < bytes.length; ) {
      const sequence = EVENT_HEADER.sequence.read(view, from);
      const timeBefore = time;
      let to = from;
      do {
        if (EVENT_HEADER.kind.read(view, to) === CLOCK) time = EVENTS.clock.layout.time.read(view, to);
        to += EVENT_BYTES;
      } while (to < bytes.length && EVENT_HEADER.sequence.read(view, to) === sequence);
      const command = this.#pending[this.#taken];
      this.#pending[this.#taken++] = undefined;
      command?.resolve(makeAck(bytes, view, from, to, command.kind, timeBefore));
      from = to;
    }
    if (this.#taken === this.#pending.length) {
      this.#pending = [];
      this.#taken = 0;
    } else if (this.#taken > 4096) {
      this.#pending = this.#pending.slice(this.#taken);
      this.#taken = 0;
    }
  }
}

function sequenceAt(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + at, EVENT_BYTES).getFloat64(8, true);
}

/** Journal time after these events, from their clock events. */
function timeAfter(bytes: Uint8Array, timeBeforeMs: number): number {
  let time = timeBeforeMs;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
    if (EVENT_HEADER.kind.read(view, at) === CLOCK) time = EVENTS.clock.layout.time.read(view, at);
  }
  return time;
}
