// Owns what commands have caused and not yet done: a queue, first come first served, and how much of it one command may
// work off. Says nothing about what an entry means.
import { assert } from "@clockwork/kit/assert";
import { Table } from "../memory/table.ts";

/** So many follow-ups run in one command; the rest waits for the next tick, and others' orders come between. */
export const FOLLOW_UPS_MAX = 256;

/** Kinds of entries, in the order in which those of one command run. */
export const FOLLOW_LIST = 0;
export const FOLLOW_PLAN = 1;
export const FOLLOW_BOT = 2;
export const FOLLOW_COPY = 3;

/** An entry is 32 bytes: kind and a record of the kind's own in words; what it is about, cause and a value in doubles. */
const STRIDE = 8;
const DOUBLES = 4;
const KIND = 0;
const RECORD = 1;
const SUBJECT = 1;
const CAUSE = 2;
const VALUE = 3;
/** Of the null record: entries worked off that still lie before the others. */
const DONE = 0;
/** So many lie idle at the front before the others move up. */
const IDLE_MAX = 1_024;

export class FollowUps {
  readonly queue = new Table("follow-ups", STRIDE, 64);
  /** The entry taken last. Scratch. */
  readonly taken = { kind: 0, record: 0, subject: 0, cause: 0, value: 0 };
  /** The command the budget is of, and what it has left. Scratch. */
  #sequence = 0;
  #left = 0;

  get isEmpty(): boolean {
    return this.queue.count === 1;
  }

  get length(): number {
    return this.queue.count - 1 - (this.queue.i32[DONE] as number);
  }

  /** Leave for one more follow-up in this command. */
  spend(sequence: number): boolean {
    if (sequence !== this.#sequence) {
      this.#sequence = sequence;
      this.#left = FOLLOW_UPS_MAX;
    }
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  /** Another state is loaded: its commands have their own budgets. */
  remove(): void {
    this.#sequence = 0;
  }

  add(kind: number, record: number, subject: number, cause: number, value: number): void {
    const at = this.queue.take();
    const { i32, f64 } = this.queue;
    i32[at * STRIDE + KIND] = kind;
    i32[at * STRIDE + RECORD] = record;
    f64[at * DOUBLES + SUBJECT] = subject;
    f64[at * DOUBLES + CAUSE] = cause;
    f64[at * DOUBLES + VALUE] = value;
  }

  /** Takes the oldest entry out, to `taken`; there must be one. */
  shift(): void {
    const { i32 } = this.queue;
    assert(this.length > 0, "QUEUE-1", "a follow-up is taken where none waits");
    const done = (i32[DONE] as number) + 1;
    this.#read(done);
    i32[DONE] = done;
    if (done === this.queue.count - 1) this.#drop(done);
    else if (done >= IDLE_MAX && done * 2 > this.queue.count) this.#drop(done);
  }

  /** Every entry that waits, oldest first. */
  *waiting(): Generator<FollowUps["taken"]> {
    for (let at = (this.queue.i32[DONE] as number) + 1; at < this.queue.count; at++) {
      this.#read(at);
      yield { ...this.taken };
    }
  }

  #read(at: number): void {
    const { i32, f64 } = this.queue;
    this.taken.kind = i32[at * STRIDE + KIND] as number;
    this.taken.record = i32[at * STRIDE + RECORD] as number;
    this.taken.subject = f64[at * DOUBLES + SUBJECT] as number;
    this.taken.cause = f64[at * DOUBLES + CAUSE] as number;
    this.taken.value = f64[at * DOUBLES + VALUE] as number;
  }

  /** Those worked off are forgotten and the others move up; what lay behind is zero again, as a fresh record is. */
  #drop(done: number): void {
    const { i32, count } = this.queue;
    i32.copyWithin(STRIDE, (done + 1) * STRIDE, count * STRIDE);
    i32.fill(0, (count - done) * STRIDE, count * STRIDE);
    i32[DONE] = 0;
    this.queue.count = count - done;
  }
}
