// What holders ask of their positions by command: who is refused and why, what is told word for word, and what a close and
// a reverse leave behind.
import { describe, expect, test } from "vitest";
import type { Command } from "../../protocol/command.ts";
import { INSURANCE_ACCOUNT } from "../../protocol/names.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { hold, published, RICH, take } from "./hold-fixture.ts";

function listSpot(stage: PerpStage): number {
  const shape = { base: stage.btc, quote: stage.usdt, tickMantissa: 1, tickDecimals: 1, stepUnits: 1_000 } as const;
  return eventsOf(stage.sure({ kind: "listMarket", ...shape, symbol: "S" }), "marketListed")[0]?.market ?? 0;
}

test("[FUT-2] every command names a perpetual market where its account trades, and a position that is open", () => {
  const stage = createPerpStage();
  const spot = listSpot(stage);
  const { alice } = hold(stage, 10);
  const named = (market: number): Command[] => {
    const base = { account: alice, market };
    return [
      { kind: "setLeverage", ...base, long: 10 },
      { kind: "setMarginMode", ...base, isolated: true },
      { kind: "changeMargin", ...base, units: 1 },
      { kind: "setAutoAppend", ...base, on: true },
      { kind: "closePosition", ...base },
      { kind: "reversePosition", ...base },
      { kind: "setPositionStops", ...base, stopTrigger: 490_000 },
    ];
  };
  for (const [market, code] of [
    [99, "UNKNOWN_MARKET"],
    [spot, "NOT_A_PERPETUAL"],
    [stage.inverse, "BOOK_NOT_TRADABLE"],
  ] as const)
    expect(named(market).map((command) => published(stage.sure(command))?.[0])).toEqual(Array(7).fill(code));
  for (const account of [INSURANCE_ACCOUNT, 999])
    expect(
      named(stage.linear).map((command) => published(stage.sure({ ...command, account } as Command))?.[0]),
    ).toEqual(Array(7).fill("UNKNOWN_ACCOUNT"));
  const outsider = stage.trader(RICH);
  const none = named(stage.linear)
    .slice(4)
    .map((command) => published(stage.sure({ ...command, account: outsider } as Command))?.[0]);
  expect(none).toEqual(Array(3).fill("UNKNOWN_POSITION"));
  // A market where it may trade no longer, but has a standing, still takes its settings.
  stage.sure({ kind: "setMarketStatus", market: stage.linear, status: "HALT" });
  expect(
    published(stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 10 })),
  ).toBeUndefined();
});

