// Plans that are due: what they tell, what they free, what they become, and what is left of them when they are refused.
import { present } from "@clockwork/kit/assert";
import { beforeEach, describe, expect, it } from "vitest";
import { coreOf } from "../machine/machine.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { ORDER_SLOT_COUNT } from "../protocol/layout.ts";
import { createCopyStage } from "../testing/copy-stage.ts";
import { eventsOf, sendChecked } from "../testing/driver.ts";
import { createStage, drawBook, passRounds, type Stage } from "../testing/stage.ts";

let stage: Stage;
let other: number;
let alice: number;
let bob: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const limit = (side: "buy" | "sell", price: number, quantity: number, selfTrade = "EXPIRE_TAKER"): MachineEvent[] =>
  send({ kind: "placeOrder", account: bob, market: other, side, price, quantity, selfTrade } as Command);
const tradeAt = (price: number): MachineEvent[] => {
  limit("buy", price, 1);
  return limit("sell", price, 1, "NONE");
};
const plan = (more: object = {}): number => {
  const order = { account: alice, market: other, side: "sell", price: 940, quantity: 10 };
  const stop = { conditional: "stopLimit", direction: "falls", trigger: 950 };
  const events = send({ kind: "placeConditional", ...order, ...stop, ...more } as Command);
  return present(eventsOf(events, "conditionalAccepted")[0], "TEST", "a plan").orderId;
};
const balance = (account: number, asset: number): [number, number] => {
  const { ledger } = coreOf(stage.machine);
  const cell = ledger.cellOf(account, asset);
  return [ledger.available(cell), ledger.frozen(cell)];
};

beforeEach(() => {
  // The market under test is the second: a market's number and its half differ.
  stage = createStage({ anchorTicks: 1_000 });
  const listing = { base: stage.base, quote: stage.quote, tickMantissa: 1, tickDecimals: 0, stepUnits: 1_000 };
  const listed = send({ kind: "listMarket", ...listing, symbol: "BTC/USDT:10", anchorTicks: 1_000, conditionalMax: 1 });
  other = present(eventsOf(listed, "marketListed")[0], "TEST", "a market").market;
  alice = stage.trader(100_000, 1e6);
  bob = stage.trader(1e9, 1e9);
  send({ kind: "setAccountFlags", account: bob, allowSelfTrade: true });
  tradeAt(1_000);
});

describe("a plan that fires", () => {
  it("[TRIGGER-11] says which, of whom, at what price, and frees its coins for the order it becomes", () => {
    const orderId = plan();
    expect(balance(alice, stage.base)).toEqual([90_000, 10_000]);
    const events = tradeAt(945);
    expect(eventsOf(events, "conditionalTriggered")).toMatchObject([
      { orderId, account: alice, market: other, trigger: 950, observed: 945 },
    ]);
    const frozen = eventsOf(events, "frozen").filter(({ account }) => account === alice);
    expect(frozen).toMatchObject([{ asset: stage.base, deltaUnits: -10_000, reference: orderId, frozenUnits: 0 }]);
    expect(eventsOf(events, "orderAccepted").at(-1)).toMatchObject({
      orderId,
      account: alice,
      price: 940,
      quantity: 10,
      heldUnits: 10_000,
      conditional: false,
    });
    // Its place among the plans is free, and it is an order like any other.
    const next = plan({ trigger: 900, price: 890 });
    expect(next).not.toBe(orderId);
    expect(eventsOf(send({ kind: "cancelOrder", account: alice, orderId }), "orderEnded")).toMatchObject([
      { orderId, reason: "USER", lots: 10, releasedUnits: 10_000 },
    ]);
  });

  it("[TRIGGER-11] listens to its own price and tells that one", () => {
    send({ kind: "setReferencePrice", market: other, markTicks: 1_000, indexTicks: 1_001 });
    const orderId = plan({ source: "index" });
    expect(eventsOf(tradeAt(940), "conditionalTriggered")).toEqual([]);
    expect(
      eventsOf(send({ kind: "setReferencePrice", market: other, markTicks: 930 }), "conditionalTriggered"),
    ).toEqual([]);
    const events = send({ kind: "setReferencePrice", market: other, markTicks: 930, indexTicks: 949 });
    expect(eventsOf(events, "conditionalTriggered")).toMatchObject([{ orderId, observed: 949 }]);
  });

  it("[TRIGGER-12] takes its own slippage with it, and rests nowhere", () => {
    const sale = { conditional: "stopMarket", price: 0 };
    plan({ ...sale, slippageBps: 100, timeInForce: "FOK" });
    limit("buy", 940, 4);
    limit("buy", 931, 2);
    limit("buy", 930, 100);
    const events = limit("sell", 945, 1).concat(tradeAt(942));
    // One percent below the best of 940 is 930.6.
    expect(
      eventsOf(events, "trade")
        .filter(({ account }) => account === alice)
        .map(({ price, lots }) => [price, lots]),
    ).toEqual([
      [940, 4],
      [931, 2],
    ]);
    expect(eventsOf(events, "orderEnded")).toMatchObject([{ account: alice, reason: "MARKET_REST", lots: 4 }]);
    expect(balance(alice, stage.base)).toEqual([94_000, 0]);
  });

  it("[TRIGGER-12] keeps its time in force when it has a limit", () => {
    plan({ timeInForce: "IOC" });
    limit("buy", 940, 3);
    const events = tradeAt(950);
    expect(eventsOf(events, "orderEnded")).toMatchObject([{ account: alice, reason: "IOC_REST", lots: 7 }]);
    expect(drawBook(stage.machine, other)).toBe("--");
  });
});

