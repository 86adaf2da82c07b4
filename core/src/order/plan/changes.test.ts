// Changing plans and the legs of lists: what fits which kind, what is due, and the money to the unit.
import { present } from "@clockwork/kit/assert";
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
  limit(bob, "buy", price, 1);
  return send({
    kind: "placeOrder",
    account: bob,
    market: stage.market,
    side: "sell",
    price,
    quantity: 1,
    selfTrade: "NONE",
  });
};
const plan = (more: object = {}): number => {
  const order = { account: alice, market: stage.market, side: "sell", price: 940, quantity: 10 };
  const stop = { conditional: "stopLimit", direction: "falls", trigger: 950 };
  const events = send({ kind: "placeConditional", ...order, ...stop, ...more } as Command);
  return present(eventsOf(events, "conditionalAccepted")[0], "TEST", "a plan").orderId;
};
const amend = (orderId: number, change: object, account = alice): MachineEvent[] =>
  send({ kind: "amendPlan", account, orderId, ...change });
/** Numbers that are no quantity, and a change to one of them. */
const BROKEN = [-1, 2.5, 2 ** 53, Number.NaN];
const amendTo = (orderId: number, quantity: number): MachineEvent[] =>
  sendChecked(stage, { kind: "amendPlan", account: alice, orderId, quantity: 5, trigger: 940 }, (view) =>
    view.setFloat64(40, quantity, true),
  );
const refusal = (events: readonly MachineEvent[]): unknown =>
  eventsOf(events, "rejected").map(({ code, limit: bound }) => [code, bound])[0];
const balance = (account: number, asset: number): [number, number] => {
  const { ledger } = coreOf(stage.machine);
  const cell = ledger.cellOf(account, asset);
  return [ledger.available(cell), ledger.frozen(cell)];
};

beforeEach(() => {
  stage = createStage({ anchorTicks: 1_000 });
  alice = stage.trader(100_000, 100_000);
  bob = stage.trader(1e9, 1e9);
  send({ kind: "setAccountFlags", account: bob, allowSelfTrade: true });
  tradeAt(1_000);
});

