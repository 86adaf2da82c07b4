import { present } from "@clockwork/kit/assert";
import { describe, expect, test } from "vitest";
import { readIndexSources } from "../../inspect/contracts.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { BONUS_PRODUCTS, DEFICIT_ACCOUNT, INSURANCE_ACCOUNT } from "../../protocol/names.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";

const RICH = 10 ** 12;
const refusal = (events: readonly MachineEvent[]): string | undefined => eventsOf(events, "rejected")[0]?.code;

/** A first trade, so that there is a last price, with a maker and a taker who stay out of the way. */
function tradedStage(): PerpStage & { maker: number } {
  const stage = createPerpStage();
  const [maker, other] = [stage.trader(RICH), stage.trader(RICH)];
  stage.sell(maker, 1, 500_000);
  stage.buy(other, 1, 500_000);
  return Object.assign(stage, { maker });
}

describe("[FUT-2] take-profit and stop-loss with an order", () => {
  test("a bracket's exits are armed for what was filled, fill by fill, and only ever reduce", () => {
    const stage = tradedStage();
    const trader = stage.trader(RICH);
    const entry = { kind: "placeBracket", account: trader, market: stage.linear, side: "buy" } as const;
    stage.sure({ ...entry, quantity: 10, price: 499_900, profitPrice: 501_000, stopTrigger: 498_000, source: "mark" });
    const first = stage.sell(stage.maker, 4, 499_900);
    const exits = (events: readonly MachineEvent[]): [boolean, number][] =>
      eventsOf(events, "orderAccepted")
        .filter(({ account }) => account === trader)
        .map(({ reduceOnly, quantity }) => [reduceOnly, quantity]);
    expect(exits(first)).toEqual([[true, 4]]);
    expect(exits(stage.sell(stage.maker, 6, 499_900))).toEqual([[true, 10]]);
    // The stop fires: its sibling goes, the position is closed, nothing is opened the other way.
    stage.buy(stage.maker, 30, 497_900);
    stage.mark(stage.linear, 497_950);
    expect(stage.held(trader)).toEqual([]);
  });

  test("the profit leg of a bracket closes the position and takes the stop back", () => {
    const stage = tradedStage();
    const trader = stage.trader(RICH);
    stage.sell(stage.maker, 5, 500_100);
    const entry = { kind: "placeBracket", account: trader, market: stage.linear, side: "buy", quantity: 5 } as const;
    stage.sure({ ...entry, price: 500_100, profitPrice: 501_000, stopTrigger: 498_000 });
    const events = stage.buy(stage.maker, 5, 501_000, { selfTrade: "EXPIRE_MAKER" });
    expect(eventsOf(events, "orderEnded").map(({ reason }) => reason)).toContain("LIST_SIBLING");
    expect(stage.held(trader)).toEqual([]);
  });

  test("a stop that came alone with an order ends with the position, and is not armed where nothing was opened", () => {
    const stage = tradedStage();
    const trader = stage.trader(RICH);
    const entry = { kind: "placeBracket", account: trader, market: stage.linear, quantity: 5 } as const;
    stage.sell(stage.maker, 5, 500_100);
    stage.sure({ ...entry, side: "buy", price: 500_100, stopTrigger: 498_000 });
    // Less of the position leaves it where it is; none of it ends it and its list.
    stage.buy(stage.maker, 5, 500_000);
    expect(eventsOf(stage.sell(trader, 2, 500_000), "orderEnded")).toEqual([]);
    const closed = stage.sell(trader, 3, 500_000);
    expect(eventsOf(closed, "orderEnded").map(({ reason }) => reason)).toContain("POSITION_CLOSED");
    expect(eventsOf(closed, "listEnded")).toHaveLength(1);
    // A later position is not closed by the stop of the one before.
    stage.sell(stage.maker, 5, 500_100);
    stage.buy(trader, 5, 500_100);
    stage.buy(stage.maker, 30, 497_900);
    stage.mark(stage.linear, 497_950);
    expect(stage.held(trader)).toHaveLength(1);
    // An entry that takes off what is held the other way brings nothing in to protect.
    stage.sell(stage.maker, 1, 498_000);
    const against = stage.sure({ ...entry, side: "sell", price: 497_900, stopTrigger: 501_000 });
    expect(stage.held(trader)).toEqual([]);
    expect(eventsOf(against, "listEnded")).toHaveLength(1);
  });

  test("a stop that came alone stays while a single lot is left of either side, and its entry goes on filling", () => {
    for (const [side, against, entryPrice, stopTrigger] of [
      ["buy", "sell", 499_900, 498_000],
      ["sell", "buy", 500_100, 502_000],
    ] as const) {
      const stage = tradedStage();
      const trader = stage.trader(RICH);
      const entry = { kind: "placeBracket", account: trader, market: stage.linear, side, quantity: 10 } as const;
      const placed = stage.sure({ ...entry, price: entryPrice, stopTrigger, source: "mark" });
      const { orderId } = present(eventsOf(placed, "orderAccepted")[0], "TEST", "an entry");
      stage[against](stage.maker, 4, entryPrice);
      const plan = { conditional: "stopMarket", quantity: 1, source: "mark", trigger: 1 } as const;
      const alone = { kind: "placeConditional", account: trader, market: stage.linear, ...plan } as const;
      stage.sure({ ...alone, side: "sell", direction: "falls", reduceOnly: true });
      stage.sure({ ...alone, side: "sell", direction: "falls" });
      stage[side](stage.maker, 3, 500_000);
      expect(eventsOf(stage[against](trader, 3, 500_000), "orderEnded")).toEqual([]);
      expect(Math.abs(stage.held(trader)[0]?.lots ?? 0)).toBe(1);
      stage[side](stage.maker, 1, 500_000);
      const closed = eventsOf(stage[against](trader, 1, 500_000), "orderEnded");
      expect(closed.map(({ reason }) => reason)).toEqual(["POSITION_CLOSED"]);
      expect(closed.map((ended) => ended.orderId)).not.toContain(orderId);
    }
  });

  test("an OCO that reduces never opens; split layout has no lists", () => {
    const stage = tradedStage();
    const trader = stage.trader(RICH);
    const oco = { kind: "placeOco", account: trader, market: stage.linear, side: "sell", quantity: 5 } as const;
    const exits = { price: 501_000, trigger: 499_000, reduceOnly: true } as const;
    expect(refusal(stage.sure({ ...oco, ...exits }))).toBe("REDUCE_ONLY_REJECTED");
    stage.sell(stage.maker, 5, 500_100);
    stage.buy(trader, 5, 500_100);
    expect(eventsOf(stage.sure({ ...oco, ...exits }), "listLeg")).toHaveLength(2);
    const split = stage.trader(RICH);
    stage.sure({ kind: "setPositionMode", account: split, hedge: true, split: true });
    expect(refusal(stage.sure({ ...oco, ...exits, account: split }))).toBe("INVALID_COMBINATION");
  });
});

