// Where snapshots of layout 11 have what waits for a time, a price or its turn. Whoever moves something makes a new layout:
// see machine/snapshot.ts.
import { expect, test } from "vitest";
import { EXTRA_WORDS, O_LEVEL, ORDER_SHIFT, Orders, X_CONDITIONAL, X_SOURCE } from "../book/orders.ts";
import { Deadlines } from "./deadlines.ts";
import * as followUps from "./follow-ups.ts";
import { Timers } from "./timers.ts";
import * as triggers from "./triggers.ts";

const numbersOf = (records: object): object =>
  Object.fromEntries(Object.entries(records).filter(([, value]) => typeof value === "number"));

test("[SNAPSHOT-7] kinds of conditional orders and of follow-ups are those of layout 11", () => {
  expect(numbersOf(triggers)).toEqual({
    CONDITIONAL_STOP_LIMIT: 0,
    CONDITIONAL_STOP_MARKET: 1,
    CONDITIONAL_TRAILING: 2,
    DIRECTION_RISES: 0,
  });
  expect(numbersOf(followUps)).toEqual({
    FOLLOW_BOT: 2,
    FOLLOW_COPY: 3,
    FOLLOW_LIST: 0,
    FOLLOW_PLAN: 1,
    FOLLOW_UPS_MAX: 256,
  });
});

test("[SNAPSHOT-7] queues and heaps lie where layout 11 has them", () => {
  const queue = new followUps.FollowUps();
  for (const kind of [1, 2, 3]) queue.add(kind, 70 + kind, 80 + kind, 90 + kind, 0.5 + kind);
  queue.shift();
  const { stride, i32, f64 } = queue.queue;
  // The null record says how many are done.
  expect([stride, ...i32.subarray(0, 2), ...i32.subarray(16, 18), ...f64.subarray(9, 12)]).toEqual([
    ...[8, 1, 0, 2, 72, 82, 92, 2.5],
  ]);
  const { heap } = new Deadlines(() => undefined);
  expect([heap.stride, new Timers(new Orders(2)).heap.stride]).toEqual([6, 2]);
  const deadlines = new Deadlines(() => undefined);
  for (const owner of [7, 8, 9]) deadlines.add(2, owner, owner * 100);
  deadlines.remove(3);
  // It says how many deadlines there ever were.
  expect([...deadlines.heap.f64.subarray(0, 9)].filter((_, at) => at % 3 !== 0)).toEqual([0, 3, 700, 1, 800, 2]);
  expect([...deadlines.heap.i32.subarray(6, 8), ...deadlines.heap.i32.subarray(12, 14)]).toEqual([2, 7, 2, 8]);
});

test("[SNAPSHOT-7] each market's nearest triggers and trailing stops lie where layout 11 has them", () => {
  const orders = new Orders(4);
  const waiting = new triggers.Triggers(orders);
  waiting.open(1);
  const place = (kind: number, source: number, falls: boolean, price: number): number => {
    const slot = orders.take();
    const extra = orders.extra(slot) * EXTRA_WORDS;
    orders.extras.i32.set([kind, source, falls ? 1 : 0, price], extra + X_CONDITIONAL);
    expect(orders.extras.i32[extra + X_SOURCE]).toBe(source);
    waiting.add(1, slot);
    return slot;
  };
  for (const source of [0, 1, 2]) {
    place(0, source, false, 200 + source);
    place(1, source, true, 100 + source);
  }
  const trailing = [0, 1, 2, 0, 1, 2].map((source) => place(2, source, false, 150));
  expect([...waiting.tops.i32.subarray(12, 24)]).toEqual([200, 201, 202, 100, 101, 102, ...trailing]);
  expect(trailing.map((slot) => orders.table.i32[(slot << ORDER_SHIFT) | O_LEVEL])).toEqual([-1, -1, -1, -1, -1, -1]);
});