describe("plans that stand alone", () => {
  it("[PLAN-14] each member changes by itself, and none is no change", () => {
    const id = plan();
    expect(refusal(amend(id, {}))).toEqual(["AMEND_NO_CHANGE", 0]);
    expect(refusal(amend(id, { price: 940, quantity: 10, trigger: 950 }))).toEqual(["AMEND_NO_CHANGE", 0]);
    expect(eventsOf(amend(id, { price: 939 }), "conditionalAmended")).toMatchObject([
      { orderId: id, price: 939, quantity: 10, trigger: 950, heldUnits: 10_000 },
    ]);
    expect(eventsOf(amend(id, { trigger: 949 }), "conditionalAmended")).toMatchObject([
      { orderId: id, price: 939, quantity: 10, trigger: 949, heldUnits: 10_000 },
    ]);
    const more = amend(id, { quantity: 12 });
    expect(eventsOf(more, "frozen")).toMatchObject([{ deltaUnits: 2_000, reference: id, frozenUnits: 12_000 }]);
    const less = amend(id, { quantity: 7 });
    expect(eventsOf(less, "frozen")).toMatchObject([{ deltaUnits: -5_000, reference: id, frozenUnits: 7_000 }]);
    expect(balance(alice, stage.base)).toEqual([93_000, 7_000]);
    expect(eventsOf(amend(id, { price: 938 }), "frozen")).toEqual([]);
  });

  it("[PLAN-14] what does not fit the kind is refused", () => {
    const wrong = ["INVALID_COMBINATION", 0];
    expect(refusal(amend(plan(), { callbackBps: 100 }))).toEqual(wrong);
    expect(refusal(amend(plan({ conditional: "stopMarket", price: 0 }), { price: 900 }))).toEqual(wrong);
    const trail = plan({ conditional: "trailingStop", type: "market", price: 0, trigger: 0, callbackBps: 100 });
    expect(refusal(amend(trail, { trigger: 1_100 }))).toEqual(["AMEND_NOT_ALLOWED", 0]);
    expect(refusal(amend(trail, { callbackBps: 100 }))).toEqual(["AMEND_NO_CHANGE", 0]);
    expect(refusal(amend(trail, { callbackBps: 101 }))).toBeUndefined();
    const early = plan({ conditional: "trailingStop", type: "market", price: 0, trigger: 1_050, callbackBps: 100 });
    expect(refusal(amend(early, { trigger: 1_100 }))).toBeUndefined();
    expect(tradeAt(1_060).filter(({ kind }) => kind === "trailingActivated")).toEqual([]);
    expect(eventsOf(tradeAt(1_100), "trailingActivated")).toMatchObject([{ orderId: early, observed: 1_100 }]);
  });

  it("[PLAN-14] others' plans, slicers, lists and orders are none", () => {
    const id = plan();
    expect(refusal(amend(id, { price: 930 }, bob))).toEqual(["UNKNOWN_ORDER", 0]);
    const order = { account: alice, market: stage.market, side: "buy", price: 900, quantity: 60 } as const;
    const made = send({ kind: "placeTwap", ...order, durationMs: 300_000, intervalMs: 10_000 });
    const slicer = present(eventsOf(made, "twapStarted")[0], "TEST", "a slicer").twap;
    expect(refusal(amend(slicer, { price: 901 }))).toEqual(["AMEND_NOT_ALLOWED", 0]);
    for (const quantity of BROKEN) expect(refusal(amendTo(slicer, quantity))).toEqual(["AMEND_NOT_ALLOWED", 0]);
    const resting = present(eventsOf(limit(alice, "buy", 900, 1), "orderAccepted")[0], "TEST", "an order").orderId;
    expect(refusal(amend(resting, { price: 901 }))).toEqual(["AMEND_NOT_ALLOWED", 0]);
    const listed = send({ kind: "placeBracket", ...order, quantity: 5, profitPrice: 1_100, stopTrigger: 850 });
    const entry = present(eventsOf(listed, "orderAccepted")[0], "TEST", "an entry").orderId;
    const list = present(eventsOf(listed, "listCreated")[0], "TEST", "a list").list;
    for (const orderId of [entry, list])
      expect(refusal(amend(orderId, { price: 901 }))).toEqual(["AMEND_NOT_ALLOWED", 0]);
  });

  it("[PLAN-14] a quantity is a whole number", () => {
    const orderId = plan();
    for (const quantity of BROKEN) expect(refusal(amendTo(orderId, quantity))).toEqual(["INVALID_QUANTITY", 0]);
    expect(refusal(amend(orderId, { quantity: Number.MAX_SAFE_INTEGER }))).toEqual(["NOTIONAL_TOO_LARGE", 2 ** 53 - 1]);
    expect(balance(alice, stage.base)).toEqual([90_000, 10_000]);
  });

  it("[PLAN-15] another trigger waits behind those there, another price keeps its place", () => {
    const [a, b, c] = [plan(), plan(), plan()];
    amend(a ?? 0, { trigger: 945 });
    amend(a ?? 0, { trigger: 950 });
    amend(b ?? 0, { price: 935 });
    limit(bob, "buy", 930, 100);
    const fired = eventsOf(tradeAt(950), "conditionalTriggered").map(({ orderId }) => orderId);
    expect(fired).toEqual([b, c, a]);
  });

  it("[PLAN-15] another trigger makes it younger than those there, another price does not", () => {
    const [a, b, c] = [plan(), plan(), plan()];
    amend(b ?? 0, { price: 935 });
    amend(a ?? 0, { trigger: 945 });
    const ended = eventsOf(send({ kind: "cancelAll", account: alice }), "orderEnded");
    expect(ended.map(({ orderId }) => orderId)).toEqual([b, c, a]);
  });

  it("[PLAN-15] a changed plan listens to its own price still", () => {
    send({ kind: "setReferencePrice", market: stage.market, markTicks: 1_000, indexTicks: 1_000 });
    const id = plan({ source: "index" });
    const published = eventsOf(amend(id, { trigger: 945 }), "conditionalAmended");
    expect(published).toMatchObject([{ source: "index", direction: "falls", conditionalType: "stopLimit" }]);
    const fired = (more: object): number[] => {
      const events = send({ kind: "setReferencePrice", market: stage.market, ...more } as Command);
      return eventsOf(events, "conditionalTriggered").map(({ orderId }) => orderId);
    };
    expect(fired({ markTicks: 940, indexTicks: 946 })).toEqual([]);
    expect(fired({ indexTicks: 945 })).toEqual([id]);
  });

  it("[PLAN-16] a stop that waits for its activation is not due by any callback", () => {
    for (const [side, trigger] of [
      ["buy", 900],
      ["sell", 1_100],
    ] as const) {
      const id = plan({ side, trigger, conditional: "trailingStop", type: "market", price: 0, callbackBps: 500 });
      expect(refusal(amend(id, { callbackBps: 10 }))).toBeUndefined();
    }
  });

  it("[PLAN-16] a stop that follows fires by its new callback, nearer or farther, and a waiting one begins at its new price", () => {
    const trail = { conditional: "trailingStop", type: "market", price: 0, callbackBps: 500 };
    const fired = (price: number): number[] =>
      eventsOf(tradeAt(price), "conditionalTriggered").map(({ orderId }) => orderId);
    const near = plan({ ...trail, trigger: 0 });
    amend(near, { callbackBps: 100 });
    expect(fired(991)).toEqual([]);
    expect(fired(990)).toEqual([near]);
    const far = plan({ ...trail, trigger: 0 });
    amend(far, { callbackBps: 800 });
    expect(fired(920)).toEqual([]);
    expect(fired(910)).toEqual([far]);
    // Nearer than its first activation, and farther.
    for (const [first, second] of [
      [1_100, 950],
      [950, 1_000],
    ] as const) {
      const waits = plan({ ...trail, trigger: first });
      amend(waits, { trigger: second });
      expect(eventsOf(tradeAt(second - 1), "trailingActivated")).toEqual([]);
      expect(eventsOf(tradeAt(second), "trailingActivated")).toMatchObject([{ orderId: waits }]);
      send({ kind: "cancelOrder", account: alice, orderId: waits });
      tradeAt(910);
    }
  });

  it("[PLAN-16] a stop that follows must not be due by its new callback", () => {
    const sale = plan({ conditional: "trailingStop", type: "market", price: 0, trigger: 0, callbackBps: 500 });
    tradeAt(1_100);
    tradeAt(1_078);
    // 2 % below 1 100 is 1 078 itself.
    expect(refusal(amend(sale, { callbackBps: 200 }))).toEqual(["TRIGGER_ALREADY_TRUE", 1_078]);
    expect(refusal(amend(sale, { callbackBps: 201 }))).toBeUndefined();
    const buy = plan({
      side: "buy",
      conditional: "trailingStop",
      type: "market",
      price: 0,
      trigger: 0,
      callbackBps: 900,
    });
    tradeAt(1_060);
    tradeAt(1_113);
    // 5 % above 1 060 is 1 113 itself.
    expect(refusal(amend(buy, { callbackBps: 500 }))).toEqual(["TRIGGER_ALREADY_TRUE", 1_113]);
    expect(refusal(amend(buy, { callbackBps: 501 }))).toBeUndefined();
  });
});

