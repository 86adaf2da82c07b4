// Owns the buffer events are written to. Never decides what happened.
import type { Byte, Double, Id, Kind, Opened, Word } from "../memory/record.ts";
import type { EventLog } from "./contract.ts";
import { EVENT_BYTES } from "./event.ts";

export const EVENT_WORDS = EVENT_BYTES / 4;
/** From a record's number to its first word. */
export const EVENT_SHIFT = 4;
const EVENT_DOUBLES = EVENT_BYTES / 8;

/**
 * Records lie in the home buffer, in the part of it that was given to the log. What does not fit there goes on in a
 * larger buffer under the same record numbers until the log is cleared; bound paths only ever write at home.
 */
export class EventBuffer implements EventLog {
  readonly home: ArrayBufferLike;
  readonly #homeWords: Int32Array;
  readonly #homeDoubles: Float64Array;
  readonly #homeBytes: Uint8Array;
  #spare: ArrayBuffer | undefined;
  /** The part of the home buffer that may be written, in records. */
  #homeStart = 0;
  #homeEnd: number;
  /** Where records are written now: at home, or elsewhere when they outgrew it. */
  i32: Int32Array;
  f64: Float64Array;
  bytes: Uint8Array;
  /** First record, and the next one to be written. */
  start = 0;
  count = 0;
  /** Records bound paths may write up to; 0 while the log is away from home. */
  capacity: number;
  /** Records that may be written up to before the log goes on elsewhere. */
  limit: number;

  /** Called when records are written elsewhere from now on. */
  onMove: () => void = () => {};

  constructor(capacity: number, home: ArrayBufferLike = new ArrayBuffer(capacity * EVENT_BYTES)) {
    this.home = home;
    this.#homeWords = new Int32Array(home);
    this.#homeDoubles = new Float64Array(home);
    this.#homeBytes = new Uint8Array(home);
    this.#homeEnd = home.byteLength / EVENT_BYTES;
    this.i32 = this.#homeWords;
    this.f64 = this.#homeDoubles;
    this.bytes = this.#homeBytes;
    this.capacity = this.#homeEnd;
    this.limit = this.#homeEnd;
  }

  get from(): number {
    return this.start * EVENT_BYTES;
  }

  get length(): number {
    return (this.count - this.start) * EVENT_BYTES;
  }

  clear(): void {
    if (this.capacity === 0) this.#returnHome();
    this.count = this.start;
  }

  place(from: number, to: number): void {
    this.#homeStart = from / EVENT_BYTES;
    this.#homeEnd = to / EVENT_BYTES;
    this.#returnHome();
    this.count = this.start;
  }

  /** Opens a record whose body is zero and returns its number; word = number × 16, double = number × 8. */
  openClean<E>(kind: Kind<E>, sub: number, flags: number, account: number, sequence: number): Opened<E> {
    const record = this.open(kind, sub, flags, account, sequence);
    const f64 = this.f64;
    for (let at = record * EVENT_DOUBLES + 2; at < (record + 1) * EVENT_DOUBLES; at++) f64[at] = 0;
    return record;
  }

  setWord<E>(record: Opened<NoInfer<E>>, member: Word<E>, value: number): void {
    this.i32[(record << EVENT_SHIFT) + member] = value;
  }

  setDouble<E>(record: Opened<NoInfer<E>>, member: Double<E>, value: number): void {
    this.f64[(record << (EVENT_SHIFT - 1)) + member] = value;
  }

  /** Of an order, or a position: its slot and its generation. */
  setId<E>(record: Opened<NoInfer<E>>, member: Id<E>, slot: number, generation: number): void {
    this.i32[(record << EVENT_SHIFT) + member] = slot;
    this.i32[(record << EVENT_SHIFT) + member + 1] = generation;
  }

  setHalf<E>(record: Opened<NoInfer<E>>, member: Byte<E>, value: number): void {
    this.setByte(record, member, value & 0xff);
    this.setByte(record, member + 1, value >>> 8);
  }

  /** Words of a text or of many small members; `member` begins a word. */
  setWords<E>(record: Opened<NoInfer<E>>, member: Byte<E>, from: ArrayLike<number>, at: number, count: number): void {
    const to = (record << EVENT_SHIFT) + (member >> 2);
    for (let i = 0; i < count; i++) this.i32[to + i] = from[at + i] as number;
  }

  setByte<E>(record: Opened<NoInfer<E>>, member: Byte<E>, value: number): void {
    this.bytes[record * EVENT_BYTES + member] = value;
  }

  /** Opens a record whose whole body the caller writes. */
  open<E>(kind: Kind<E>, sub: number, flags: number, account: number, sequence: number): Opened<E> {
    if (this.count === this.limit) this.#leaveHome();
    const record = this.count++;
    this.i32[record * EVENT_WORDS] = kind | (sub << 8) | (flags << 16);
    this.i32[record * EVENT_WORDS + 1] = account;
    this.f64[record * EVENT_DOUBLES + 1] = sequence;
    return record;
  }

  /** Makes room for so many records. */
  reserve(records: number): void {
    while (this.count + records > this.limit) this.#leaveHome();
  }

  #returnHome(): void {
    const isAway = this.i32 !== this.#homeWords;
    this.i32 = this.#homeWords;
    this.f64 = this.#homeDoubles;
    this.bytes = this.#homeBytes;
    this.start = this.#homeStart;
    this.capacity = this.#homeEnd;
    this.limit = this.#homeEnd;
    if (isAway) this.onMove();
  }

  /** Goes on in a buffer of twice the size, where every record keeps its number. */
  #leaveHome(): void {
    const wanted = this.limit * 2 * EVENT_BYTES;
    const written = this.bytes.subarray(this.from, this.from + this.length);
    // The one of the last time, unless it is just that which has become too small.
    let spare = this.#spare;
    if (spare === undefined || spare.byteLength < wanted) spare = new ArrayBuffer(wanted);
    this.#spare = spare;
    this.i32 = new Int32Array(spare);
    this.f64 = new Float64Array(spare);
    this.bytes = new Uint8Array(spare);
    this.bytes.set(written, this.from);
    this.capacity = 0;
    this.limit = spare.byteLength / EVENT_BYTES;
    this.onMove();
  }

  /** Whether paths can be bound: to the views at home. */
  get isHome(): boolean {
    return this.bytes.buffer === this.home;
  }
}
