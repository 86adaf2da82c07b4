// Owns a machine of a few lines for tests of the host: it counts and hashes commands, breaks on demand, sets timers.
// Must never be used by the running server.
import type { EventLog, Machine } from "@clockwork/core/protocol/contract";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import { RuleViolation } from "@clockwork/kit/assert";
import { crc32c } from "@clockwork/kit/hash";
import type { MachineFactory } from "../recovery/recovery.ts";

/** Accounts that make the test machine do something other than count. */
export const BREAKING_ACCOUNT = 666;
export const FLOODING_ACCOUNT = 777;
export const TIMER_ACCOUNT = 555;
/** Has a timer due every millisecond from then on, as a live market has. */
export const LIVE_ACCOUNT = 556;
export const FLOOD_EVENTS = 200_000;
const TIMER_MS = 30;
const STATE_BYTES = 40;

class TestMachine implements Machine {
  bytes = new Uint8Array(1 << 16);
  readonly home = this.bytes.buffer;
  readonly from = 0;
  length = 0;
  sequence = 0;
  now = 0;
  readonly rules = 0;
  nextTimerAt = Number.POSITIVE_INFINITY;
  hash = 0;
  isLive = false;
  readonly events: EventLog = this;

  clear(): void {
    this.length = 0;
  }

  /** Keeps its own buffer, so that the host has to copy. */
  place(): void {
    this.clear();
  }

  apply(bytes: Uint8Array, at: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at);
    const sequence = view.getFloat64(8, true);
    const account = view.getInt32(4, true);
    if (sequence !== this.sequence + 1) throw new RuleViolation("TOY-2", `sequence ${sequence} after ${this.sequence}`);
    if (view.getFloat64(16, true) < this.now) throw new RuleViolation("TOY-3", "time goes back");
    this.now = view.getFloat64(16, true);
    this.#emit(sequence, view.getUint8(2), account);
    if (account === BREAKING_ACCOUNT) throw new RuleViolation("TOY-1", "asked to break");
    if (account === FLOODING_ACCOUNT) for (let n = 1; n < FLOOD_EVENTS; n++) this.#emit(sequence, n & 1, account);
    if (account === TIMER_ACCOUNT) this.nextTimerAt = this.now + TIMER_MS;
    if (account === LIVE_ACCOUNT) this.isLive = true;
    if (this.now >= this.nextTimerAt) this.nextTimerAt = Number.POSITIVE_INFINITY;
    if (this.isLive) this.nextTimerAt = this.now + 1;
    this.sequence = sequence;
    this.hash = crc32c(bytes, at, at + view.getUint16(0, true), this.hash);
  }

  #emit(sequence: number, kind: number, account: number): void {
    if (this.length + EVENT_BYTES > this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    const view = new DataView(this.bytes.buffer, this.length, EVENT_BYTES);
    view.setUint8(0, EVENTS.applied.kind);
    view.setUint8(1, kind);
    view.setInt32(4, account, true);
    view.setFloat64(8, sequence, true);
    this.length += EVENT_BYTES;
  }

  stateHash(): string {
    return this.hash.toString(16);
  }

  snapshot(): Uint8Array[] {
    const { sequence, now, nextTimerAt, hash, isLive } = this;
    return [new Uint8Array(Float64Array.of(sequence, now, nextTimerAt, hash, isLive ? 1 : 0).buffer)];
  }

  restore(parts: readonly Uint8Array[] = new TestMachine().snapshot()): void {
    const [bytes] = parts;
    if (bytes?.length !== STATE_BYTES) throw new RuleViolation("TOY-4", "another layout");
    const [sequence = 0, now = 0, nextTimerAt = 0, hash = 0, live] = new Float64Array(
      bytes.buffer,
      bytes.byteOffset,
      5,
    );
    Object.assign(this, { sequence, now, nextTimerAt, hash, isLive: live === 1 });
  }
}

export const testFactory: MachineFactory = {
  createMachine: () => new TestMachine(),
  restoreMachine: (parts) => {
    const machine = new TestMachine();
    machine.restore(parts);
    return machine;
  },
};
