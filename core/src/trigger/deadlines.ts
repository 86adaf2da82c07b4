// Owns the heap of deadlines of records that are no orders: (time, kind, owner), the earliest first, ties in the order
// they were set. Owners keep their place in the heap, so a deadline can be taken out at any time. Never reads a clock.
import { assert } from "@clockwork/kit/assert";
import { Table } from "../memory/table.ts";

/** Entry n of the heap is record n: kind and owner in words, time and number in doubles. */
const STRIDE = 6;
const DOUBLES = 3;
const KIND = 0;
const OWNER = 1;
const TIME = 1;
const NUMBER = 2;

/** Tells an owner where in the heap it is now; 0 when it is in none. */
export type SetPlace = (kind: number, owner: number, place: number) => void;

export class Deadlines {
  /** The null record's number counts how many were ever set. */
  readonly heap = new Table("deadlines", STRIDE, 64);
  readonly #setPlace: SetPlace;

  constructor(setPlace: SetPlace) {
    this.#setPlace = setPlace;
  }

  get nextAt(): number {
    return this.heap.count > 1 ? (this.heap.f64[DOUBLES + TIME] as number) : Number.POSITIVE_INFINITY;
  }

  get nextKind(): number {
    return this.heap.i32[STRIDE + KIND] as number;
  }

  get nextOwner(): number {
    return this.heap.i32[STRIDE + OWNER] as number;
  }

  add(kind: number, owner: number, time: number): void {
    const at = this.heap.take();
    const number = (this.heap.f64[NUMBER] as number) + 1;
    this.heap.f64[NUMBER] = number;
    this.heap.i32[at * STRIDE + KIND] = kind;
    this.heap.i32[at * STRIDE + OWNER] = owner;
    this.heap.f64[at * DOUBLES + TIME] = time;
    this.heap.f64[at * DOUBLES + NUMBER] = number;
    this.#publish(at);
    this.#rise(at);
  }

  /** Takes out the deadline at a place; 0 is none. */
  remove(place: number): void {
    if (place === 0) return;
    const { heap } = this;
    assert(place > 0 && place < heap.count, "TIMER-1", "a deadline's place lies outside its heap");
    this.#setPlace(heap.i32[place * STRIDE + KIND] as number, heap.i32[place * STRIDE + OWNER] as number, 0);
    const last = heap.count - 1;
    if (place !== last) {
      heap.i32.copyWithin(place * STRIDE, last * STRIDE, (last + 1) * STRIDE);
      this.#publish(place);
    }
    heap.i32.fill(0, last * STRIDE, (last + 1) * STRIDE);
    heap.count = last;
    if (place === last) return;
    this.#rise(place);
    this.#sink(place);
  }

  /** Whether that deadline is at that place, for the invariants. */
  isAt(place: number, kind: number, owner: number, time: number): boolean {
    const { i32, f64 } = this.heap;
    if (place >= this.heap.count || (place > 1 && this.#isBefore(place, place >> 1))) return false;
    return (
      i32[place * STRIDE + KIND] === kind &&
      i32[place * STRIDE + OWNER] === owner &&
      f64[place * DOUBLES + TIME] === time
    );
  }

  #publish(at: number): void {
    this.#setPlace(this.heap.i32[at * STRIDE + KIND] as number, this.heap.i32[at * STRIDE + OWNER] as number, at);
  }

  #isBefore(a: number, b: number): boolean {
    const f64 = this.heap.f64;
    const timeA = f64[a * DOUBLES + TIME] as number;
    const timeB = f64[b * DOUBLES + TIME] as number;
    return (
      timeA < timeB ||
      (timeA === timeB && (f64[a * DOUBLES + NUMBER] as number) < (f64[b * DOUBLES + NUMBER] as number))
    );
  }

  #swap(a: number, b: number): void {
    const words = this.heap.i32;
    for (let i = 0; i < STRIDE; i++) {
      const kept = words[a * STRIDE + i] as number;
      words[a * STRIDE + i] = words[b * STRIDE + i] as number;
      words[b * STRIDE + i] = kept;
    }
    this.#publish(a);
    this.#publish(b);
  }

  #rise(from: number): void {
    for (let at = from; at > 1 && this.#isBefore(at, at >> 1); at >>= 1) this.#swap(at, at >> 1);
  }

  #sink(from: number): void {
    let at = from;
    for (;;) {
      let child = at * 2;
      if (child >= this.heap.count) return;
      if (child + 1 < this.heap.count && this.#isBefore(child + 1, child)) child++;
      if (!this.#isBefore(child, at)) return;
      this.#swap(at, child);
      at = child;
    }
  }
}
