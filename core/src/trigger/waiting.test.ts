// What waits for its time or its turn, beside plain sorted lists.
import { allOf } from "@clockwork/kit/all-of";
import { createRandom } from "@clockwork/kit/random";
import { describe, expect, it } from "vitest";
import { Deadlines } from "./deadlines.ts";
import { FOLLOW_UPS_MAX, FollowUps } from "./follow-ups.ts";

describe("deadlines", () => {
  it("come earliest first, ties as they were set, and any may be taken out before", () => {
    const random = createRandom(11);
    const places = new Map<number, number>();
    const deadlines = new Deadlines((kind, owner, place) => {
      expect(kind).toBe(owner % 3);
      if (place === 0) places.delete(owner);
      else places.set(owner, place);
    });
    let waiting: { owner: number; time: number }[] = [];
    const first = () => waiting.toSorted((a, b) => a.time - b.time || a.owner - b.owner)[0];
    deadlines.remove(0);
    for (let owner = 1; owner <= 1_200; owner++) {
      if (waiting.length < 100 && random.chance(11, 20)) {
        const time = random.below(50);
        deadlines.add(owner % 3, owner, time);
        waiting.push({ owner, time });
      } else if (waiting.length > 0) {
        const out = random.chance(1, 2) ? (first() as (typeof waiting)[number]) : random.pick(waiting);
        deadlines.remove(places.get(out.owner) as number);
        waiting = waiting.filter((one) => one !== out);
      }
      const next = first();
      expect(deadlines.nextAt).toBe(next?.time ?? Number.POSITIVE_INFINITY);
      if (next !== undefined) expect([deadlines.nextKind, deadlines.nextOwner]).toEqual([next.owner % 3, next.owner]);
      expect([deadlines.heap.count - 1, places.size]).toEqual([waiting.length, waiting.length]);
      const isThere = ({ owner: own, time }: (typeof waiting)[number]): boolean =>
        deadlines.isAt(places.get(own) as number, own % 3, own, time);
      expect(waiting.filter((one) => !isThere(one))).toEqual([]);
      expect(deadlines.heap.i32.subarray(deadlines.heap.usedWords).some((word) => word !== 0)).toBe(false);
    }
  });

  it("say where one is, and that it is nowhere else", () => {
    const deadlines = new Deadlines(() => undefined);
    deadlines.add(1, 5, 10);
    deadlines.add(2, 6, 20);
    expect(deadlines.isAt(2, 2, 6, 20)).toBe(true);
    expect([deadlines.isAt(1, 2, 6, 20), deadlines.isAt(2, 1, 6, 20), deadlines.isAt(2, 2, 5, 20)]).toEqual([
      false,
      false,
      false,
    ]);
    expect([deadlines.isAt(2, 2, 6, 21), deadlines.isAt(3, 0, 0, 0)]).toEqual([false, false]);
    expect(() => deadlines.remove(3)).toThrow("TIMER-1");
    expect(() => deadlines.remove(-1)).toThrow("TIMER-1");
    deadlines.heap.f64[3 + 1] = 30;
    expect(deadlines.isAt(2, 2, 6, 20)).toBe(false);
    expect(new Deadlines(() => undefined).isAt(1, 0, 0, 0)).toBe(false);
  });

  it("of time zero come first too, in the order they were set", () => {
    const deadlines = new Deadlines(() => undefined);
    for (const [owner, time] of [[1, 0] as const, [2, 5] as const, [3, 0] as const, [4, 9] as const])
      deadlines.add(0, owner, time);
    deadlines.remove(4);
    deadlines.remove(1);
    expect([deadlines.nextAt, deadlines.nextOwner, deadlines.heap.count]).toEqual([0, 3, 3]);
  });
});

describe("follow-ups", () => {
  it("leave in the order they came, whole, and take no more room than what waits and what has just left", () => {
    const random = createRandom(13);
    const queue = new FollowUps();
    const reference: number[][] = [];
    let number = 0;
    for (let turn = 0; turn < 12_000; turn++) {
      const isFilling = turn < 5_000 ? random.chance(3, 4) : random.chance(1, 4);
      if (isFilling) {
        number++;
        const entry = [number % 4, number + 1, number * 1e9, number + 0.5, 0 - number];
        queue.add(...(entry as [number, number, number, number, number]));
        reference.push(entry);
      } else if (reference.length > 0) {
        queue.shift();
        const { kind, record, subject, cause, value } = queue.taken;
        expect([kind, record, subject, cause, value]).toEqual(reference.shift());
      }
      expect([queue.length, queue.isEmpty]).toEqual([reference.length, reference.length === 0]);
      const idle = queue.queue.count - 1 - reference.length;
      expect(idle < 1_024 || idle * 2 <= queue.queue.count).toBe(true);
      if (turn % 500 === 0) {
        expect([...queue.waiting()].map(({ record }) => record)).toEqual(reference.map(([, record]) => record));
        expect(queue.queue.i32.subarray(queue.queue.usedWords).some((word) => word !== 0)).toBe(false);
      }
    }
    while (!queue.isEmpty) queue.shift();
    expect(allOf(queue.queue.i32, (word) => word === 0)).toBe(true);
    expect(() => queue.shift()).toThrow("QUEUE-1");
  });

  it("are moved up when more lie idle than wait, and not before", () => {
    const queue = new FollowUps();
    for (let i = 1; i <= 3_999; i++) queue.add(1, i, i, i, i);
    for (let i = 1; i <= 2_000; i++) queue.shift();
    // 2 000 of 4 000, the first of which is none, are not more than half.
    expect(queue.queue.count).toBe(4_000);
    queue.shift();
    expect([queue.queue.count, queue.length]).toEqual([1_999, 1_998]);
    const few = new FollowUps();
    for (let i = 1; i <= 1_030; i++) few.add(1, i, i, i, i);
    for (let i = 1; i <= 1_023; i++) few.shift();
    expect(few.queue.count).toBe(1_031);
    few.shift();
    expect(few.queue.count).toBe(7);
  });

  it("have a budget for each command, whole again for the next and for another state", () => {
    const queue = new FollowUps();
    const spent = (sequence: number): number => {
      let count = 0;
      while (count <= FOLLOW_UPS_MAX && queue.spend(sequence)) count++;
      return count;
    };
    expect([spent(1), spent(1), spent(2), spent(1)]).toEqual([FOLLOW_UPS_MAX, 0, FOLLOW_UPS_MAX, FOLLOW_UPS_MAX]);
    queue.remove();
    expect(spent(1)).toBe(FOLLOW_UPS_MAX);
  });
});