describe("legs of an OCO", () => {
  const oco = (side: "buy" | "sell", price: number, trigger: number, stopPrice = 0, account = alice) => {
    const order = { account, market: stage.market, side, price, quantity: 10, trigger, stopPrice } as const;
    const events = send({ kind: "placeOco", ...order });
    const leg = (name: string): number =>
      present(
        eventsOf(events, "listLeg").find((event) => event.leg === name),
        "TEST",
        name,
      ).orderId;
    return { limit: leg("profit"), stop: leg("stop") };
  };

  it("[PLAN-17] stay on both sides of the price, not at it", () => {
    const wrong = ["INVALID_OCO_PRICES", 0];
    const sale = oco("sell", 1_100, 950);
    expect(refusal(amend(sale.limit, { price: 1_000 }))).toEqual(wrong);
    expect(refusal(amend(sale.limit, { price: 1_001 }))).toBeUndefined();
    expect(refusal(amend(sale.stop, { trigger: 1_000 }))).toEqual(wrong);
    expect(refusal(amend(sale.stop, { trigger: 999 }))).toBeUndefined();
    const buy = oco("buy", 900, 1_050);
    expect(refusal(amend(buy.limit, { price: 1_000 }))).toEqual(wrong);
    expect(refusal(amend(buy.limit, { price: 999 }))).toBeUndefined();
    expect(refusal(amend(buy.stop, { trigger: 1_000 }))).toEqual(wrong);
    expect(refusal(amend(buy.stop, { trigger: 1_001 }))).toBeUndefined();
  });

  it("[PLAN-17] each takes its own members, and no change is none", () => {
    const { limit: high, stop } = oco("sell", 1_100, 950, 940);
    expect(refusal(amend(high, { trigger: 940 }))).toEqual(["INVALID_COMBINATION", 0]);
    expect(refusal(amend(high, { callbackBps: 100 }))).toEqual(["INVALID_COMBINATION", 0]);
    expect(refusal(amend(high, { price: 1_100, quantity: 10 }))).toEqual(["AMEND_NO_CHANGE", 0]);
    expect(refusal(amend(stop, { price: 940, trigger: 950 }))).toEqual(["AMEND_NO_CHANGE", 0]);
    const moved = amend(stop, { price: 930 });
    expect(eventsOf(moved, "conditionalAmended")).toMatchObject([{ orderId: stop, price: 930, trigger: 950 }]);
    expect(eventsOf(moved, "orderAmended")).toEqual([]);
    const other = amend(high, { price: 1_090 });
    expect(eventsOf(other, "orderAmended")).toMatchObject([{ orderId: high, price: 1_090, lots: 10 }]);
    expect(eventsOf(other, "conditionalAmended")).toEqual([]);
    const both = amend(stop, { quantity: 8 });
    expect(eventsOf(both, "orderAmended")).toMatchObject([{ orderId: high, lots: 8 }]);
    expect(eventsOf(both, "conditionalAmended")).toMatchObject([{ orderId: stop, quantity: 8, heldUnits: 0 }]);
    expect(balance(alice, stage.base)).toEqual([92_000, 8_000]);
  });

  it("[PLAN-17] are checked as a plan and as a limit, with the coins they hold already", () => {
    const carol = stage.trader(10_000, 0);
    send({ kind: "setReferencePrice", market: stage.market, markTicks: 1_000 });
    const order = { account: carol, market: stage.market, side: "sell", price: 1_100, quantity: 10 } as const;
    const made = send({ kind: "placeOco", ...order, trigger: 950, stopPrice: 940, source: "mark" });
    const stop = present(eventsOf(made, "conditionalAccepted")[0], "TEST", "a stop").orderId;
    send({ kind: "setReferencePrice", market: stage.market, markTicks: 960 });
    expect(refusal(amend(stop, { trigger: 970 }, carol))).toEqual(["TRIGGER_ALREADY_TRUE", 960]);
    expect(refusal(amend(stop, { price: -1 }, carol))).toEqual(["INVALID_PRICE", 0]);
    // The first refusal is the one that is told, whatever somebody else's order asked before.
    const high = present(eventsOf(made, "orderAccepted")[0], "TEST", "a limit").orderId;
    limit(bob, "buy", 900, 100_000);
    expect(refusal(amend(high, { price: 5_001 }, carol))).toEqual(["PRICE_TOO_HIGH", 5_000]);
    // Nothing more is held and nothing less.
    for (const change of [{ trigger: 955 }, { price: 930 }, { trigger: 940, price: 935 }])
      expect(amend(stop, change, carol).map(({ kind }) => kind)).toEqual(["conditionalAmended"]);
    expect(refusal(amend(stop, { quantity: 11 }, carol))).toEqual(["INSUFFICIENT_BALANCE", 10_000]);
  });

  it("[PLAN-18] a trigger before the same limit asks for nothing else", () => {
    const { stop } = oco("buy", 900, 1_050, 1_100);
    expect(amend(stop, { trigger: 1_060 }).map(({ kind }) => kind)).toEqual(["conditionalAmended"]);
    expect(balance(alice, stage.quote)).toEqual([89_000, 11_000]);
  });

  it("[PLAN-18] a book that pays in quote keeps the fee of the dearer leg set aside", () => {
    const bot = stage.trader(0, 11_011, { book: "bot" });
    const { limit: low, stop } = oco("buy", 900, 1_050, 1_100, bot);
    expect(balance(bot, stage.quote)).toEqual([0, 11_011]);
    expect(refusal(amend(low, { price: 950 }, bot))).toBeUndefined();
    expect(balance(bot, stage.quote)).toEqual([0, 11_011]);
    expect(refusal(amend(stop, { price: 1_000 }, bot))).toBeUndefined();
    // A thousandth of ten thousand.
    expect(balance(bot, stage.quote)).toEqual([1_001, 10_010]);
    expect(refusal(amend(stop, { price: 1_101 }, bot))).toEqual(["INSUFFICIENT_BALANCE", 11_011]);
  });

  it("[PLAN-18] the list keeps what the stop needs beyond the limit leg, to the unit", () => {
    // 10 at 900, or 10 at 1 050 and 5 %: 1 102.
    const carol = stage.trader(0, 11_550);
    const { limit: low, stop } = oco("buy", 900, 1_050, 0, carol);
    expect(balance(carol, stage.quote)).toEqual([530, 11_020]);
    expect(refusal(amend(stop, { trigger: 1_101 }, carol))).toEqual(["INSUFFICIENT_BALANCE", 11_550]);
    expect(balance(carol, stage.quote)).toEqual([530, 11_020]);
    const raised = amend(stop, { trigger: 1_100 }, carol);
    expect(eventsOf(raised, "frozen").map(({ deltaUnits }) => deltaUnits)).toEqual([-2_020, 2_550]);
    expect(balance(carol, stage.quote)).toEqual([0, 11_550]);
    expect(refusal(amend(low, { quantity: 11 }, carol))).toEqual(["INSUFFICIENT_BALANCE", 11_550]);
    amend(low, { price: 950 }, carol);
    expect(balance(carol, stage.quote)).toEqual([0, 11_550]);
    amend(low, { quantity: 5 }, carol);
    expect(balance(carol, stage.quote)).toEqual([5_775, 5_775]);
    expect(drawBook(stage.machine, stage.market)).toBe("--\n950 5");
    // The stop takes all of it when it fires.
    limit(bob, "sell", 1_150, 5);
    const fired = tradeAt(1_100);
    expect(eventsOf(fired, "trade").at(-1)).toMatchObject({ account: carol, lots: 5, price: 1_150 });
  });

  it("[PLAN-18] a leg whose sibling is gone, or a count that is full, is no reason to refuse", () => {
    send({
      kind: "setMarketLimits",
      market: stage.market,
      anchorTicks: 1_000,
      restingMax: 1,
      conditionalMax: 1,
      listMax: 1,
    });
    const { limit: high, stop } = oco("sell", 1_100, 950);
    expect(refusal(amend(high, { price: 1_110 }))).toBeUndefined();
    expect(refusal(amend(stop, { trigger: 940, quantity: 9 }))).toBeUndefined();
    expect(refusal(amend(high, { price: 5_001 }))).toEqual(["PRICE_TOO_HIGH", 5_000]);
    expect(drawBook(stage.machine, stage.market)).toBe("1110 9\n--");
  });
});

