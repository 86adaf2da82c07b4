import { concatBytes } from "@clockwork/kit/bytes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Ladder, LevelPool } from "../book/ladder.ts";
import { O_GENERATION, ORDER_SHIFT } from "../book/orders.ts";
import { checkInvariants } from "../inspect/invariants.ts";
import { PairIndex } from "../memory/pair-index.ts";
import { createDriver, eventsOf } from "../testing/driver.ts";
import { createStage, drawBook, type Stage } from "../testing/stage.ts";
import { coreOf, createMachine, restoreMachine } from "./machine.ts";
import { sealSnapshot } from "./snapshot.ts";

function busyStage(): Stage {
  const stage = createStage();
  const maker = stage.trader(1e9, 1e9);
  for (let i = 0; i < 300; i++) {
    stage.send({
      kind: "placeOrder",
      account: maker,
      market: stage.market,
      side: i % 2 === 0 ? "buy" : "sell",
      price: i % 2 === 0 ? 900 - i : 1_000 + i * 7,
      quantity: 5,
      clientOrderId: `id-${i}`,
    });
  }
  return stage;
}

describe("snapshots", () => {
  it("[SNAPSHOT-4] a restored machine has the same hash, book, clock and future", () => {
    const stage = busyStage();
    const restored = restoreMachine([concatBytes(stage.machine.snapshot())]);
    expect(restored.stateHash()).toBe(stage.machine.stateHash());
    expect(drawBook(restored, stage.market)).toBe(drawBook(stage.machine, stage.market));
    expect([restored.sequence, restored.now]).toEqual([stage.machine.sequence, stage.machine.now]);
    const order = {
      kind: "placeOrder",
      account: 16,
      market: stage.market,
      side: "buy",
      price: 950,
      quantity: 1,
    } as const;
    const reference = createDriver(restored, stage.time);
    expect(eventsOf(reference.send(order), "orderAccepted")).toEqual(eventsOf(stage.send(order), "orderAccepted"));
    expect(restored.stateHash()).toBe(stage.machine.stateHash());
  });

  it("[SNAPSHOT-5] a snapshot is a copy: what happens after does not change it", () => {
    const stage = busyStage();
    const before = stage.machine.stateHash();
    const parts = stage.machine.snapshot();
    stage.send({ kind: "cancelAll", account: 16 });
    expect(stage.machine.stateHash()).not.toBe(before);
    expect(restoreMachine(parts).stateHash()).toBe(before);
  });

  it("[SNAPSHOT-6] any damage is named and refused", () => {
    const parts = busyStage().machine.snapshot();
    sealSnapshot(parts);
    const bytes = concatBytes(parts);
    for (const at of [0, 4, 40, 200, bytes.length >> 1, bytes.length - 1]) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] as number) ^ 1;
      expect(() => restoreMachine([damaged]), `byte ${at}`).toThrow(/SNAPSHOT-/);
    }
    expect(() => restoreMachine([bytes.subarray(0, bytes.length - 8)])).toThrow(/SNAPSHOT-/);
    expect(() => restoreMachine([concatBytes([bytes, new Uint8Array(8)])])).toThrow("SNAPSHOT-2");
  });

  it("[SNAPSHOT-7] one of an earlier layout, without the tables that came later, is read as it was; of any other it is refused", () => {
    const stage = busyStage();
    const maker = stage.trader(1e9, 1e9);
    const taker = { account: stage.trader(0, 1e9), market: stage.market, side: "buy", price: 1_007 } as const;
    stage.send({ kind: "placeOrder", ...taker, quantity: 1 });
    // Before 11, a freed slot was the next one's, under a generation of its own.
    const table = coreOf(stage.machine).books.orders.table;
    stage.send({ kind: "cancelAll", account: 16 });
    table.i32[(3 << ORDER_SHIFT) | O_GENERATION] = 7;
    table.freeHead = 3;
    const [header, ...rest] = stage.machine.snapshot();
    const names = coreOf(stage.machine)
      .tables()
      .map(({ name }) => name);
    const asOf = (layout: number, lacks: readonly string[]): Uint8Array => {
      const kept = names.flatMap((name, at) => (lacks.includes(name) ? [] : [at]));
      const before = Int32Array.from(new Int32Array((header as Uint8Array).buffer));
      before.set([layout, kept.length], 1);
      const parts = [new Uint8Array(before.buffer), ...kept.flatMap((at) => rest.slice(at * 2, at * 2 + 2))];
      sealSnapshot(parts);
      return concatBytes(parts);
    };
    const values = ["value-clock", "market-values", "asset-values"];
    const oldest = ["order-rounds", ...values, "debts", "rules"];
    for (const [layout, lacks] of [
      [10, oldest],
      [11, [...values, "debts", "rules"]],
      [12, ["debts", "rules"]],
      [13, ["rules"]],
      [14, ["rules"]],
    ] as const) {
      const restored = restoreMachine([asOf(layout, lacks)]);
      expect(checkInvariants(restored)).toEqual([]);
      // Written again it is of this layout, with the hash it was written with.
      expect(restoreMachine(restored.snapshot()).stateHash()).toBe(restored.stateHash());
    }
    const restored = restoreMachine([asOf(10, oldest)]);
    // Prices are observed from the next command on.
    const reference = createDriver(restored, stage.time + 1);
    expect(eventsOf(reference.send({ kind: "tick" }), "assetValued")).toMatchObject([{ asset: stage.base }]);
    const ids = [1, 2, 3].map(() => {
      const order = { kind: "placeOrder", account: maker, market: stage.market, side: "buy", price: 950 } as const;
      return eventsOf(reference.send({ ...order, quantity: 1 }), "orderAccepted")[0]?.orderId ?? 0;
    });
    const highest = table.count - 1 + 7 * 2 ** 24;
    expect(ids).toEqual(ids.filter((id, place) => id > (ids[place - 1] ?? highest)));
    for (const layout of [9, 16])
      expect(() => restoreMachine([asOf(layout, [])])).toThrow(`SNAPSHOT-1: its layout ${layout} is not known`);
  });

  it("[MACHINE-1] a missing or repeated sequence, and time that goes back, stop the machine", () => {
    const stage = createStage();
    const last = stage.journal.at(-1) as Uint8Array;
    expect(() => stage.machine.apply(last, 0)).toThrow("MACHINE-1");
    stage.time -= 1;
    expect(() => stage.send({ kind: "tick" })).toThrow("MACHINE-2");
  });

  it("[MACHINE-5] first sizes do not matter to the hash", () => {
    const stage = busyStage();
    const roomy = createMachine({ orderCapacity: 100_000, accountCapacity: 50_000, eventCapacity: 10 });
    for (const bytes of stage.journal) roomy.apply(bytes, 0);
    const tight = createMachine({ orderCapacity: 1, accountCapacity: 1, eventCapacity: 1 });
    for (const bytes of stage.journal) tight.apply(bytes, 0);
    expect([roomy.stateHash(), tight.stateHash()]).toEqual([stage.machine.stateHash(), stage.machine.stateHash()]);
  });

  it("[MACHINE-7] a machine that takes on another state forgets its own, with the fast paths it has made", () => {
    const stage = busyStage();
    const parts = stage.machine.snapshot();
    const machine = createMachine({ orderCapacity: 4_096, accountCapacity: 64, fastPathsAfter: 0 });
    for (let round = 0; round < 2; round++) {
      for (const bytes of stage.journal) machine.apply(bytes, 0);
      expect(machine.stateHash()).toBe(stage.machine.stateHash());
      machine.restore();
      expect([machine.sequence, machine.stateHash()]).toEqual([0, createMachine().stateHash()]);
    }
    machine.restore(parts);
    expect([machine.stateHash(), checkInvariants(machine)]).toEqual([stage.machine.stateHash(), []]);
  });

  it("[MACHINE-7] a machine emptied after trading repeats its journal to the same state, at any other time too", () => {
    const machine = createMachine({ orderCapacity: 4_096, accountCapacity: 64, fastPathsAfter: 0 });
    const hashes = [0, 7_200_000, 0].map((laterMs) => {
      const stage = createStage({}, machine);
      stage.time += laterMs;
      const [maker, taker] = [stage.trader(1e9, 1e9), stage.trader(1e9, 1e9)];
      for (let i = 0; i < 40; i++) {
        stage.time += 900;
        const order = { kind: "placeOrder", market: stage.market, price: 1_000 + (i % 7), quantity: 3 } as const;
        stage.send({ ...order, account: maker, side: "sell" });
        stage.send({ ...order, account: taker, side: "buy" });
      }
      const hash = machine.stateHash();
      const fresh = createMachine();
      for (const bytes of stage.journal) fresh.apply(bytes, 0);
      expect(hash).toBe(fresh.stateHash());
      machine.restore();
      return hash;
    });
    expect(hashes[2]).toBe(hashes[0]);
    for (const table of coreOf(machine).tables()) {
      const left = table.i32.subarray(table.usedWords).findIndex((word) => word !== 0);
      expect([table.name, left]).toEqual([table.name, -1]);
    }
  });

  it("[MACHINE-6] a command may lie anywhere in its buffer", () => {
    const stage = createStage();
    const machine = createMachine();
    for (const bytes of stage.journal) {
      const shifted = new Uint8Array(bytes.length + 5);
      shifted.set(bytes, 5);
      machine.apply(shifted, 5);
    }
    expect(machine.stateHash()).toBe(stage.machine.stateHash());
  });
});

