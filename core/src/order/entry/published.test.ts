// What placing, filling and changing orders tells, member by member: in a market that is not the first, under ids of a later
// round, in which an id is more than its slot.
import { present } from "@clockwork/kit/assert";
import { beforeEach, describe, expect, it } from "vitest";
import { coreOf, createMachine } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { ORDER_SLOT_COUNT } from "../../protocol/layout.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, PLAIN_ORDER, passRounds, type Stage } from "../../testing/stage.ts";

let stage: Stage;
let other: number;
let alice: number;
let bob: number;
let bot: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const place = (account: number, side: "buy" | "sell", price: number, quantity: number, more: object = {}) =>
  send({ kind: "placeOrder", account, market: other, side, price, quantity, ...more } as Command);
const placed = (...of: Parameters<typeof place>): number =>
  present(eventsOf(place(...of), "orderAccepted")[0], "TEST", "an order").orderId;
/** All but the entries and the valuation, which are others', and without what all events of a command share. */
const published = (events: readonly MachineEvent[]): unknown[] =>
  events
    .filter(({ kind }) => kind !== "posting" && kind !== "assetValued")
    .map(({ sequence: _, time: __, ...event }) => event);

beforeEach(() => {
  stage = createStage();
  const listing = { base: stage.base, quote: stage.quote, tickMantissa: 1, tickDecimals: 0, stepUnits: 1_000 };
  const listed = send({ kind: "listMarket", ...listing, symbol: "BTC/USDT:10", feeGroup: 1 });
  other = present(eventsOf(listed, "marketListed")[0], "TEST", "a market").market;
  send({ kind: "setFeeGroup", feeGroup: 1, makerRate: 100_000, takerRate: 300_000 });
  alice = stage.trader(1e8, 1e8);
  bob = stage.trader(1e8, 1e8);
  bot = stage.trader(0, 1e6, { book: "bot" });
  passRounds(stage.machine, 1);
});

const depth = (side: "buy" | "sell", price: number, lots: number): unknown => ({
  kind: "depth",
  market: other,
  bookSequence: expect.any(Number),
  side,
  price,
  lots,
});

describe("fills", () => {
  it("[TOLD-1] a trade names both orders, whose they are, its number in its market and which of them is done", () => {
    const first = placed(bob, "buy", 1_000, 4);
    const second = placed(bob, "buy", 1_000, 4);
    expect(Math.min(first, second)).toBeGreaterThan(ORDER_SLOT_COUNT);
    const events = place(alice, "sell", 999, 6);
    const taker = present(eventsOf(events, "orderAccepted")[0], "TEST", "an order").orderId;
    const trade = {
      kind: "trade",
      account: alice,
      takerSide: "sell",
      takerOrderId: taker,
      market: other,
      price: 1_000,
    };
    const balance = { availableUnits: 1e8 - 6_000, frozenUnits: 6_000 };
    expect(published(events)).toEqual([
      {
        kind: "orderAccepted",
        account: alice,
        orderId: taker,
        market: other,
        ...PLAIN_ORDER,
        side: "sell",
        price: 999,
        quantity: 6,
        heldUnits: 6_000,
        ...balance,
      },
      { ...trade, makerOrderId: first, makerAccount: bob, lots: 4, tradeNumber: 1, makerDone: true, takerDone: false },
      { ...trade, makerOrderId: second, makerAccount: bob, lots: 2, tradeNumber: 2, makerDone: false, takerDone: true },
      depth("buy", 1_000, 2),
    ]);
    placed(bob, "sell", 1_001, 1);
    // It never ends in a trade, even where its last unit is spent.
    expect(eventsOf(place(alice, "buy", 0, 10_010, { type: "market", inQuote: true }), "trade")).toMatchObject([
      { takerSide: "buy", tradeNumber: 3, makerDone: true, takerDone: false },
    ]);
  });

  it("[TOLD-2] what is left of a fee reserve is told as given back, of maker and of taker", () => {
    const maker = placed(bot, "buy", 1_000, 10);
    // Three in a thousand of 100 000 are set aside, one is charged.
    const [made, ...more] = eventsOf(place(alice, "sell", 1_000, 10), "frozen");
    expect(more).toEqual([]);
    expect(made).toMatchObject({ business: "trade", account: bot, asset: stage.quote, deltaUnits: -200 });
    expect(made).toMatchObject({ reference: maker, availableUnits: 1e6 - 100_100, frozenUnits: 0 });
    placed(alice, "sell", 990, 10);
    const events = place(bot, "buy", 1_000, 10);
    const taker = present(eventsOf(events, "orderAccepted")[0], "TEST", "an order");
    expect(taker).toMatchObject({ account: bot, heldUnits: 100_300, frozenUnits: 100_300 });
    const given = eventsOf(events, "frozen").filter(({ reference }) => reference === taker.orderId);
    expect(given.map(({ account, asset, deltaUnits }) => [account, asset, deltaUnits])).toEqual([
      [bot, stage.quote, -3],
    ]);
    expect(given[0]).toMatchObject({ availableUnits: 1e6 - 100_100 - 99_297, frozenUnits: 0 });
  });

  it("[TOLD-3] an iceberg tells once how much it shows, and each slice that follows", () => {
    const until = stage.time + 60_000;
    const events = place(bob, "sell", 1_000, 20, { visible: 6, timeInForce: "GTD", expiresAt: until });
    const orderId = present(eventsOf(events, "orderAccepted")[0], "TEST", "an order").orderId;
    const about = { account: bob, orderId, market: other };
    expect(published(events).slice(1)).toEqual([
      { kind: "icebergShown", ...about, lots: 6 },
      { kind: "expirySet", ...about, expiresAt: until },
      depth("sell", 1_000, 6),
    ]);
    const taken = place(alice, "buy", 1_000, 8);
    expect(eventsOf(taken, "trade")).toMatchObject([
      { takerSide: "buy", lots: 6, makerDone: false, takerDone: false },
      { takerSide: "buy", lots: 2, makerDone: false, takerDone: true },
    ]);
    expect(published(taken).slice(2, 3)).toEqual([{ kind: "icebergRefilled", ...about, price: 1_000, lots: 6 }]);
    expect(published(taken).at(-1)).toEqual(depth("sell", 1_000, 4));
    const plainly = published(place(bob, "sell", 1_001, 20));
    expect(plainly.slice(1)).toEqual([depth("sell", 1_001, 20)]);
  });
});

