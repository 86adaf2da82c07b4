import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FLAG_LIVE, GENERATION_MAX, O_FLAGS, ORDER_SHIFT, Orders } from "./orders.ts";

const SLOTS = 2 ** 24;

/** Takes a slot as orders do: live at once. */
function place(orders: Orders): number {
  const slot = orders.take();
  orders.table.i32[(slot << ORDER_SHIFT) | O_FLAGS] = FLAG_LIVE;
  return orders.id(slot);
}

const end = (orders: Orders, id: number): void => orders.give(id % SLOTS);

describe("numbers of orders", () => {
  it("[BOOK-32] grow with time, whatever ends between, and no two live ones share a slot", () => {
    const step = fc.record({ places: fc.integer({ min: 0, max: 400 }), ends: fc.integer({ min: 0, max: 400 }) });
    const run = fc.tuple(fc.array(step, { minLength: 20, maxLength: 60 }), fc.integer({ min: 1, max: 1_000_003 }));
    fc.assert(
      fc.property(run, ([steps, seed]) => {
        const orders = new Orders(1);
        const live: number[] = [];
        let last = 0;
        let drawn = seed;
        for (const { places, ends } of steps) {
          for (let count = 0; count < places; count++) {
            const id = place(orders);
            if (id <= last) expect.unreachable(`${id} after ${last}`);
            last = id;
            live.push(id);
          }
          for (let count = 0; count < ends && live.length > 0; count++) {
            drawn = (drawn * 48_271) % 2_147_483_647;
            const at = drawn % live.length;
            end(orders, live[at] as number);
            live[at] = live.at(-1) as number;
            live.pop();
          }
        }
        expect(new Set(live.map((id) => id % SLOTS)).size).toBe(live.length);
      }),
      { numRuns: 30 },
    );
  });

  it("[BOOK-32] slots are used again: a thousand for few orders, an eighth more than there are for many", () => {
    const few = new Orders(1);
    for (let count = 0; count < 100_000; count++) end(few, place(few));
    expect(few.table.count).toBe(1_025);
    const many = new Orders(1);
    const live = Array.from({ length: 20_000 }, () => place(many));
    for (let count = 0; count < 200_000; count++) {
      const at = (count * 7_919) % live.length;
      end(many, live[at] as number);
      live[at] = place(many);
    }
    expect(many.table.count).toBeLessThan(20_000 * 1.3);
  });

  it("[BOOK-32] behind a long run of live orders numbers go on growing", () => {
    const orders = new Orders(1);
    const early = Array.from({ length: 5_000 }, () => place(orders));
    const rest = Array.from({ length: 10_000 }, () => place(orders));
    for (const id of rest) end(orders, id);
    let last = rest.at(-1) as number;
    const after: number[] = [];
    for (let count = 0; count < 30_000; count++) {
      const id = place(orders);
      if (id <= last) expect.unreachable(`${id} after ${last}`);
      last = id;
      after.push(id % SLOTS);
      end(orders, id);
    }
    expect(after.some((slot) => early.includes(slot))).toBe(false);
  });

  it("[BOOK-32] when no generation is left new slots are taken, and no id comes twice", () => {
    const orders = new Orders(1);
    place(orders);
    orders.rounds.i32[4 + 3] = GENERATION_MAX;
    const ids = new Set<number>();
    for (let count = 0; count < 5_000; count++) {
      const id = place(orders);
      ids.add(id);
      end(orders, id);
    }
    expect(ids.size).toBe(5_000);
    expect(Math.max(...ids)).toBeLessThan(Number.MAX_SAFE_INTEGER);
  });
});
