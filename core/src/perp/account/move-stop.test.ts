import { describe, expect, test } from "vitest";
import { checkInvariants } from "../../inspect/invariants.ts";
import { createMachine, restoreMachine } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { FOLLOW_UPS_MAX } from "../../trigger/follow-ups.ts";

const MILLION = 1_000_000_000_000;

type Stops = Partial<Extract<Command, { readonly kind: "setPositionStops" }>>;

/** A long of 1 000 lots at 50 000, and its stops: the orders' ids, profit first. */
function openStopped(stops: Stops): { stage: PerpStage; alice: number; bob: number; ids: number[] } {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  stage.sell(bob, 1_000, 500_000);
  stage.buy(alice, 1_000, 500_000);
  const set = stage.sure({ kind: "setPositionStops", account: alice, market: stage.linear, ...stops });
  return { stage, alice, bob, ids: eventsOf(set, "positionStop").map(({ orderId }) => orderId) };
}

const codes = (events: readonly MachineEvent[]): string[] => eventsOf(events, "rejected").map(({ code }) => code);

describe("[FUT-2] one stop of a position is moved in place", () => {
  test("a part's stop keeps its id, its lots, its limit and its pair, and fires where it lies now", () => {
    const { stage, alice, bob, ids } = openStopped({
      lots: 300,
      profitTrigger: 510_000,
      stopTrigger: 490_000,
      stopPrice: 480_000,
    });
    const [profit = 0, stop = 0] = ids;
    const published = stage.sure({ kind: "moveStop", account: alice, orderId: stop, trigger: 495_000 });
    expect(eventsOf(published, "conditionalAmended")).toMatchObject([
      { orderId: stop, trigger: 495_000, price: 480_000, quantity: 300, heldUnits: 0 },
    ]);
    expect(checkInvariants(stage.machine)).toEqual([]);
    stage.buy(bob, 5_000, 489_000);
    const fired = stage.mark(stage.linear, 494_500);
    expect(eventsOf(fired, "trade")).toMatchObject([{ lots: 300, price: 489_000 }]);
    expect(eventsOf(fired, "orderEnded").map(({ orderId, reason }) => [orderId, reason])).toContainEqual([
      profit,
      "LIST_SIBLING",
    ]);
    expect(stage.held(alice)).toMatchObject([{ lots: 700 }]);
  });

  test("its limit moves too where it has one; a stop of the whole has none", () => {
    const part = openStopped({ lots: 300, stopTrigger: 490_000, stopPrice: 489_000 });
    const move = { kind: "moveStop", account: part.alice, orderId: part.ids[0] ?? 0 } as const;
    const published = part.stage.sure({ ...move, price: 488_000 });
    expect(eventsOf(published, "conditionalAmended")).toMatchObject([{ trigger: 490_000, price: 488_000 }]);
    const whole = openStopped({ stopTrigger: 490_000 });
    expect(
      codes(whole.stage.sure({ kind: "moveStop", account: whole.alice, orderId: whole.ids[0] ?? 0, price: 488_000 })),
    ).toEqual(["INVALID_COMBINATION"]);
  });

  test("beside a trailing stop the other moves and nothing of how far the price came is forgotten", () => {
    const { stage, alice, ids } = openStopped({ profitTrigger: 520_000, trailBps: 100 });
    const [profit = 0, trail = 0] = ids;
    stage.mark(stage.linear, 510_000);
    expect(codes(stage.sure({ kind: "moveStop", account: alice, orderId: profit, trigger: 530_000 }))).toEqual([]);
    expect(codes(stage.sure({ kind: "moveStop", account: alice, orderId: trail, trigger: 520_000 }))).toEqual([
      "AMEND_NOT_ALLOWED",
    ]);
    expect(eventsOf(stage.mark(stage.linear, 504_800), "conditionalTriggered")).toMatchObject([{ orderId: trail }]);
  });

  test("what cannot be is refused and leaves the stop where it was", () => {
    const { stage, alice, bob, ids } = openStopped({ lots: 300, stopTrigger: 490_000 });
    const orderId = ids[0] ?? 0;
    const move = (change: Partial<Extract<Command, { readonly kind: "moveStop" }>>): string[] =>
      codes(stage.sure({ kind: "moveStop", account: alice, orderId, ...change }));
    expect(move({ trigger: 500_000 })).toEqual(["TRIGGER_ALREADY_TRUE"]);
    expect(move({ trigger: -1 })).toEqual(["INVALID_TRIGGER"]);
    expect(move({ trigger: 490_000 })).toEqual(["AMEND_NO_CHANGE"]);
    expect(move({})).toEqual(["AMEND_NO_CHANGE"]);
    expect(move({ callbackBps: 100 })).toEqual(["INVALID_COMBINATION"]);
    expect(move({ account: bob, trigger: 480_000 })).toEqual(["UNKNOWN_ORDER"]);
    expect(move({ orderId: 0, trigger: 480_000 })).toEqual(["UNKNOWN_ORDER"]);
    const resting = eventsOf(stage.buy(alice, 10, 480_000), "orderAccepted")[0]?.orderId ?? 0;
    expect(move({ orderId: resting, trigger: 480_000 })).toEqual(["AMEND_NOT_ALLOWED"]);
    const plan = stage.sure({
      kind: "placeConditional",
      account: alice,
      market: stage.linear,
      side: "sell",
      quantity: 10,
      price: 0,
      conditional: "stopMarket",
      direction: "falls",
      trigger: 470_000,
      source: "mark",
      type: "market",
    });
    const planId = eventsOf(plan, "conditionalAccepted")[0]?.orderId ?? 0;
    expect(move({ orderId: planId, trigger: 471_000 })).toEqual(["AMEND_NOT_ALLOWED"]);
    stage.buy(bob, 5_000, 489_000);
    expect(eventsOf(stage.mark(stage.linear, 490_000), "trade")).toMatchObject([{ lots: 300 }]);
    expect(move({ trigger: 480_000 })).toEqual(["UNKNOWN_ORDER"]);
  });

  test("the same journal gives the same state, with snapshots anywhere between", () => {
    const { stage, alice, ids } = openStopped({ lots: 300, profitTrigger: 510_000, stopTrigger: 490_000 });
    for (const trigger of [491_000, 492_000, 480_000])
      stage.sure({ kind: "moveStop", account: alice, orderId: ids[1] ?? 0, trigger });
    stage.mark(stage.linear, 485_000);
    let machine = createMachine({ orderCapacity: 4 });
    for (const [i, bytes] of stage.journal.entries()) {
      machine.apply(bytes, 0);
      machine.events.clear();
      if (i % 5 === 0) machine = restoreMachine(machine.snapshot());
    }
    expect(machine.stateHash()).toBe(stage.machine.stateHash());
  });
});