describe("exits of a bracket", () => {
  it("[PLAN-19] keep their quantity; a new price is for what is still to come as well", () => {
    send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
    const order = { account: alice, market: stage.market, side: "buy", price: 990, quantity: 10 } as const;
    send({ kind: "placeBracket", ...order, profitPrice: 1_100, stopTrigger: 950, stopPrice: 940 });
    const armed = limit(bob, "sell", 990, 4);
    const high = present(
      eventsOf(armed, "orderAccepted").find(({ account }) => account === alice),
      "TEST",
      "",
    ).orderId;
    const stop = present(eventsOf(armed, "conditionalAccepted")[0], "TEST", "a stop").orderId;
    for (const id of [high, stop]) {
      expect(refusal(amend(id, { quantity: 3 }))).toEqual(["AMEND_NOT_ALLOWED", 0]);
      for (const quantity of BROKEN) expect(refusal(amendTo(id, quantity))).toEqual(["INVALID_QUANTITY", 0]);
    }
    expect(refusal(amend(stop, { trigger: 950, price: 940 }))).toEqual(["AMEND_NO_CHANGE", 0]);
    expect(refusal(amend(high, { price: 1_100 }))).toEqual(["AMEND_NO_CHANGE", 0]);
    expect(refusal(amend(stop, { trigger: 990 }))).toEqual(["TRIGGER_ALREADY_TRUE", 990]);
    expect(refusal(amend(high, { price: 6_000 }))?.toString()).toMatch(/^PRICE_TOO_HIGH/u);
    const published = amend(stop, { trigger: 960, price: 955 });
    expect(published).toMatchObject([
      { kind: "conditionalAmended", orderId: stop, trigger: 960, price: 955, quantity: 4, heldUnits: 0 },
      { kind: "listLeg", leg: "entry", profitPrice: 1_100, stopTrigger: 960, stopPrice: 955 },
    ]);
    expect(eventsOf(amend(high, { price: 1_090 }), "listLeg")).toMatchObject([{ leg: "entry", profitPrice: 1_090 }]);
    const rest = limit(bob, "sell", 990, 6);
    expect(eventsOf(rest, "conditionalAccepted")).toMatchObject([{ quantity: 10, trigger: 960, price: 955 }]);
    expect(drawBook(stage.machine, stage.market)).toBe("1090 10\n--");
    // With the entry gone there is nobody to tell the prices of.
    const last = eventsOf(rest, "conditionalAccepted")[0]?.orderId ?? 0;
    expect(amend(last, { trigger: 961 })).toMatchObject([{ kind: "conditionalAmended", trigger: 961, quantity: 10 }]);
    expect(eventsOf(tradeAt(962), "conditionalTriggered")).toEqual([]);
    expect(eventsOf(tradeAt(961), "conditionalTriggered")).toMatchObject([{ orderId: last, observed: 961 }]);
  });

  it("[PLAN-19] a stop that sells at the market takes no price", () => {
    const order = { account: alice, market: stage.market, side: "buy", price: 990, quantity: 10 } as const;
    send({ kind: "placeBracket", ...order, stopTrigger: 950 });
    const stop = present(eventsOf(limit(bob, "sell", 990, 4), "conditionalAccepted")[0], "TEST", "a stop").orderId;
    expect(amend(stop, { price: 940 })).toMatchObject([{ kind: "rejected", code: "INVALID_COMBINATION", limit: 0 }]);
  });
});