describe("a plan that is refused when it is due", () => {
  it("[TRIGGER-13] names itself and the bound, and leaves nothing behind", () => {
    const carol = stage.trader(0, 10_099);
    const orderId = plan({
      account: carol,
      side: "buy",
      direction: "rises",
      trigger: 1_010,
      price: 1_010,
      quantity: 1,
    });
    const events = tradeAt(1_010);
    expect(eventsOf(events, "rejected")).toMatchObject([
      { code: "INSUFFICIENT_BALANCE", account: carol, market: other, asset: 0, orderId, limit: 10_099, item: 0 },
    ]);
    expect(balance(carol, stage.quote)).toEqual([10_099, 0]);
    expect(eventsOf(send({ kind: "cancelOrder", account: carol, orderId }), "rejected")).toMatchObject([
      { code: "UNKNOWN_ORDER" },
    ]);
    // Another may wait in its place, and the next order has a slot of its own.
    const again = plan({ account: carol, side: "buy", direction: "rises", trigger: 1_050, price: 1_000, quantity: 1 });
    expect(again).not.toBe(orderId);
    const [rested] = eventsOf(limit("buy", 900, 1), "orderAccepted");
    expect([orderId, again]).not.toContain(rested?.orderId);
  });

  it("[TRIGGER-13] a bound of one is not told of the next", () => {
    send({ kind: "setMarketLimits", market: other, anchorTicks: 1_000, conditionalMax: 5 });
    const carol = stage.trader(0, 10_099);
    plan({ account: carol, side: "buy", direction: "rises", trigger: 1_010, price: 1_010, quantity: 1 });
    const post = { side: "buy", direction: "rises", trigger: 1_011, price: 1_030, quantity: 1, postOnly: "reject" };
    const second = plan(post);
    limit("sell", 1_030, 5);
    limit("sell", 1_020, 1);
    const events = limit("buy", 1_020, 1, "NONE");
    expect(eventsOf(events, "rejected")).toMatchObject([
      { code: "INSUFFICIENT_BALANCE", limit: 10_099 },
      { code: "POST_ONLY_WOULD_CROSS", limit: 0, orderId: second },
    ]);
  });
});

describe("a leg that is due", () => {
  it("[TRIGGER-14] takes its sibling back first, and the list ends", () => {
    const order = { account: alice, market: other, side: "sell", price: 1_100, quantity: 10 } as const;
    const made = send({ kind: "placeOco", ...order, trigger: 950, stopPrice: 945 });
    const high = present(eventsOf(made, "orderAccepted")[0], "TEST", "a limit").orderId;
    const stop = present(eventsOf(made, "conditionalAccepted")[0], "TEST", "a stop").orderId;
    const events = tradeAt(948);
    expect(eventsOf(events, "orderEnded")).toMatchObject([{ orderId: high, reason: "LIST_SIBLING", lots: 10 }]);
    expect(eventsOf(events, "orderAccepted").at(-1)).toMatchObject({ orderId: stop, price: 945, heldUnits: 10_000 });
    expect(eventsOf(events, "listEnded")).toMatchObject([{ account: alice, market: other, reason: "LIST_DONE" }]);
    expect(balance(alice, stage.base)).toEqual([90_000, 10_000]);
  });
});

