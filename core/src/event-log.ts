// Owns the buffer events are written to. Never decides what happened.
import type { EventLog } from "./contract.ts";
import { EVENT_BYTES } from "./event.ts";

const EVENT_WORDS = EVENT_BYTES / 4;
const EVENT_DOUBLES = EVENT_BYTES / 8;

export class EventBuffer implements EventLog {
  i32: Int32Array;
  f64: Float64Array;
  bytes: Uint8Array;
  /** Records written. */
  count = 0;
  capacity: number;
  /** Called when the views were replaced. */
  onGrow: () => void = () => {};

  constructor(capacity: number) {
    this.capacity = capacity;
    const buffer = new ArrayBuffer(capacity * EVENT_BYTES);
    this.i32 = new Int32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.bytes = new Uint8Array(buffer);
  }

  get length(): number {
    return this.count * EVENT_BYTES;
  }

  clear(): void {
    this.count = 0;
  }

  /** Opens a record whose body is zero and returns its number; word = number × 16, double = number × 8. */
  openClean(kind: number, sub: number, flags: number, account: number, sequence: number): number {
    const record = this.open(kind, sub, flags, account, sequence);
    this.f64.fill(0, record * EVENT_DOUBLES + 2, (record + 1) * EVENT_DOUBLES);
    return record;
  }

  /** Opens a record whose whole body the caller writes. */
  open(kind: number, sub: number, flags: number, account: number, sequence: number): number {
    if (this.count === this.capacity) this.#grow();
    const record = this.count++;
    this.i32[record * EVENT_WORDS] = kind | (sub << 8) | (flags << 16);
    this.i32[record * EVENT_WORDS + 1] = account;
    this.f64[record * EVENT_DOUBLES + 1] = sequence;
    return record;
  }

  #grow(): void {
    this.capacity *= 2;
    const buffer = new ArrayBuffer(this.capacity * EVENT_BYTES);
    const i32 = new Int32Array(buffer);
    i32.set(this.i32);
    this.i32 = i32;
    this.f64 = new Float64Array(buffer);
    this.bytes = new Uint8Array(buffer);
    this.onGrow();
  }
}
