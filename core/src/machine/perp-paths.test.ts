// Bound paths of perpetuals beside the current views: the same flow must write the same events and reach the same state.
import { present } from "@clockwork/kit/assert";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import type { Command } from "../protocol/command.ts";
import { eventsOf } from "../testing/driver.ts";
import { createPerpStage } from "../testing/perp-stage.ts";
import { coreOf, createMachine } from "./machine.ts";

/** Plain orders of one-way cross accounts, rich and poor, with marks in between; returns all that was published. */
function play(fastPathsAfter: number, seed: number): { events: string[]; hash: string; isBound: boolean } {
  const machine = createMachine({ fastPathsAfter, orderCapacity: 4_096, accountCapacity: 256, eventCapacity: 4_096 });
  const stage = createPerpStage(machine, { restingMax: 10_000 });
  const random = createRandom(seed);
  const accounts = Array.from({ length: 24 }, (_, i) => stage.trader(i % 6 === 0 ? 40_000_000 : 10 ** 11));
  const events: string[] = [];
  const open: { account: number; orderId: number }[] = [];
  let middle = 500_000;
  const send = (command: Command): void => {
    const published = stage.send(command);
    for (const event of published) events.push(JSON.stringify(event));
    for (const { account, orderId } of eventsOf(published, "orderAccepted")) open.push({ account, orderId });
  };
  for (let i = 0; i < 4_000; i++) {
    const dice = random.below(100);
    const near = (ticks: number): number => middle + random.between(-ticks, ticks);
    if (dice < 50) {
      const timeInForce = random.chance(1, 5) ? "IOC" : "GTC";
      const side = random.pick(["buy", "sell"] as const);
      const quantity = random.between(1, 40);
      send({
        kind: "placeOrder",
        account: random.pick(accounts),
        market: stage.linear,
        side,
        quantity,
        price: near(300),
        timeInForce,
      });
    } else if (dice < 98 && open.length > 0) {
      const { account, orderId } = present(open[random.below(open.length)], "TEST", "order");
      if (dice < 80) send({ kind: "cancelOrder", account, orderId });
      else send({ kind: "amendOrder", account, orderId, price: near(300) });
    } else {
      middle += random.between(-200, 200);
      stage.time += 500;
      send({ kind: "setReferencePrice", market: stage.linear, markTicks: middle, indexTicks: middle });
    }
  }
  expect(checkInvariants(machine)).toEqual([]);
  return { events, hash: machine.stateHash(), isBound: coreOf(machine).bound !== undefined };
}

test.each([1, 2, 3])(
  "[FUT-2] seed %i: bound views of perpetuals give the events and the state of the current ones",
  (seed) => {
    const short = play(16, seed);
    const long = play(Number.POSITIVE_INFINITY, seed);
    expect(short.isBound).toBe(true);
    expect(long.isBound).toBe(false);
    expect(short.events.filter((event) => event.includes('"trade"')).length).toBeGreaterThan(300);
    for (const [i, event] of short.events.entries())
      if (event !== long.events[i]) expect.unreachable(`event ${i}: ${event}, not ${long.events[i]}`);
    expect(short.events.length).toBe(long.events.length);
    expect(short.hash).toBe(long.hash);
  },
);