describe("structures", () => {
  it("[BOOK-13] the ladder finds neighbours as a sorted list does", () => {
    const price = fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 0x3fffffff }));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), price), { maxLength: 120 }), (steps) => {
        const ladder = new Ladder("test", new LevelPool("test", 2));
        const held = new Set<number>();
        for (const [adds, at] of steps) {
          if (adds && !held.has(at)) {
            ladder.mark(ladder.reserve(at));
            held.add(at);
          } else if (!adds) {
            const any = [...held][at % Math.max(1, held.size)];
            if (any === undefined) continue;
            ladder.clear(ladder.levelAt(any), any);
            held.delete(any);
          }
          const sorted = [...held].sort((a, b) => a - b);
          expect(ladder.nextAbove(at)).toBe(sorted.find((one) => one > at) ?? 0);
          expect(ladder.nextBelow(at)).toBe(sorted.findLast((one) => one < at) ?? 0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("[TABLE-3] a pair index finds exactly what was put in, through every growth", () => {
    const index = new PairIndex("test");
    for (let a = 1; a < 60; a++) for (let b = 1; b < 30; b++) index.insert(a, b, a * 1_000 + b);
    for (let a = 1; a < 60; a++) for (let b = 1; b < 30; b++) expect(index.find(a, b)).toBe(a * 1_000 + b);
    expect(index.find(60, 1)).toBe(0);
    expect(index.find(1, 30)).toBe(0);
  });
});