describe("own orders in the way", () => {
  it("[TOLD-4] lots that meet their owner's are told with both orders, and both give back what they held for them", () => {
    const maker = placed(alice, "buy", 1_000, 10);
    const events = place(alice, "sell", 990, 4, { selfTrade: "DECREMENT" });
    const taker = present(eventsOf(events, "orderAccepted")[0], "TEST", "an order").orderId;
    const frozen = { kind: "frozen", business: "trade", account: alice };
    expect(published(events).slice(1)).toEqual([
      {
        kind: "selfTradePrevented",
        mode: "DECREMENT",
        account: alice,
        makerAccount: alice,
        takerSide: "sell",
        takerOrderId: taker,
        makerOrderId: maker,
        market: other,
        price: 1_000,
        lots: 4,
      },
      {
        ...frozen,
        asset: stage.quote,
        deltaUnits: -40_000,
        reference: maker,
        availableUnits: 1e8 - 60_000,
        frozenUnits: 60_000,
      },
      {
        ...frozen,
        asset: stage.base,
        deltaUnits: -4_000,
        reference: taker,
        availableUnits: 1e8,
        frozenUnits: 0,
      },
      depth("buy", 1_000, 6),
      {
        kind: "orderEnded",
        reason: "STP_DECREMENT",
        account: alice,
        orderId: taker,
        market: other,
        price: 990,
        ...PLAIN_ORDER,
        side: "sell",
        selfTrade: "DECREMENT",
        lots: 0,
        releasedUnits: 0,
        availableUnits: 1e8,
        frozenUnits: 0,
      },
    ]);
  });

  it("[TOLD-4] a maker that is in his owner's way is told, with the side of the taker, and ends", () => {
    const maker = placed(alice, "sell", 1_000, 3);
    const events = place(alice, "buy", 1_001, 5, { selfTrade: "EXPIRE_MAKER" });
    const taker = present(eventsOf(events, "orderAccepted")[0], "TEST", "an order").orderId;
    expect(published(events).slice(1)).toMatchObject([
      { kind: "selfTradePrevented", mode: "EXPIRE_MAKER", takerSide: "buy", takerOrderId: taker, makerOrderId: maker },
      { kind: "orderEnded", reason: "STP_MAKER", orderId: maker, lots: 3, releasedUnits: 3_000, frozenUnits: 0 },
      { kind: "depth", side: "sell", price: 1_000, lots: 0 },
      { kind: "depth", side: "buy", price: 1_001, lots: 5 },
    ]);
  });
});