test("[FUT-2] the stops of a position do not count among the plans", () => {
  const stage = createPerpStage(undefined, { conditionalMax: 2 });
  const [trader, maker] = [stage.trader(RICH), stage.trader(RICH)];
  stage.buy(trader, 10, 500_000);
  stage.sell(maker, 10, 500_000);
  const plan = (account: number): string | undefined =>
    refusal(
      stage.sure({
        kind: "placeConditional",
        account,
        market: stage.linear,
        side: "sell",
        quantity: 1,
        price: 480_000,
        conditional: "stopLimit",
        direction: "falls",
        trigger: 490_000,
      } as Parameters<typeof stage.sure>[0]),
    );
  for (const [account, stops] of [
    [trader, { stopTrigger: 480_000 }],
    [maker, { profitTrigger: 480_000 }],
  ] as const)
    for (const lots of [0, 1, 2])
      expect(
        refusal(stage.sure({ kind: "setPositionStops", account, market: stage.linear, lots, ...stops })),
      ).toBeUndefined();
  for (const account of [trader, maker])
    expect([plan(account), plan(account), plan(account)]).toEqual([undefined, undefined, "TOO_MANY_CONDITIONALS"]);
  // Nor do plans count among the stops.
  const more = {
    kind: "setPositionStops",
    account: trader,
    market: stage.linear,
    lots: 3,
    stopTrigger: 480_000,
  } as const;
  expect(refusal(stage.sure(more))).toBeUndefined();
});

