// What begins, follows, is sliced, listed or ends is told whole: every member of every event, in a market that is not the
// first and whose tick of a lot is more than a unit, under ids of a later round, behind other events of its command.
import { present } from "@clockwork/kit/assert";
import { beforeEach, describe, expect, it } from "vitest";
import type { Command } from "../../protocol/command.ts";
import type { EventKind, MachineEvent } from "../../protocol/event.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, nextOrderId, PLAIN_ORDER, passRounds, type Stage } from "../../testing/stage.ts";

let stage: Stage;
let market: number;
let alice: number;
let bob: number;

/** Time moves before each, so that a clock stands before what it tells. */
function send(command: Command): MachineEvent[] {
  stage.time += 1;
  return sendChecked(stage, command);
}
const order = (kind: Command["kind"], more: object): MachineEvent[] =>
  send({ kind, account: alice, market, side: "sell", price: 1_100, quantity: 10, ...more } as Command);
const tradeAt = (price: number): MachineEvent[] => {
  order("placeOrder", { account: bob, side: "buy", price, quantity: 1 });
  return order("placeOrder", { account: bob, side: "sell", price, quantity: 1, selfTrade: "NONE" });
};
/** The events of some kinds, without what the driver checks of all. */
const published = (events: readonly MachineEvent[], ...kinds: readonly EventKind[]): unknown[] =>
  events.flatMap(({ sequence: _sequence, time: _time, ...event }) => (kinds.includes(event.kind) ? [event] : []));

beforeEach(() => {
  stage = createStage({ anchorTicks: 1_000 });
  const listing = { base: stage.base, quote: stage.quote, tickMantissa: 1, tickDecimals: 0, stepUnits: 1_000 };
  const listed = stage.send({ kind: "listMarket", ...listing, symbol: "BTC/USDT:10", anchorTicks: 1_000 });
  market = present(eventsOf(listed, "marketListed")[0], "TEST", "a market").market;
  send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
  const outsider = stage.trader(1e6, 1e6);
  // In the first slot of all is somebody's sale in the other market, with a second record of its own.
  order("placeOrder", { account: outsider, market: stage.market, price: 4_000, visible: 5, clientOrderId: "first" });
  alice = stage.trader(100_000, 1e6);
  bob = stage.trader(1e9, 1e9);
  send({ kind: "setAccountFlags", account: bob, allowSelfTrade: true });
  passRounds(stage.machine, 3, 257);
  tradeAt(1_000);
});

describe("orders", () => {
  it("[TOLD-1] an order that ends gives back what is left of it, and its level shows what is left there", () => {
    const sale = nextOrderId(stage.machine);
    order("placeOrder", { clientOrderId: "s" });
    order("placeOrder", { account: bob, quantity: 3 });
    const gone = send({ kind: "cancelOrder", account: alice, clientOrderId: "s" });
    expect(published(gone, "orderEnded", "depth")).toEqual([
      {
        kind: "orderEnded",
        reason: "USER",
        account: alice,
        ...PLAIN_ORDER,
        side: "sell",
        orderId: sale,
        market,
        price: 1_100,
        lots: 10,
        releasedUnits: 10_000,
        availableUnits: 100_000,
        frozenUnits: 0,
      },
      { kind: "depth", side: "sell", market, price: 1_100, lots: 3, bookSequence: expect.any(Number) },
    ]);
    const buy = nextOrderId(stage.machine);
    order("placeOrder", { side: "buy", price: 900 });
    expect(published(send({ kind: "cancelAll", account: alice }), "orderEnded", "depth", "rejected")).toEqual([
      {
        kind: "orderEnded",
        reason: "CANCEL_ALL",
        account: alice,
        ...PLAIN_ORDER,
        side: "buy",
        orderId: buy,
        market,
        price: 900,
        lots: 10,
        releasedUnits: 90_000,
        availableUnits: 1e6,
        frozenUnits: 0,
      },
      { kind: "depth", side: "buy", market, price: 900, lots: 0, bookSequence: expect.any(Number) },
    ]);
  });

  it("[TOLD-1] an iceberg's hidden lots end with it", () => {
    order("placeOrder", { visible: 4 });
    const gone = send({ kind: "cancelAll", account: alice });
    expect(eventsOf(gone, "orderEnded")).toMatchObject([{ iceberg: true, lots: 10, releasedUnits: 10_000 }]);
  });

  it("[TOLD-2] a client order id is told with its order, and a repeat names both", () => {
    const orderId = nextOrderId(stage.machine);
    const text = "abcdefghijklmnopqrstuvwxyz0123456789";
    const first = order("placeOrder", { clientOrderId: text });
    expect(published(first, "clientOrderId")).toEqual([
      { kind: "clientOrderId", account: alice, orderId, clientOrderId: text },
    ]);
    order("placeOrder", { price: 1_200 });
    expect(published(order("placeOrder", { clientOrderId: text }), "repeated")).toEqual([
      { kind: "repeated", command: "placeOrder", account: alice, firstSequence: first[0]?.sequence, orderId },
    ]);
  });
});

