// Bounds: what a refusal names as broken, and the price band at its edges.
import { beforeEach, describe, expect, it } from "vitest";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createStage, type Stage } from "../../testing/stage.ts";

let stage: Stage;
let alice: number;
let bob: number;

const limit = (account: number, side: "buy" | "sell", price: number, quantity: number): MachineEvent[] =>
  stage.send({ kind: "placeOrder", account, market: stage.market, side, price, quantity });
const refusals = (events: readonly MachineEvent[]): unknown[] =>
  eventsOf(events, "rejected").map(({ code, limit: bound }) => [code, bound]);

describe("the bound a refusal names", () => {
  const plan = (more: Partial<Extract<Command, { kind: "placeConditional" }>>): unknown[] =>
    refusals(
      stage.send({
        kind: "placeConditional",
        account: alice,
        market: stage.market,
        side: "buy",
        price: 1_010,
        quantity: 10,
        conditional: "stopLimit",
        direction: "rises",
        trigger: 1_010,
        ...more,
      }),
    );
  const oco = (more: Partial<Extract<Command, { kind: "placeOco" }>>): MachineEvent[] =>
    stage.send({
      kind: "placeOco",
      account: alice,
      market: stage.market,
      side: "buy",
      price: 990,
      quantity: 10,
      trigger: 1_010,
      stopPrice: 1_010,
      ...more,
    });
  const twap = (more: Partial<Extract<Command, { kind: "placeTwap" }>>): unknown[] =>
    refusals(
      stage.send({
        kind: "placeTwap",
        account: alice,
        market: stage.market,
        side: "buy",
        price: 1_000,
        quantity: 300,
        durationMs: 300_000,
        intervalMs: 10_000,
        ...more,
      }),
    );

  beforeEach(() => {
    stage = createStage({
      anchorTicks: 1_000,
      minLots: 2,
      maxLots: 1_000,
      minNotionalUnits: 5_000,
      conditionalMax: 1,
      listMax: 1,
    });
    alice = stage.trader(1e6, 1e6);
    bob = stage.trader(1e6, 1e6);
    limit(bob, "sell", 1_000, 10);
    limit(alice, "buy", 1_000, 10);
  });

  it("[CHECK-1] a plan names the bound it broke, as an order does", () => {
    expect(plan({ quantity: 1 })).toEqual([["QUANTITY_TOO_SMALL", 2]]);
    expect(plan({ quantity: 1_001 })).toEqual([["QUANTITY_TOO_LARGE", 1_000]]);
    expect(plan({ quantity: 2 })).toEqual([["NOTIONAL_TOO_SMALL", 5_000]]);
    expect(plan({ trigger: 900 })).toEqual([["TRIGGER_ALREADY_TRUE", 1_000]]);
    expect(plan({ conditional: "stopMarket", inQuote: true, quantity: 4_999 })).toEqual([
      ["NOTIONAL_TOO_SMALL", 5_000],
    ]);
    expect(plan({ selfTrade: "NONE" })).toEqual([["SELF_TRADE_MODE_FORBIDDEN", 0]]);
    expect(plan({})).toEqual([]);
    expect(plan({})).toEqual([["TOO_MANY_CONDITIONALS", 1]]);
  });

  it("[CHECK-1] a slicer names the bound its even slice broke", () => {
    expect(twap({ quantity: 30 })).toEqual([["QUANTITY_TOO_SMALL", 2]]);
    expect(twap({ quantity: 60 })).toEqual([["NOTIONAL_TOO_SMALL", 5_000]]);
    plan({});
    expect(twap({})).toEqual([["TOO_MANY_CONDITIONALS", 1]]);
  });

  it("[CHECK-1] a list names its own bound and leaks none into what follows", () => {
    expect(refusals(oco({ postOnly: "reject", price: 999, quantity: 1_000 }))).toEqual([
      ["INSUFFICIENT_BALANCE", 990_000],
    ]);
    expect(refusals(oco({ selfTrade: "NONE" }))).toEqual([["SELF_TRADE_MODE_FORBIDDEN", 0]]);
    expect(refusals(oco({}))).toEqual([]);
    stage.send({ kind: "setMarketLimits", market: stage.market, conditionalMax: 9, listMax: 1 });
    expect(refusals(oco({}))).toEqual([["TOO_MANY_LISTS", 1]]);
  });

  it("[CHECK-1] an amend that shrinks too far names the bound, and none when it was another check", () => {
    const orderId = eventsOf(limit(alice, "buy", 990, 10), "orderAccepted")[0]?.orderId ?? 0;
    const amend = (quantity: number): unknown[] =>
      refusals(stage.send({ kind: "amendOrder", account: alice, orderId, quantity }));
    expect(amend(1)).toEqual([["QUANTITY_TOO_SMALL", 2]]);
    expect(amend(5)).toEqual([["NOTIONAL_TOO_SMALL", 5_000]]);
    expect(amend(10)).toEqual([["AMEND_NO_CHANGE", 0]]);
  });

  it("[CHECK-2] a bound of one item is not told of the next", () => {
    limit(bob, "buy", 990, 10);
    const events = stage.send({
      kind: "placeScaled",
      account: alice,
      market: stage.market,
      side: "sell",
      // The first is far above the band, the second would trade and is post-only.
      price: 6_000,
      priceTo: 900,
      quantity: 20,
      count: 2,
      postOnly: "reject",
    });
    expect(refusals(events)).toEqual([
      ["PRICE_TOO_HIGH", 5_000],
      ["POST_ONLY_WOULD_CROSS", 0],
    ]);
  });
});

describe("the band", () => {
  it("[BAND-1] bounds beyond the highest price end there", () => {
    const anchorTicks = 500_000_000;
    stage = createStage({ anchorTicks });
    alice = stage.trader(1e8, 0);
    expect(refusals(limit(alice, "sell", anchorTicks, 1))).toEqual([]);
    expect(refusals(limit(alice, "sell", 1_000_000_000, 1))).toEqual([]);
  });

  it("[BAND-2] an operator's anchor is not overruled by trades that have left the window", () => {
    stage = createStage({ anchorTicks: 1_000 });
    alice = stage.trader(1e8, 1e8);
    bob = stage.trader(1e8, 1e8);
    limit(bob, "sell", 1_000, 10);
    limit(alice, "buy", 1_000, 10);
    stage.time += 600_000;
    stage.send({ kind: "setMarketLimits", market: stage.market, anchorTicks: 5_000 });
    expect(refusals(limit(alice, "buy", 6_001, 1))).toEqual([["PRICE_TOO_HIGH", 6_000]]);
    expect(refusals(limit(alice, "buy", 6_000, 1))).toEqual([]);
  });
});