describe("what firing leaves", () => {
  it("[TRIGGER-15] a plan that froze nothing frees nothing, and is told as fired and placed and no more", () => {
    const orderId = plan({ side: "buy", direction: "rises", trigger: 1_010, price: 1_005 });
    const events = tradeAt(1_010);
    const from = events.findIndex(({ kind }) => kind === "conditionalTriggered");
    expect(events.slice(from).map(({ kind }) => kind)).toEqual(["conditionalTriggered", "orderAccepted", "depth"]);
    expect(eventsOf(events, "orderAccepted").at(-1)).toMatchObject({ orderId, price: 1_005, heldUnits: 100_500 });
    send({ kind: "cancelAll", account: alice });
    plan({ conditional: "stopMarket", type: "market", trigger: 900, price: 0, quantity: 1 });
    limit("buy", 899, 1);
    const sold = tradeAt(900);
    const kinds = sold.slice(sold.findIndex(({ kind }) => kind === "conditionalTriggered")).map(({ kind }) => kind);
    expect(kinds.slice(0, 3)).toEqual(["conditionalTriggered", "frozen", "orderAccepted"]);
    expect(new Set(kinds.slice(3))).toEqual(new Set(["trade", "posting", "depth"]));
  });

  it("[TRIGGER-15] no second record stays behind, however many fire or are refused", () => {
    const { extras } = coreOf(stage.machine).books.orders;
    const poor = stage.trader(0, 10);
    plan();
    const used = extras.count;
    tradeAt(945);
    send({ kind: "cancelAll", account: alice });
    for (let i = 0; i < 5; i++) {
      tradeAt(1_000);
      plan(i % 2 === 0 ? {} : { account: poor, side: "buy" });
      const events = tradeAt(945);
      expect(eventsOf(events, "rejected")).toHaveLength(i % 2);
      send({ kind: "cancelAll", account: alice });
    }
    expect(extras.count).toBe(used);
  });

  it("[TRIGGER-13] in a later round a plan that is refused names its whole id, and the next order has another", () => {
    passRounds(stage.machine, 1);
    const poor = stage.trader(0, 10);
    const orderId = plan({ account: poor, side: "buy" });
    expect(orderId).toBeGreaterThan(ORDER_SLOT_COUNT);
    expect(eventsOf(tradeAt(945), "rejected")).toMatchObject([{ code: "INSUFFICIENT_BALANCE", orderId, limit: 10 }]);
    const [next] = eventsOf(limit("buy", 900, 1), "orderAccepted");
    expect(next?.orderId).toBeGreaterThan(orderId);
  });
});

describe("a leader's plan", () => {
  it("[TRIGGER-16] closes as a stop at the market, or where it is his position's, and else as a limit order", () => {
    const published = (set: object): unknown => {
      const copied = createCopyStage();
      const { leader, maker, linear } = copied;
      copied.follower({ multiplier: 50_000_000 });
      copied.sell(maker, 1_000, 500_000);
      copied.buy(leader, 20, 500_000);
      copied.buy(maker, 100, 489_000);
      const accepted = copied.sure({ account: leader, market: linear, source: "mark", ...set } as Command);
      expect(eventsOf(accepted, "rejected")).toEqual([]);
      const fired = copied.sure({ kind: "setReferencePrice", market: linear, markTicks: 489_900 });
      return eventsOf(fired, "copyPlaced").map(({ what, filledLots, limitTicks }) => [what, filledLots, limitTicks]);
    };
    const close = { kind: "placeConditional", side: "sell", quantity: 20, reduceOnly: true };
    const falls = { direction: "falls", trigger: 490_000 };
    expect(published({ ...close, ...falls, conditional: "stopMarket", type: "market" })).toEqual([["close", 10, 0]]);
    const part = { kind: "setPositionStops", lots: 8, stopTrigger: 490_000, stopPrice: 488_000 };
    expect(published(part)).toEqual([["close", 4, 0]]);
    // Half a per cent below the leader's 489 000.
    const limited = published({ ...close, ...falls, conditional: "stopLimit", price: 488_000 });
    expect(limited).toEqual([["close", 10, 486_555]]);
  });

  it("[TRIGGER-16] what a leader closes by hand after his stop is a limit order again", () => {
    const copied = createCopyStage();
    const { leader, maker, linear } = copied;
    copied.follower({ multiplier: 50_000_000 });
    copied.sell(maker, 1_000, 500_000);
    copied.buy(leader, 20, 500_000);
    copied.buy(maker, 100, 489_000);
    const part = { kind: "setPositionStops", account: leader, market: linear, lots: 8, stopTrigger: 490_000 } as const;
    copied.sure(part);
    copied.sure({ kind: "setReferencePrice", market: linear, markTicks: 489_900 });
    expect(copied.held(leader)).toMatchObject([{ lots: 12 }]);
    const placed = eventsOf(copied.sell(leader, 4, 489_000), "copyPlaced");
    expect(placed).toMatchObject([{ what: "close", filledLots: 2, limitTicks: 486_555 }]);
  });
});