describe("plans", () => {
  const STOP = { conditional: "stopLimit", direction: "falls", trigger: 950, price: 940 } as const;
  const waits = (orderId: number, more: object): object => ({
    account: alice,
    ...PLAIN_ORDER,
    conditional: true,
    conditionalType: "stopLimit",
    side: "sell",
    orderId,
    market,
    price: 940,
    quantity: 10,
    trigger: 950,
    callbackBps: 0,
    source: "last",
    direction: "falls",
    peak: 0,
    heldUnits: 10_000,
    ...more,
  });
  const frozen = (deltaUnits: number, reference: number, frozenUnits: number): object => ({
    kind: "frozen",
    business: "trade",
    account: alice,
    asset: stage.base,
    deltaUnits,
    reference,
    availableUnits: 100_000 - frozenUnits,
    frozenUnits,
  });

  it("[TOLD-3] a plan is told as it is now, when it is taken, changed and withdrawn", () => {
    const id = nextOrderId(stage.machine);
    const kinds = [
      ...["conditionalAccepted", "conditionalAmended", "clientOrderId", "frozen", "orderEnded", "rejected"],
    ] as EventKind[];
    expect(published(order("placeConditional", STOP), ...kinds)).toEqual([
      { kind: "conditionalAccepted", ...waits(id, {}) },
      frozen(10_000, id, 10_000),
    ]);
    const change = { orderId: id, trigger: 949, price: 941, quantity: 12 };
    expect(published(send({ kind: "amendPlan", account: alice, ...change }), ...kinds)).toEqual([
      { kind: "conditionalAmended", ...waits(id, { price: 941, quantity: 12, trigger: 949, heldUnits: 12_000 }) },
      frozen(2_000, id, 12_000),
    ]);
    expect(published(send({ kind: "cancelOrder", account: alice, orderId: id }), ...kinds)).toEqual([
      {
        kind: "orderEnded",
        reason: "USER",
        account: alice,
        ...PLAIN_ORDER,
        conditional: true,
        side: "sell",
        orderId: id,
        market,
        price: 941,
        lots: 12,
        releasedUnits: 12_000,
        availableUnits: 100_000,
        frozenUnits: 0,
      },
    ]);
  });

  it("[TOLD-3] a trailing stop tells its callback and its best price, and each step on its way", () => {
    const trail = { conditional: "trailingStop", trigger: 1_010, callbackBps: 500, price: 900 };
    const id = nextOrderId(stage.machine);
    const conditionalType = "trailingStop";
    const own = { conditionalType, price: 900, callbackBps: 500, direction: "rises", trigger: 1_010 };
    expect(published(order("placeConditional", trail), "conditionalAccepted")).toEqual([
      { kind: "conditionalAccepted", ...waits(id, own) },
    ]);
    const step = { account: alice, orderId: id, market };
    expect(published(tradeAt(1_011), "trailingActivated", "trailingMoved")).toEqual([
      { kind: "trailingActivated", ...step, observed: 1_011 },
    ]);
    expect(published(tradeAt(1_020), "trailingActivated", "trailingMoved")).toEqual([
      { kind: "trailingMoved", ...step, observed: 1_020 },
    ]);
    const changed = send({ kind: "amendPlan", account: alice, orderId: id, callbackBps: 600 });
    expect(published(changed, "conditionalAmended")).toEqual([
      { kind: "conditionalAmended", ...waits(id, { ...own, callbackBps: 600, peak: 1_020 }) },
    ]);
    // One that buys waits for a fall to its activation, whatever direction was given.
    const bought = order("placeConditional", { ...trail, side: "buy", direction: "rises", trigger: 900 });
    expect(eventsOf(bought, "conditionalAccepted")).toMatchObject([{ direction: "falls", peak: 0 }]);
  });

  it("[TOLD-3] a plan that is withdrawn fires no more, and the one beside it does", () => {
    const [gone, kept] = [0, 1].map(() => {
      const id = nextOrderId(stage.machine);
      order("placeConditional", STOP);
      return id;
    });
    send({ kind: "cancelOrder", account: alice, orderId: gone ?? 0 });
    expect(eventsOf(tradeAt(950), "conditionalTriggered").map(({ orderId }) => orderId)).toEqual([kept]);
  });
});

