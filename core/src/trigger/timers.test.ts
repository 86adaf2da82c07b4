// Timers of orders beside a plain sorted list.
import { createRandom } from "@clockwork/kit/random";
import { expect, it } from "vitest";
import { EXTRA_WORDS, FLAG_LIVE, O_FLAGS, O_GENERATION, ORDER_SHIFT, Orders, X_TIMER } from "../book/orders.ts";
import { Timers } from "./timers.ts";

/** A live order; its id is higher than that of others only where its generation is. */
function place(orders: Orders, generation: number): number {
  const slot = orders.take();
  orders.table.i32[(slot << ORDER_SHIFT) | O_FLAGS] = FLAG_LIVE;
  orders.table.i32[(slot << ORDER_SHIFT) | O_GENERATION] = generation;
  return slot;
}

it("timers come earliest first, ties by the order's id, and any may be taken out before", () => {
  const random = createRandom(29);
  const orders = new Orders(64);
  const timers = new Timers(orders);
  let waiting: { slot: number; id: number; time: number }[] = [];
  const placeOf = (slot: number): number => orders.extras.i32[orders.extra(slot) * EXTRA_WORDS + X_TIMER] as number;
  for (let turn = 0; turn < 800; turn++) {
    if (waiting.length < 100 && random.chance(11, 20)) {
      const slot = place(orders, random.below(4));
      const time = 1_000 + random.below(60);
      timers.add(slot, time);
      waiting.push({ slot, id: orders.id(slot), time });
    } else if (waiting.length > 0) {
      const out = random.chance(1, 2) ? (waiting[0] as (typeof waiting)[number]) : random.pick(waiting);
      timers.remove(out.slot);
      expect(placeOf(out.slot)).toBe(0);
      // What has no timer any more loses none.
      timers.remove(out.slot);
      orders.give(out.slot);
      waiting = waiting.filter((one) => one !== out);
    }
    waiting = waiting.toSorted((a, b) => a.time - b.time || a.id - b.id);
    const { i32, count, usedWords } = timers.heap;
    const [next] = waiting;
    expect([timers.nextAt, timers.nextSlot, count - 1]).toEqual([
      ...[next?.time ?? Number.POSITIVE_INFINITY, next?.slot ?? 0, waiting.length],
    ]);
    expect(waiting.some(({ slot }) => i32[placeOf(slot) * 2] !== slot)).toBe(false);
    expect(i32.subarray(usedWords).some((word) => word !== 0)).toBe(false);
  }
  for (const { slot } of waiting) {
    expect(timers.nextSlot).toBe(slot);
    timers.remove(slot);
  }
});

it("an order without a timer loses none of another's", () => {
  const orders = new Orders(4);
  const timers = new Timers(orders);
  const [plain, other, timed] = [place(orders, 0), place(orders, 0), place(orders, 0)];
  orders.extra(other);
  timers.add(timed, 50);
  timers.remove(plain);
  timers.remove(other);
  expect([timers.nextAt, timers.nextSlot, timers.heap.count]).toEqual([50, timed, 2]);
  orders.extras.i32[orders.extra(other) * EXTRA_WORDS + X_TIMER] = 2;
  expect(() => timers.remove(other)).toThrow("TIMER-2");
});