describe("[FUT-2] closing", () => {
  test("at a limit the rest stays whole in the book; at market within what slippage allows", () => {
    const stage = createPerpStage();
    const { alice, bob } = hold(stage, 10);
    const close = { kind: "closePosition", account: alice, market: stage.linear } as const;
    expect(published(stage.sure({ ...close, slippageBps: -1 }))).toEqual(["INVALID_SLIPPAGE", 0]);
    const rests = stage.sure({ ...close, lots: 4, price: 501_000 });
    expect(eventsOf(rests, "orderAccepted")).toMatchObject([
      { side: "sell", type: "limit", reduceOnly: true, quantity: 4, price: 501_000, timeInForce: "GTC" },
    ]);
    expect(eventsOf(rests, "depth")).toMatchObject([{ side: "sell", price: 501_000, lots: 4 }]);
    expect(eventsOf(rests, "expirySet")).toEqual([]);
    stage.buy(bob, 5, 499_900);
    stage.buy(bob, 5, 490_000);
    const at = stage.sure({ ...close, slippageBps: 100 });
    expect(eventsOf(at, "trade").map(({ lots, price }) => [lots, price])).toEqual([[5, 499_900]]);
    // Five are left, and of four at a limit none gave way.
    expect(stage.held(alice)).toMatchObject([{ lots: 5 }]);
    const all = stage.sure(close);
    expect(eventsOf(all, "orderAccepted")).toMatchObject([{ quantity: 5, type: "market" }]);
    expect(stage.held(alice)).toEqual([]);
  });

  test("everything is closed market by market; what cannot be is told with its market and its limit, and stays", () => {
    const stage = createPerpStage();
    const shape = { base: stage.btc, quote: stage.usdt, tickMantissa: 1, tickDecimals: 1, stepUnits: 100_000 } as const;
    const more = { slippageBps: 200, feeGroup: 1, marketKind: "linear" } as const;
    const others = ["SECOND", "THIRD"].map((symbol) => {
      const listed = stage.sure({
        kind: "listMarket",
        ...shape,
        ...more,
        symbol,
        maxMarketLots: symbol === "SECOND" ? 9 : 0,
      });
      const market = eventsOf(listed, "marketListed")[0]?.market ?? 0;
      stage.sure({ kind: "setTiers", market, count: 1, cap1: 10 ** 12, rate1: 400_000, leverage1: 125 });
      stage.sure({ kind: "setReferencePrice", market, markTicks: 500_000, indexTicks: 500_000 });
      return market;
    });
    const [second = 0, third = 0] = others;
    const { alice, bob } = hold(stage, 10, { layout: {} });
    for (const market of [third, second]) take(stage, alice, bob, 10, market);
    take(stage, alice, bob, -5);
    stage.sell(bob, 20, 500_000);
    for (const market of [stage.linear, second]) stage.buy(bob, 6, 499_900, { market });
    // Much further down: what is closed at market goes as far as the market's own slippage.
    for (const market of [stage.linear, second]) stage.buy(bob, 20, 495_000, { market });
    expect(published(stage.sure({ kind: "closeAll", account: alice, market: 99 }))?.[0]).toBe("UNKNOWN_MARKET");
    expect(eventsOf(stage.sure({ kind: "closeAll", account: alice, market: stage.inverse }), "trade")).toEqual([]);
    const one = stage.sure({ kind: "closeAll", account: alice, market: stage.linear });
    expect(eventsOf(one, "trade").map(({ market, lots, takerSide }) => [market, lots, takerSide])).toEqual([
      [stage.linear, 6, "sell"],
      [stage.linear, 4, "sell"],
      [stage.linear, 5, "buy"],
    ]);
    expect(eventsOf(one, "rejected")).toEqual([]);
    take(stage, alice, stage.trader(RICH), 3);
    stage.sure({ kind: "setMarketStatus", market: third, status: "CANCEL_ONLY" });
    const all = stage.sure({ kind: "closeAll", account: alice });
    expect(eventsOf(all, "trade").map(({ market, lots }) => [market, lots])).toEqual([[stage.linear, 3]]);
    const refused = eventsOf(all, "rejected").map(({ market, code, limit, account, asset }) => [
      market,
      code,
      limit,
      account,
      asset,
    ]);
    expect(refused).toEqual([
      [second, "QUANTITY_TOO_LARGE", 9, alice, 0],
      [third, "MARKET_CANCEL_ONLY", 0, alice, 0],
    ]);
    const order = all.flatMap((event) => (event.kind === "trade" || event.kind === "rejected" ? [event.market] : []));
    expect(order).toEqual([stage.linear, second, third]);
    expect([second, third].map((market) => stage.held(alice, market)[0]?.lots)).toEqual([10, 10]);
    // What one refusal said is not said of the next.
    const fails = stage.sure({ kind: "closePosition", account: alice, market: third, side: "long" });
    expect(published(fails)).toEqual(["MARKET_CANCEL_ONLY", 0]);
  });

  test("a short is bought back, at a limit too", () => {
    const stage = createPerpStage();
    const { alice } = hold(stage, -10);
    const close = { kind: "closePosition", account: alice, market: stage.linear, lots: 4, price: 499_000 } as const;
    expect(eventsOf(stage.sure(close), "orderAccepted")).toMatchObject([
      { side: "buy", type: "limit", reduceOnly: true, quantity: 4, price: 499_000 },
    ]);
  });

  test("a split position is closed by its id alone, and a reverse has none to turn", () => {
    const stage = createPerpStage();
    const { alice, bob } = hold(stage, 4, { layout: { split: true } });
    take(stage, alice, bob, 6);
    const market = stage.linear;
    const ids = stage.held(alice).sort((a, b) => a.lots - b.lots);
    stage.buy(bob, 50, 499_900);
    const named = { account: alice, market, position: ids[1]?.id ?? 0 };
    expect(published(stage.sure({ kind: "reversePosition", ...named }))?.[0]).toBe("INVALID_COMBINATION");
    expect(published(stage.sure({ kind: "closePosition", account: alice, market }))?.[0]).toBe("UNKNOWN_POSITION");
    stage.sure({ kind: "closePosition", ...named, lots: 5 });
    expect(
      stage
        .held(alice)
        .map(({ lots }) => lots)
        .sort(),
    ).toEqual([1, 4]);
    expect(eventsOf(stage.sure({ kind: "closeAll", account: alice }), "trade")).toHaveLength(2);
    expect(stage.held(alice)).toEqual([]);
  });

  test("a reverse closes all and opens as much, in hedge mode too; what fails of it is told with its market and limit", () => {
    const stage = createPerpStage();
    const { alice, bob } = hold(stage, 1_000, { funds: 2_600_000_000 });
    const reverse = { kind: "reversePosition", account: alice, market: stage.linear } as const;
    stage.buy(bob, 400, 499_900);
    stage.sure({ kind: "setIndexPrice", market: stage.linear, source: 0, price: 500_000 });
    expect(published(stage.sure(reverse))?.[0]).toBe("INDEX_DEGRADED");
    stage.sure({ kind: "setIndexPrice", market: stage.linear, source: 1, price: 500_000 });
    expect(stage.held(alice)).toMatchObject([{ lots: 1_000 }]);
    const half = stage.sure(reverse);
    expect(eventsOf(half, "rejected")).toMatchObject([
      { code: "NO_LIQUIDITY", market: stage.linear, account: alice, limit: 0, asset: 0 },
    ]);
    expect(stage.held(alice)).toMatchObject([{ lots: 600 }]);
    stage.buy(bob, 500, 499_900);
    stage.buy(bob, 300, 495_000);
    stage.buy(bob, 5_000, 494_000);
    const whole = stage.sure(reverse);
    expect(eventsOf(whole, "rejected")).toEqual([]);
    expect(
      eventsOf(whole, "orderAccepted").map(({ side, quantity, reduceOnly, type }) => [
        side,
        quantity,
        reduceOnly,
        type,
      ]),
    ).toEqual([
      ["sell", 600, true, "market"],
      ["sell", 600, false, "market"],
    ]);
    expect(stage.held(alice)).toMatchObject([{ lots: -600 }]);
    const poor = hold(stage, 1_000, { funds: 2_540_000_000 });
    stage.sure({ kind: "cancelAll", account: bob });
    stage.buy(bob, 5_000, 495_000);
    const left = stage.sure({ ...reverse, account: poor.alice });
    const { available } = stage.balance(poor.alice);
    expect(eventsOf(left, "rejected")).toMatchObject([
      { code: "INSUFFICIENT_MARGIN", market: stage.linear, account: poor.alice, limit: available, asset: 0 },
    ]);
    const refused = stage.sure({ kind: "setMarginMode", account: 5, market: stage.linear, isolated: true });
    expect(published(refused)?.[1]).toBe(0);
  });
});