describe("changes", () => {
  it("[TOLD-5] an order that moves tells its new form, then both of its prices", () => {
    placed(bob, "sell", 1_000, 2);
    placed(bob, "sell", 1_000, 3);
    const orderId = placed(alice, "sell", 1_000, 5);
    const moved = send({ kind: "amendOrder", account: alice, orderId, price: 1_010, quantity: 7 });
    expect(published(moved)).toEqual([
      {
        kind: "orderAmended",
        keptPriority: false,
        account: alice,
        orderId,
        market: other,
        price: 1_010,
        ...PLAIN_ORDER,
        side: "sell",
        lots: 7,
        heldUnits: 2_000,
        availableUnits: 1e8 - 7_000,
        frozenUnits: 7_000,
      },
      depth("sell", 1_000, 5),
      depth("sell", 1_010, 7),
    ]);
    const shrunk = send({ kind: "amendOrder", account: alice, orderId, quantity: 6 });
    expect(published(shrunk)).toEqual([
      {
        kind: "orderAmended",
        keptPriority: true,
        account: alice,
        orderId,
        market: other,
        price: 1_010,
        ...PLAIN_ORDER,
        side: "sell",
        lots: 6,
        heldUnits: -1_000,
        availableUnits: 1e8 - 6_000,
        frozenUnits: 6_000,
      },
      depth("sell", 1_010, 6),
    ]);
    const bid = placed(alice, "buy", 900, 5);
    const depths = (change: object): unknown[] =>
      published(send({ kind: "amendOrder", account: alice, orderId: bid, ...change })).slice(1);
    expect(depths({ quantity: 4 })).toEqual([depth("buy", 900, 4)]);
    expect(depths({ price: 901 })).toEqual([depth("buy", 900, 0), depth("buy", 901, 4)]);
  });
});

describe("a level", () => {
  it("[TOLD-6] that is taken from tells once what is left of it, however many stood there", () => {
    for (const side of ["sell", "buy"] as const) {
      for (const lots of [1, 2, 3, 4]) placed(bob, side, 1_000, lots);
      const taken = place(alice, side === "sell" ? "buy" : "sell", 1_000, 7);
      expect(eventsOf(taken, "trade").map(({ lots }) => lots)).toEqual([1, 2, 3, 1]);
      expect(published(taken).filter((event) => (event as MachineEvent).kind === "depth")).toEqual([
        depth(side, 1_000, 3),
      ]);
      send({ kind: "cancelAll", account: bob });
    }
  });
});

describe("the fast paths", () => {
  it("[TOLD-7] an amount that is spent and orders that never rest tell the same with them as without", () => {
    const publish = (fastPathsAfter: number): unknown[] => {
      stage = createStage({}, createMachine({ fastPathsAfter }));
      other = stage.market;
      alice = stage.trader(1e8, 1e8);
      bob = stage.trader(1e8, 1e8);
      for (const price of [1_000, 1_001, 1_002]) for (const lots of [1, 2, 3]) place(bob, "sell", price, lots);
      expect(coreOf(stage.machine).bound !== undefined).toBe(fastPathsAfter === 0);
      return [
        place(alice, "buy", 0, 4_500, { type: "market", inQuote: true }),
        place(alice, "buy", 0, 2, { type: "market" }),
        place(alice, "buy", 1_001, 2, { timeInForce: "IOC", selfTrade: "DECREMENT" }),
        place(alice, "buy", 1_002, 100, { timeInForce: "FOK" }),
        place(alice, "buy", 0, 6_700, { type: "market", inQuote: true }),
        place(bob, "buy", 1_002, 2, { selfTrade: "EXPIRE_MAKER" }),
      ].map((events) => [published(events), eventsOf(events, "posting")]);
    };
    const plainly = publish(1e9);
    expect(publish(0)).toEqual(plainly);
    expect(plainly.flat(3)).toContainEqual(expect.objectContaining({ reason: "QUOTE_SPENT", lots: 500 }));
  });
});
