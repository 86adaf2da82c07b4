// Changing what waits: in place, in one command, and never without protection in between.
import { beforeEach, describe, expect, it } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, drawBook, type Stage } from "../../testing/stage.ts";

let stage: Stage;
let alice: number;
let bob: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const limit = (account: number, side: "buy" | "sell", price: number, quantity: number): MachineEvent[] =>
  send({ kind: "placeOrder", account, market: stage.market, side, price, quantity });
const tradeAt = (price: number): MachineEvent[] => {
  const outsider = stage.trader(1e8, 1e8);
  limit(outsider, "sell", price, 1);
  return limit(bob, "buy", price, 1);
};
const frozen = (account: number, asset: number): number => {
  const { ledger } = coreOf(stage.machine);
  return ledger.frozen(ledger.cellOf(account, asset));
};
const codes = (events: readonly MachineEvent[]): string[] => eventsOf(events, "rejected").map(({ code }) => code);
const amend = (orderId: number, change: Partial<Extract<Command, { kind: "amendPlan" }>>): MachineEvent[] =>
  send({ kind: "amendPlan", account: alice, orderId, ...change });
const fired = (events: readonly MachineEvent[]): number => eventsOf(events, "conditionalTriggered").length;

beforeEach(() => {
  stage = createStage({ anchorTicks: 1_000 });
  alice = stage.trader(1e6, 1e8);
  bob = stage.trader(1e8, 1e8);
  tradeAt(1_000);
});

function stop(more: Partial<Extract<Command, { kind: "placeConditional" }>> = {}): number {
  const events = send({
    kind: "placeConditional",
    account: alice,
    market: stage.market,
    side: "sell",
    price: 940,
    quantity: 10,
    conditional: "stopLimit",
    direction: "falls",
    trigger: 950,
    ...more,
  });
  return eventsOf(events, "conditionalAccepted")[0]?.orderId ?? 0;
}

describe("plans that stand alone", () => {
  it("[PLAN-1] trigger, price and quantity change in place; the id stays and the hold follows", () => {
    const orderId = stop();
    const published = amend(orderId, { trigger: 970, price: 960, quantity: 15 });
    expect(eventsOf(published, "conditionalAmended")).toMatchObject([
      { orderId, trigger: 970, price: 960, quantity: 15, heldUnits: 15_000 },
    ]);
    expect(eventsOf(published, "frozen")).toMatchObject([{ deltaUnits: 5_000 }]);
    expect(frozen(alice, stage.base)).toBe(15_000);
    const events = tradeAt(970);
    expect(fired(events)).toBe(1);
    expect(eventsOf(events, "orderAccepted").at(-1)).toMatchObject({ orderId, price: 960, quantity: 15 });
    expect(drawBook(stage.machine, stage.market)).toBe("960 15\n--");
  });

  it("[PLAN-2] a refused change leaves the plan as it was, with its money", () => {
    const orderId = stop();
    expect(codes(amend(orderId, { trigger: 1_010 }))).toEqual(["TRIGGER_ALREADY_TRUE"]);
    expect(codes(amend(orderId, { quantity: 2_000 }))).toEqual(["INSUFFICIENT_BALANCE"]);
    expect(codes(amend(orderId, { callbackBps: 100 }))).toEqual(["INVALID_COMBINATION"]);
    expect(codes(amend(orderId, { trigger: 950, price: 940 }))).toEqual(["AMEND_NO_CHANGE"]);
    expect(codes(amend(orderId + 1, { trigger: 960 }))).toEqual(["UNKNOWN_ORDER"]);
    expect(codes(send({ kind: "amendPlan", account: bob, orderId, trigger: 960 }))).toEqual(["UNKNOWN_ORDER"]);
    expect(frozen(alice, stage.base)).toBe(10_000);
    expect(fired(tradeAt(950))).toBe(1);
  });

  it("[PLAN-3] a plan may use the whole balance it holds already, and its own place in the count", () => {
    send({ kind: "setMarketLimits", market: stage.market, conditionalMax: 1, anchorTicks: 1_000 });
    const orderId = stop({ quantity: 1_000 });
    expect(codes(amend(orderId, { trigger: 960 }))).toEqual([]);
    expect(frozen(alice, stage.base)).toBe(1_000_000);
  });

  it("[PLAN-4] an order in the book is no plan", () => {
    const placed = eventsOf(limit(alice, "sell", 1_100, 5), "orderAccepted")[0]?.orderId ?? 0;
    expect(codes(amend(placed, { price: 1_110 }))).toEqual(["AMEND_NOT_ALLOWED"]);
  });

  it("[PLAN-5] a trailing stop tells how it moves; its callback changes, its activation only before it follows", () => {
    limit(bob, "buy", 900, 50);
    const orderId = stop({ conditional: "trailingStop", trigger: 1_050, callbackBps: 200, type: "market", price: 0 });
    expect(codes(amend(orderId, { trigger: 1_030 }))).toEqual([]);
    tradeAt(1_040);
    expect(eventsOf(tradeAt(1_100), "trailingMoved")).toMatchObject([{ orderId, observed: 1_100 }]);
    expect(codes(amend(orderId, { trigger: 1_200 }))).toEqual(["AMEND_NOT_ALLOWED"]);
    tradeAt(1_085);
    expect(codes(amend(orderId, { callbackBps: 100 }))).toEqual(["TRIGGER_ALREADY_TRUE"]);
    expect(codes(amend(orderId, { callbackBps: 500 }))).toEqual([]);
    expect(fired(tradeAt(1_050))).toBe(0);
    expect(fired(tradeAt(1_045))).toBe(1);
  });
});

