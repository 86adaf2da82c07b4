// Which slot an order gets, beside the rule in its plainest form: journals of years ago must give the same ids again.
import { createRandom } from "@clockwork/kit/random";
import { describe, expect, it } from "vitest";
import {
  EXTRA_SHIFT,
  EXTRA_WORDS,
  FLAG_LIVE,
  GENERATION_MAX,
  O_EXTRA,
  O_FLAGS,
  O_GENERATION,
  O_NEXT,
  ORDER_SHIFT,
  Orders,
} from "./orders.ts";

const SLOTS = 2 ** 24;

/** The ids to come, with `count` slots there already and `generation` begun; a slot that `isLive` is passed by. */
function* idsOf(isLive: (slot: number) => boolean, count: number, generation: number): Generator<number> {
  let [end, round, next, given] = [count, generation, count, count];
  for (;;) {
    // From the lowest again, when the round gave out an eighth.
    if (next === end && end > 1_024 && given * 8 >= end && round < GENERATION_MAX)
      [round, next, given] = [round + 1, 1, 0];
    const slots: number[] = [];
    const ids: number[] = [];
    for (let looked = 0; next < end && looked < 4_096 && slots.length < 256; looked++, next++)
      if (!isLive(next)) slots.push(next);
    for (const slot of slots) ids.push(round * SLOTS + slot);
    if (slots.length === 0) {
      for (let more = 0; more < 256; more++) ids.push(round * SLOTS + end + more);
      const wasEnd = next === end;
      end += 256;
      if (!wasEnd && round < GENERATION_MAX) round++;
      else next = end;
    }
    given += ids.length;
    yield* ids;
  }
}

/** Orders, and what their next ids are to be. */
class ReferenceModel {
  readonly orders: Orders;
  readonly #live = new Set<number>();
  readonly #ids: Generator<number>;

  /** With slots of before there were rounds: their generations from slot 1, minus for those that live. */
  constructor(before: readonly number[] = []) {
    this.orders = new Orders(1);
    const { table } = this.orders;
    if (before.length > 0) table.grow(before.length + 1);
    table.count = before.length + 1;
    for (const [at, generation] of before.entries()) {
      const base = (at + 1) << ORDER_SHIFT;
      table.i32[base | O_GENERATION] = Math.abs(generation);
      if (generation < 0) this.#live.add(at + 1);
      if (generation < 0) table.i32[base | O_FLAGS] = FLAG_LIVE;
      // The chain as it was: from the last that is free to the first.
      else [table.i32[base | O_NEXT], table.freeHead] = [table.freeHead, at + 1];
    }
    const highest = before.reduce((most, generation) => Math.max(most, Math.abs(generation)), 0);
    this.#ids = idsOf((slot) => this.#live.has(slot), table.count, Math.min(highest, GENERATION_MAX));
  }

  place(): number {
    const slot = this.orders.take();
    const id = this.orders.id(slot);
    const wanted = this.#ids.next().value as number;
    if (id !== wanted) expect.unreachable(`${id} in ${slot}, not ${wanted}`);
    this.orders.table.i32[(slot << ORDER_SHIFT) | O_FLAGS] = FLAG_LIVE;
    this.#live.add(slot);
    return slot;
  }

  end(slot: number): void {
    this.orders.give(slot);
    this.#live.delete(slot);
  }

  /** Orders that come and go at once. */
  pass(times: number): void {
    for (let count = 0; count < times; count++) this.end(this.place());
  }
}

