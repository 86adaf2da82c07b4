// A price that goes through lines of many bots at once: what it causes is sliced, others come between, and neither fast paths
// nor a snapshot in the middle change what comes of it.
import { expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { createMachine, restoreMachine } from "../machine/machine.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, type Stage } from "../testing/stage.ts";

const P = 1_000_000;
const SPACING = 10_000;
const BOTS = 300;
/** What one tick works off. */
const SLICE = 256;

function withBots(fastPathsAfter: number): Stage {
  const machine = createMachine({
    fastPathsAfter,
    orderCapacity: 8_192,
    accountCapacity: 2_048,
    eventCapacity: 16_384,
  });
  const stage = createStage({ restingMax: 1_000, sellMinBps: 1, buyMinBps: 1, buyMaxBps: 90_000 }, machine);
  const [maker, other] = [stage.trader(1e15, 1e15), stage.trader(1e15, 1e15)];
  const order = { kind: "placeOrder", market: stage.market } as const;
  stage.send({ ...order, account: maker, side: "sell", price: P, quantity: 100 });
  stage.send({ ...order, account: other, side: "buy", price: P, quantity: 100 });
  stage.send({ ...order, account: maker, side: "sell", price: P + 1, quantity: 1e8 });
  for (let i = 0; i < BOTS; i++)
    stage.send({
      kind: "createBot",
      account: stage.trader(0, 3e10),
      market: stage.market,
      grid: "spot",
      spacing: i % 2 === 0 ? "arithmetic" : "geometric",
      lowTicks: P - 4 * SPACING,
      highTicks: P + 4 * SPACING,
      cells: 8,
      quoteUnits: 1_600 * P,
      reference: `b${i}`,
    });
  settle(stage);
  return stage;
}

/** Ticks until nothing waits; what each of them told. */
function settle({ machine, send }: Stage): MachineEvent[][] {
  const published: MachineEvent[][] = [];
  while (machine.nextTimerAt <= machine.now) published.push(send({ kind: "tick" }));
  return published;
}

function sweep(stage: Stage, taker: number, side: "buy" | "sell", price: number): MachineEvent[] {
  return stage.send({
    kind: "placeOrder",
    account: taker,
    market: stage.market,
    side,
    price,
    quantity: 1e6,
    timeInForce: "IOC",
  });
}

it("[GRID-1] counter orders of a sweep wait for ticks, one slice each, and somebody else's order comes between", () => {
  const stage = withBots(0);
  const taker = stage.trader(1e15, 1e15);
  const swept = sweep(stage, taker, "sell", P - SPACING);
  // Half of the bots have their line at that price, the others a little above or below; every fill is there at once.
  const fills = eventsOf(swept, "trade").length;
  expect(fills).toBeGreaterThanOrEqual(BOTS / 2);
  expect(eventsOf(swept, "orderAccepted")).toHaveLength(1);
  const between = sweep(stage, taker, "buy", P - 2 * SPACING);
  expect(eventsOf(between, "orderAccepted")).toHaveLength(1);
  const slices = settle(stage).map((published) => eventsOf(published, "followUp").length);
  expect(slices.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(fills);
  expect(Math.max(...slices)).toBeLessThanOrEqual(SLICE);
  expect(checkInvariants(stage.machine)).toEqual([]);
});

it("[GRID-1] fast paths, the general path, a replay and a snapshot between slices come to the same bots", () => {
  const hashes = [0, Number.POSITIVE_INFINITY].map((fastPathsAfter) => {
    const stage = withBots(fastPathsAfter);
    const taker = stage.trader(1e15, 1e15);
    let pairs = 0;
    for (const [side, line] of [
      ["sell", -1],
      ["sell", -3],
      ["buy", 0],
      ["sell", -2],
      ["buy", 3],
    ] as const) {
      const published = sweep(stage, taker, side, P + line * SPACING);
      pairs += eventsOf(published, "botPairClosed").length;
      if (line === -3) {
        const forked = restoreMachine(stage.machine.snapshot());
        expect(forked.stateHash()).toBe(stage.machine.stateHash());
      }
      pairs += settle(stage).reduce((sum, slice) => sum + eventsOf(slice, "botPairClosed").length, 0);
    }
    expect(pairs).toBeGreaterThan(BOTS);
    expect(checkInvariants(stage.machine)).toEqual([]);
    const replay = createMachine({ orderCapacity: 8, fastPathsAfter: 64 });
    const half = Math.floor(stage.journal.length - 4);
    for (const bytes of stage.journal.slice(0, half)) {
      replay.apply(bytes, 0);
      replay.events.clear();
    }
    const resumed = restoreMachine(replay.snapshot());
    for (const bytes of stage.journal.slice(half)) resumed.apply(bytes, 0);
    expect(resumed.stateHash()).toBe(stage.machine.stateHash());
    return stage.machine.stateHash();
  });
  expect(hashes[0]).toBe(hashes[1]);
});