test("[FUT-2] the very first order is known by its id like any other", () => {
  const stage = createPerpStage();
  const alice = stage.trader(MILLION);
  const orderId = eventsOf(stage.buy(alice, 1, 480_000), "orderAccepted")[0]?.orderId ?? 0;
  expect(codes(stage.sure({ kind: "moveStop", account: alice, orderId, trigger: 470_000 }))).toEqual([
    "AMEND_NOT_ALLOWED",
  ]);
});

test("[FUT-2] a stop that is due and waits for its turn is not moved any more", () => {
  const stage = createPerpStage(undefined, { conditionalMax: 1_000 });
  const { linear: market } = stage;
  const [alice, bob, crowd] = [stage.trader(MILLION), stage.trader(MILLION), stage.trader(MILLION)];
  stage.sell(bob, 1_000, 500_000);
  stage.buy(alice, 1_000, 500_000);
  const set = stage.sure({ kind: "setPositionStops", account: alice, market, lots: 300, stopTrigger: 490_000 });
  const orderId = eventsOf(set, "positionStop")[0]?.orderId ?? 0;
  for (let i = 0; i < FOLLOW_UPS_MAX; i++) {
    stage.send({
      kind: "placeConditional",
      account: crowd,
      market,
      side: "sell",
      quantity: 1,
      price: 0,
      type: "market",
      conditional: "stopMarket",
      direction: "falls",
      trigger: 495_000,
      source: "mark",
    });
  }
  stage.buy(bob, 5_000, 489_000);
  expect(eventsOf(stage.mark(market, 489_500), "conditionalTriggered")).toHaveLength(FOLLOW_UPS_MAX);
  for (const change of [{ trigger: 480_000 }, { trigger: 489_000 }])
    expect(codes(stage.sure({ kind: "moveStop", account: alice, orderId, ...change }))).toEqual(["AMEND_NOT_ALLOWED"]);
  expect(eventsOf(stage.sure({ kind: "tick" }), "conditionalTriggered")).toMatchObject([{ orderId }]);
  expect(stage.held(alice)).toMatchObject([{ lots: 700 }]);
});

test("[FUT-2] a moved stop of the whole is checked for what is held now, one of a part for its part", () => {
  const stage = createPerpStage(undefined, { maxLots: 10 });
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  const take = (lots: number): void => {
    stage.sell(bob, lots, 500_000);
    stage.buy(alice, lots, 500_000);
  };
  take(8);
  const stops = { kind: "setPositionStops", account: alice, market: stage.linear } as const;
  const [whole, part] = [
    stage.sure({ ...stops, stopTrigger: 490_000 }),
    stage.sure({ ...stops, lots: 3, stopTrigger: 480_000 }),
  ].map((events) => eventsOf(events, "positionStop")[0]?.orderId ?? 0);
  const move = (orderId: number | undefined, trigger: number): string[] =>
    codes(stage.sure({ kind: "moveStop", account: alice, orderId: orderId ?? 0, trigger }));
  expect([move(whole, 491_000), move(part, 481_000)]).toEqual([[], []]);
  take(6);
  expect([move(whole, 492_000), move(part, 482_000)]).toEqual([["QUANTITY_TOO_LARGE"], []]);
});