describe("slots of orders", () => {
  it("[BOOK-32] are given out as the rule says, while few live, then many, then few", () => {
    const random = createRandom(17);
    const reference = new ReferenceModel();
    const live: number[] = [];
    expect(reference.orders.hasRounds).toBe(false);
    for (const wanted of [10, 900, 3_000, 200, 6_000, 5_800, 40]) {
      for (let step = 0; step < 3_000; step++) {
        if (random.chance(live.length < wanted ? 4 : 1, 5)) live.push(reference.place());
        else if (live.length > 0) {
          const at = random.below(live.length);
          reference.end(live[at] as number);
          live[at] = live.at(-1) as number;
          live.pop();
        }
      }
      while (live.length > wanted) reference.end(live.pop() as number);
      reference.pass(300);
    }
    expect(reference.orders.hasRounds).toBe(true);
  });

  it.each([4_094, 4_095, 4_096, 4_097])("[BOOK-32] behind a run of %i live ones come later", (run) => {
    const reference = new ReferenceModel();
    for (let count = 0; count < run; count++) reference.place();
    reference.pass(12_000);
  });

  it.each([1, 1_023, 1_024, 2_047])(
    "[BOOK-32] of a state from before there were rounds, %i of them, go on",
    (count) => {
      // An eighth is free and no more, the last among them.
      const before = Array.from({ length: count }, (_, at): number => (at % 8 === 6 ? 3 : -3));
      for (const at of [0, count - 1]) {
        const reference = new ReferenceModel(before.with(at, at === 0 ? -9 : 9));
        reference.pass(4_000);
      }
    },
  );

  it("[BOOK-32] keep the last generation when an older state has one beyond it", () => {
    const reference = new ReferenceModel([GENERATION_MAX + 1, -5, GENERATION_MAX]);
    reference.pass(2_000);
  });

  it("[BOOK-32] reach the last generation by a round or a long run, and stay in it", () => {
    const rounds = new ReferenceModel([GENERATION_MAX - 1]);
    rounds.pass(6_000);
    for (const last of [GENERATION_MAX - 2, GENERATION_MAX - 1]) {
      const runs = new ReferenceModel(Array.from({ length: 4_500 }, (_, at) => (at < 4_400 ? -1 : last)));
      runs.pass(6_000);
    }
  });

  it("[BOOK-32] an ended order's id names nobody, and its second record is free again", () => {
    const { orders } = new ReferenceModel();
    const slot = orders.take();
    const id = orders.id(slot);
    orders.table.i32[(slot << ORDER_SHIFT) | O_FLAGS] = FLAG_LIVE;
    expect(orders.extra(slot)).toBe(1);
    orders.give(slot);
    expect(orders.id(slot)).toBe(id + SLOTS);
    const word = (field: number): unknown => orders.table.i32[(slot << ORDER_SHIFT) | field];
    expect([word(O_FLAGS), word(O_EXTRA)]).toEqual([0, 0]);
    expect(orders.extras.freeHead).toBe(1);
  });
});

describe("second records of orders", () => {
  it("are made once, begin empty, and leave their neighbours alone when they go", () => {
    const orders = new Orders(1);
    const slots = Array.from({ length: 4 }, () => orders.take());
    const extras = slots.map((slot) => orders.extra(slot));
    expect([extras, slots.map((slot) => orders.extra(slot))]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]);
    const words = (extra: number): number[] => [
      ...orders.extras.i32.subarray(extra << EXTRA_SHIFT, (extra + 1) << EXTRA_SHIFT),
    ];
    const filled = (by: number): number[] => Array.from({ length: EXTRA_WORDS }, () => by);
    for (const extra of extras) orders.extras.i32.fill(extra, extra << EXTRA_SHIFT, (extra + 1) << EXTRA_SHIFT);
    // What is free is zero but for its chain: it is part of the state.
    orders.give(slots[1] as number);
    orders.give(slots[2] as number);
    expect([1, 2, 3, 4].map(words)).toEqual([filled(1), filled(0), [2, ...filled(0).slice(1)], filled(4)]);
    const later = orders.take();
    expect([orders.extra(later), orders.extra(slots[0] as number), orders.extras.freeHead]).toEqual([3, 1, 2]);
    expect([1, 2, 3, 4].map(words)).toEqual([filled(1), filled(0), filled(0), filled(4)]);
  });
});