describe("legs of lists", () => {
  const oco = (side: "buy" | "sell", price: number, trigger: number, stopPrice = 0) => {
    const market = stage.market;
    const events = send({ kind: "placeOco", account: alice, market, side, price, quantity: 10, trigger, stopPrice });
    const legs = eventsOf(events, "listLeg");
    const idOf = (leg: string): number => legs.find((one) => one.leg === leg)?.orderId ?? 0;
    return { profit: idOf("profit"), stop: idOf("stop") };
  };

  it("[PLAN-6] a quantity is for both legs of an OCO, a price for the named one, and the money is frozen once", () => {
    const { profit, stop: stopId } = oco("sell", 1_050, 950, 940);
    amend(stopId, { trigger: 960, price: 955, quantity: 20 });
    expect(frozen(alice, stage.base)).toBe(20_000);
    expect(drawBook(stage.machine, stage.market)).toBe("1050 20\n--");
    amend(profit, { price: 1_070 });
    expect(drawBook(stage.machine, stage.market)).toBe("1070 20\n--");
    const events = tradeAt(960);
    expect(fired(events)).toBe(1);
    expect(eventsOf(events, "orderEnded")).toMatchObject([{ orderId: profit, reason: "LIST_SIBLING" }]);
    expect(drawBook(stage.machine, stage.market)).toBe("955 20\n--");
  });

  it("[PLAN-7] a buying OCO freezes the larger need of its new legs, and gives back what it needs no more", () => {
    const { profit, stop: stopId } = oco("buy", 950, 1_050, 1_060);
    const before = frozen(alice, stage.quote);
    amend(stopId, { trigger: 1_080, price: 1_090 });
    const after = frozen(alice, stage.quote);
    expect(after).toBe((before / 1_060) * 1_090);
    amend(profit, { quantity: 5 });
    expect(frozen(alice, stage.quote)).toBe(after / 2);
    send({ kind: "cancelOrder", account: alice, orderId: profit });
    expect(frozen(alice, stage.quote)).toBe(0);
  });

  it("[PLAN-8] a refused change of an OCO leaves both legs and all money", () => {
    const { profit, stop: stopId } = oco("sell", 1_050, 950);
    expect(codes(amend(profit, { price: 990 }))).toEqual(["INVALID_OCO_PRICES"]);
    expect(codes(amend(profit, { trigger: 940 }))).toEqual(["INVALID_COMBINATION"]);
    expect(codes(amend(stopId, { quantity: 2_000 }))).toEqual(["INSUFFICIENT_BALANCE"]);
    expect(codes(amend(stopId, { price: 940 }))).toEqual(["INVALID_COMBINATION"]);
    expect(frozen(alice, stage.base)).toBe(10_000);
    expect(drawBook(stage.machine, stage.market)).toBe("1050 10\n--");
    expect(fired(tradeAt(950))).toBe(1);
  });

  it("[PLAN-9] the exits of a bracket take new prices; those still to be armed take them too", () => {
    const entry = { account: alice, market: stage.market, side: "buy", price: 1_000, quantity: 10 } as const;
    send({ kind: "placeBracket", ...entry, profitPrice: 1_100, stopTrigger: 900 });
    const legs = eventsOf(limit(bob, "sell", 1_000, 4), "listLeg");
    const stopId = legs.find(({ leg }) => leg === "stop")?.orderId ?? 0;
    const profitId = legs.find(({ leg }) => leg === "profit")?.orderId ?? 0;
    expect(codes(amend(stopId, { quantity: 2 }))).toEqual(["AMEND_NOT_ALLOWED"]);
    const published = amend(stopId, { trigger: 930 });
    expect(eventsOf(published, "listLeg")).toMatchObject([{ leg: "entry", stopTrigger: 930, profitPrice: 1_100 }]);
    amend(profitId, { price: 1_120 });
    const rearmed = limit(bob, "sell", 1_000, 6);
    expect(eventsOf(rearmed, "conditionalAccepted")).toMatchObject([{ trigger: 930 }]);
    expect(eventsOf(rearmed, "orderAccepted").map(({ price }) => price)).toContain(1_120);
  });
});