test("[FUT-2] fill-or-kill is not filled in part when a reducing maker is trimmed on the way", () => {
  const stage = tradedStage();
  const [holder, other, taker] = [stage.trader(RICH), stage.trader(RICH), stage.trader(RICH)];
  stage.sell(other, 10, 500_100);
  stage.buy(holder, 10, 500_100);
  // Ten held; ten that may only reduce behind ten plain ones: once the plain ones fill, the others are gone.
  stage.sell(holder, 10, 500_200);
  stage.sell(holder, 10, 500_300, { reduceOnly: true });
  const events = stage.buy(taker, 15, 500_300, { timeInForce: "FOK" });
  expect(eventsOf(events, "trade")).toEqual([]);
  expect(eventsOf(events, "orderEnded")[0]?.reason).toBe("FOK_UNFILLED");
  expect(eventsOf(stage.buy(taker, 10, 500_300, { timeInForce: "FOK" }), "trade")).toHaveLength(1);
});

test("[FUT-2] the fund never owes: what it lacks stands in the deficit book and is repaid first", () => {
  const stage = createPerpStage();
  const [poor, rich] = [stage.trader(2_700_000_000), stage.trader(RICH)];
  stage.sell(rich, 1_000, 500_000);
  stage.buy(poor, 1_000, 500_000);
  const before = stage.balance(rich).available;
  // With one source alone nobody is liquidated; the market then ends far below what the loser can pay.
  const observe = (source: number): void =>
    void stage.sure({ kind: "setIndexPrice", market: stage.linear, source, price: 400_000 });
  observe(0);
  stage.mark(stage.linear, 400_000);
  const ended = stage.sure({ kind: "setMarketStatus", market: stage.linear, status: "DELISTED" });
  const profit = 1_000 * 100_000 * 100;
  expect(stage.balance(rich).available).toBe(before + profit);
  expect(stage.balance(poor)).toEqual({ available: 0, frozen: 0 });
  expect(stage.balance(INSURANCE_ACCOUNT).available).toBe(0);
  const owed = 0 - stage.balance(DEFICIT_ACCOUNT).available;
  expect(owed).toBeGreaterThan(profit - 2_700_000_000);
  expect(eventsOf(ended, "posting").filter(({ account }) => account === DEFICIT_ACCOUNT)).toMatchObject([
    { business: "insurance", deltaUnits: -owed, market: stage.linear },
  ]);
  const gift = { kind: "mint", account: INSURANCE_ACCOUNT, asset: stage.usdt, business: "adjustment" } as const;
  stage.sure({ ...gift, units: owed + 5, reference: "gift" });
  observe(1);
  const repaid = stage.mark(stage.linear, 400_001);
  expect(stage.balance(DEFICIT_ACCOUNT).available).toBe(0);
  expect(stage.balance(INSURANCE_ACCOUNT).available).toBe(5);
  expect(eventsOf(repaid, "posting").filter(({ account }) => account === INSURANCE_ACCOUNT)).toMatchObject([
    { business: "insurance", counterparty: DEFICIT_ACCOUNT, deltaUnits: -owed, reference: 0, market: stage.linear },
  ]);
  // What it had before it paid is the peak its drawdown is measured from.
  const state = readIndexSources(stage.machine).marks.find(({ market }) => market === stage.linear);
  expect(state?.peakUnits).toBe(owed + 5);
});

test("[FUT-2] a bonus is for the products it names", () => {
  const stage = createPerpStage();
  const trader = stage.trader(RICH);
  stage.fundTreasury(1_000_000);
  const grant = { kind: "grantBonus", account: trader, asset: stage.usdt, units: 1_000_000 } as const;
  const expiresAt = stage.time + 86_400_000;
  const wrong = stage.sure({ ...grant, expiresAt, reference: "a", products: BONUS_PRODUCTS.inverse });
  expect(refusal(wrong)).toBe("BOOK_NOT_TRADABLE");
  const right = stage.sure({
    ...grant,
    expiresAt,
    reference: "b",
    products: BONUS_PRODUCTS.inverse + BONUS_PRODUCTS.linear,
  });
  expect(present(eventsOf(right, "bonusChanged")[0], "TEST", "grant").state).toBe("ACTIVE");
});
