// Owns the heap of things that wait for a time: (time, owner) with the earliest first, ties by the owner's id.
// Owners keep their place in the heap, so a timer can be taken out at any time. Never reads a clock.

import { assert } from "@clockwork/kit/assert";
import { atExtra, atOrder, EXTRA_WORDS, O_EXTRA, type Orders, X_TIMER, XF_TIME } from "../book/orders.ts";
import { getDouble, getWord, setDouble, setWord } from "../memory/record.ts";
import { Table } from "../memory/table.ts";

/** Entry n of the heap is record n; word 0 is the owner's slot. The time lives in the owner's extra record. */
const STRIDE = 2;

export class Timers {
  readonly heap = new Table("timers", STRIDE, 64);
  readonly orders: Orders;

  constructor(orders: Orders) {
    this.orders = orders;
  }

  get nextAt(): number {
    return this.heap.count > 1 ? this.#time(this.heap.i32[STRIDE] as number) : Number.POSITIVE_INFINITY;
  }

  /** The slot whose timer is next; only when nextAt is finite. */
  get nextSlot(): number {
    return this.heap.i32[STRIDE] as number;
  }

  add(slot: number, time: number): void {
    const extra = this.orders.extra(slot);
    setDouble(this.orders.extras.f64, atExtra(extra), XF_TIME, time);
    const at = this.heap.take();
    this.#put(at, slot);
    this.#rise(at);
  }

  /** Takes a slot's timer out, when it has one. */
  remove(slot: number): void {
    const extra = getWord(this.orders.table.i32, atOrder(slot), O_EXTRA);
    if (extra === 0) return;
    const at = getWord(this.orders.extras.i32, atExtra(extra), X_TIMER);
    if (at === 0) return;
    setWord(this.orders.extras.i32, atExtra(extra), X_TIMER, 0);
    const last = this.heap.count - 1;
    assert(at <= last, "TIMER-2", "a timer's place lies outside its heap");
    const moved = this.heap.i32[last * STRIDE] as number;
    this.heap.i32[last * STRIDE] = 0;
    this.heap.count = last;
    if (at === last) return;
    this.#put(at, moved);
    this.#rise(at);
    this.#sink(this.#placeOf(moved));
  }

  #extraOf(slot: number): number {
    return getWord(this.orders.table.i32, atOrder(slot), O_EXTRA);
  }

  #time(slot: number): number {
    return getDouble(this.orders.extras.f64, atExtra(this.#extraOf(slot)), XF_TIME);
  }

  #placeOf(slot: number): number {
    return getWord(this.orders.extras.i32, this.#extraOf(slot) * EXTRA_WORDS, X_TIMER);
  }

  #put(at: number, slot: number): void {
    this.heap.i32[at * STRIDE] = slot;
    setWord(this.orders.extras.i32, this.#extraOf(slot) * EXTRA_WORDS, X_TIMER, at);
  }

  #before(a: number, b: number): boolean {
    const timeA = this.#time(a);
    const timeB = this.#time(b);
    return timeA < timeB || (timeA === timeB && this.orders.id(a) < this.orders.id(b));
  }

  #rise(from: number): void {
    let at = from;
    while (at > 1) {
      const parent = at >> 1;
      const slot = this.heap.i32[at * STRIDE] as number;
      const above = this.heap.i32[parent * STRIDE] as number;
      if (!this.#before(slot, above)) return;
      this.#put(at, above);
      this.#put(parent, slot);
      at = parent;
    }
  }

  #sink(from: number): void {
    let at = from;
    for (;;) {
      let child = at * 2;
      if (child >= this.heap.count) return;
      const words = this.heap.i32;
      if (
        child + 1 < this.heap.count &&
        this.#before(words[(child + 1) * STRIDE] as number, words[child * STRIDE] as number)
      )
        child++;
      const slot = words[at * STRIDE] as number;
      const below = words[child * STRIDE] as number;
      if (!this.#before(below, slot)) return;
      this.#put(at, below);
      this.#put(child, slot);
      at = child;
    }
  }
}