describe("lists", () => {
  const kinds = ["listCreated", "listLeg", "listEnded", "clientOrderId", "frozen", "rejected"] as const;
  const exits = { profitPrice: 0, stopTrigger: 0, stopPrice: 0 };

  it("[TOLD-4] a bracket names its entry with the exits to come, each leg that joins, and its end", () => {
    const list = nextOrderId(stage.machine);
    const whole = { profitPrice: 1_200, stopTrigger: 900, stopPrice: 890 };
    const made = order("placeBracket", { side: "buy", price: 950, ...whole });
    const own = { account: alice, list, market };
    expect(published(made, ...kinds)).toEqual([
      { kind: "listCreated", type: "bracket", ...own },
      { kind: "listLeg", leg: "entry", ...own, orderId: list + 1, ...whole },
    ]);
    const profit = nextOrderId(stage.machine) + 1;
    const filled = order("placeOrder", { account: bob, price: 950 });
    expect(published(filled, ...kinds)).toEqual([
      { kind: "listLeg", leg: "profit", ...own, orderId: profit, ...exits },
      { kind: "listLeg", leg: "stop", ...own, orderId: profit + 1, ...exits },
    ]);
    expect(published(send({ kind: "cancelList", account: alice, list }), ...kinds)).toEqual([
      { kind: "listEnded", reason: "USER", ...own },
    ]);
  });

  it("[TOLD-4] an OCO names its two legs, and its end when one of them is done", () => {
    const list = nextOrderId(stage.machine);
    const own = { account: alice, list, market };
    expect(published(order("placeOco", { trigger: 900 }), ...kinds)).toEqual([
      { kind: "listCreated", type: "oco", ...own },
      { kind: "listLeg", leg: "stop", ...own, orderId: list + 1, ...exits },
      { kind: "listLeg", leg: "profit", ...own, orderId: list + 2, ...exits },
    ]);
    const named = order("placeOco", { trigger: 900, clientOrderId: "o" });
    expect(published(named, "clientOrderId", "frozen")).toEqual([
      { kind: "clientOrderId", account: alice, orderId: list + 5, clientOrderId: "o" },
    ]);
    const done = send({ kind: "cancelOrder", account: alice, orderId: list + 1 });
    expect(published(done, ...kinds)).toEqual([{ kind: "listEnded", reason: "LIST_DONE", ...own }]);
    expect(eventsOf(done, "orderEnded").map(({ orderId, reason }) => [orderId, reason])).toEqual([
      [list + 1, "USER"],
      [list + 2, "LIST_SIBLING"],
    ]);
  });
});

describe("what a list sets aside", () => {
  it("[TOLD-4] for its stop is told when it is frozen and when it is given back", () => {
    const reference = nextOrderId(stage.machine);
    const frozen = (deltaUnits: number, frozenUnits: number): object => ({
      kind: "frozen",
      business: "trade",
      account: alice,
      asset: stage.quote,
      deltaUnits,
      reference,
      availableUnits: 1e6 - frozenUnits,
      frozenUnits,
    });
    const made = order("placeOco", { side: "buy", price: 900, trigger: 1_100, stopPrice: 1_200 });
    expect(published(made, "frozen", "rejected")).toEqual([frozen(30_000, 30_000)]);
    expect(eventsOf(made, "orderAccepted")).toMatchObject([{ heldUnits: 90_000, frozenUnits: 120_000 }]);
    const gone = send({ kind: "cancelList", account: alice, list: reference });
    expect(published(gone, "frozen", "rejected")).toEqual([frozen(-30_000, 0)]);
  });
});

describe("slicers and switches", () => {
  it("[TOLD-5] a slicer tells what it is to do, each slice, and what is left at its end", () => {
    const times = { durationMs: 300_000, intervalMs: 10_000 };
    const kinds = ["twapStarted", "clientOrderId", "twapSlice", "twapEnded", "rejected"] as const;
    order("placeOrder", { account: bob, side: "buy", price: 1_000, quantity: 2 });
    const twap = nextOrderId(stage.machine);
    const own = { account: alice, twap, market };
    const made = order("placeTwap", { price: 990, quantity: 90, ...times, clientOrderId: "t", selfTrade: "DECREMENT" });
    expect(published(made, ...kinds)).toEqual([
      {
        kind: "twapStarted",
        ...own,
        ...PLAIN_ORDER,
        selfTrade: "DECREMENT",
        timeInForce: "IOC",
        side: "sell",
        price: 990,
        lots: 90,
        intervals: 30,
        intervalMs: 10_000,
      },
      { kind: "clientOrderId", account: alice, orderId: twap, clientOrderId: "t" },
      { kind: "twapSlice", ...own, slice: 1, filledLots: 2, leftLots: 88 },
    ]);
    stage.time += 10_000;
    expect(published(send({ kind: "tick" }), ...kinds)).toEqual([
      { kind: "twapSlice", ...own, slice: 2, filledLots: 0, leftLots: 88 },
    ]);
    expect(published(send({ kind: "cancelAll", account: alice }), ...kinds)).toEqual([
      { kind: "twapEnded", reason: "CANCEL_ALL", ...own, leftLots: 88 },
    ]);
    const unnamed = order("placeTwap", { price: 990, quantity: 90, ...times });
    expect(published(unnamed, ...kinds)).toMatchObject([{ kind: "twapStarted" }, { kind: "twapSlice", filledLots: 0 }]);
  });

  it("[TOLD-6] a switch tells when it fires, for which market, and that it did", () => {
    const kinds = ["deadManSet", "deadManFired", "rejected"] as const;
    for (const named of [market, -1]) {
      const armed = send({ kind: "setDeadMan", account: alice, market: named, timeoutMs: 5_000 });
      const firesAt = stage.time + 5_000;
      expect(published(armed, ...kinds)).toEqual([{ kind: "deadManSet", account: alice, market: named, firesAt }]);
      stage.time += 5_000;
      expect(published(send({ kind: "tick" }), ...kinds)).toEqual([
        { kind: "deadManFired", account: alice, market: named },
      ]);
    }
  });
});
