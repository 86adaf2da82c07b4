import { describe, expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { deleverageIndicators } from "../liquidation/adl.ts";

const MILLION = 1_000_000_000_000;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);

function openLong(stage: PerpStage, funds: number, isolated = false): { alice: number; bob: number } {
  const alice = stage.trader(funds);
  const bob = stage.trader(MILLION);
  if (isolated) stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated: true });
  stage.sell(bob, 1_000, 500_000);
  stage.buy(alice, 1_000, 500_000);
  return { alice, bob };
}

const code = (stage: PerpStage, command: Command): string | undefined =>
  eventsOf(stage.sure(command), "rejected")[0]?.code;

describe("[FUT-2] settings", () => {
  test("margin mode switches with an open position when both states are healthy", () => {
    const stage = createPerpStage();
    const { alice } = openLong(stage, usdt(10_000));
    const market = stage.linear;
    expect(code(stage, { kind: "setMarginMode", account: alice, market, isolated: true })).toBeUndefined();
    expect(stage.held(alice)).toMatchObject([{ margin: usdt(2_500) }]);
    expect(stage.balance(alice).frozen).toBe(usdt(2_500));
    stage.mark(market, 479_000);
    expect(code(stage, { kind: "setMarginMode", account: alice, market, isolated: false })).toBeUndefined();
    expect(stage.balance(alice).frozen).toBe(0);
    // Its initial margin alone would not carry it at 45 500.
    stage.mark(market, 455_000);
    expect(code(stage, { kind: "setMarginMode", account: alice, market, isolated: true })).toBe("MARGIN_UNHEALTHY");
    expect(stage.held(alice)).toMatchObject([{ margin: 0 }]);
  });

  test("margin is added up to what is free and taken out no closer than 0.5 % to the mark", () => {
    const stage = createPerpStage();
    const { alice } = openLong(stage, usdt(5_000), true);
    const change = (units: number): string | undefined =>
      code(stage, { kind: "changeMargin", account: alice, market: stage.linear, units });
    expect(change(usdt(2_471))).toBe("INSUFFICIENT_MARGIN");
    expect(change(usdt(2_000))).toBeUndefined();
    expect(change(-usdt(2_001))).toBe("INSUFFICIENT_MARGIN");
    stage.mark(stage.linear, 479_000);
    expect(change(-usdt(2_000))).toBe("MARGIN_UNHEALTHY");
    expect(change(-usdt(500))).toBeUndefined();
    expect(stage.held(alice)).toMatchObject([{ margin: usdt(4_000) }]);
    const cross = stage.trader(usdt(100));
    expect(code(stage, { kind: "changeMargin", account: cross, market: stage.linear, units: 1 })).toBe(
      "MARGIN_NOT_ISOLATED",
    );
  });

  test("raising leverage frees margin, lowering it asks for funds", () => {
    const stage = createPerpStage();
    const { alice } = openLong(stage, usdt(5_000), true);
    const lever = (long: number): string | undefined =>
      code(stage, { kind: "setLeverage", account: alice, market: stage.linear, long });
    expect(lever(40)).toBeUndefined();
    expect(stage.held(alice)).toMatchObject([{ margin: usdt(1_250) }]);
    expect(lever(5)).toBe("INSUFFICIENT_MARGIN");
    expect(lever(12)).toBeUndefined();
    expect(stage.held(alice)[0]?.margin).toBe(Math.ceil(usdt(50_000) / 12));
  });

  test("ladders must climb, and only perpetuals have them", () => {
    const stage = createPerpStage();
    const tiers = { kind: "setTiers", market: stage.linear, count: 2, cap1: 100, rate1: 10, leverage1: 50 } as const;
    expect(code(stage, { ...tiers, cap2: 90, rate2: 20, leverage2: 10 })).toBe("INVALID_TIERS");
    const listed = stage.sure({
      kind: "listMarket",
      base: stage.btc,
      quote: stage.usdt,
      tickMantissa: 1,
      tickDecimals: 1,
      stepUnits: 1_000,
      symbol: "S",
    });
    const spot = eventsOf(listed, "marketListed")[0]?.market ?? 0;
    expect(code(stage, { ...tiers, market: spot, cap2: 200, rate2: 20, leverage2: 10 })).toBe("NOT_A_PERPETUAL");
  });
});

describe("[FUT-2] closing", () => {
  test("close part and all, close all, reverse", () => {
    const stage = createPerpStage();
    const { alice, bob } = openLong(stage, usdt(20_000));
    const market = stage.linear;
    stage.buy(bob, 5_000, 499_900);
    stage.sure({ kind: "closePosition", account: alice, market, lots: 400 });
    expect(stage.held(alice)).toMatchObject([{ lots: 600 }]);
    stage.sure({ kind: "reversePosition", account: alice, market });
    expect(stage.held(alice)).toMatchObject([{ lots: -600 }]);
    expect(code(stage, { kind: "closePosition", account: bob, market: stage.inverse })).toBe("BOOK_NOT_TRADABLE");
    stage.sure({ kind: "cancelAll", account: bob });
    stage.sell(bob, 5_000, 500_100);
    stage.sure({ kind: "closeAll", account: alice });
    expect(stage.held(alice)).toEqual([]);
    expect(code(stage, { kind: "reversePosition", account: alice, market })).toBe("UNKNOWN_POSITION");
  });

  test("a reverse whose second half cannot be paid stands half done and says so", () => {
    const stage = createPerpStage();
    const { alice, bob } = openLong(stage, usdt(2_540));
    stage.buy(bob, 5_000, 495_000);
    const events = stage.sure({ kind: "reversePosition", account: alice, market: stage.linear });
    expect(eventsOf(events, "rejected")[0]?.code).toBe("INSUFFICIENT_MARGIN");
    expect(stage.held(alice)).toEqual([]);
  });

  test("a close is never sold beyond bankruptcy", () => {
    const stage = createPerpStage();
    const { alice, bob } = openLong(stage, usdt(2_530), true);
    stage.mark(stage.linear, 480_000);
    stage.buy(bob, 1_000, 470_000);
    expect(eventsOf(stage.sell(alice, 1_000, 470_000, { reduceOnly: true }), "rejected")[0]).toMatchObject({
      code: "BANKRUPTCY_PRICE",
    });
    const events = stage.sure({ kind: "closePosition", account: alice, market: stage.linear, slippageBps: 1_000 });
    expect(eventsOf(events, "trade")).toEqual([]);
    expect(eventsOf(events, "orderEnded")).toMatchObject([{ reason: "MARKET_REST" }]);
  });
});

describe("[FUT-2] take-profit and stop-loss", () => {
  test("a whole pair follows the size; one firing ends the other, and both end with the position", () => {
    const stage = createPerpStage();
    const { alice, bob } = openLong(stage, usdt(20_000));
    const market = stage.linear;
    stage.buy(bob, 5_000, 489_000);
    const set = stage.sure({
      kind: "setPositionStops",
      account: alice,
      market,
      profitTrigger: 520_000,
      stopTrigger: 490_000,
    });
    expect(eventsOf(set, "positionStop")).toMatchObject([{ whole: true }, { whole: true }]);
    stage.sell(bob, 500, 500_000);
    stage.buy(alice, 500, 500_000);
    const events = stage.mark(market, 489_500);
    expect(eventsOf(events, "orderEnded")).toMatchObject([{ reason: "LIST_SIBLING" }]);
    expect(eventsOf(events, "trade")).toMatchObject([{ lots: 1_500, price: 489_000 }]);
    expect(stage.held(alice)).toEqual([]);
  });

  test("stops end when the position is closed another way; a trailing stop follows the mark", () => {
    const stage = createPerpStage();
    const { alice, bob } = openLong(stage, usdt(20_000));
    const market = stage.linear;
    stage.buy(bob, 5_000, 499_000);
    stage.sure({
      kind: "setPositionStops",
      account: alice,
      market,
      lots: 300,
      profitTrigger: 510_000,
      profitPrice: 509_000,
    });
    stage.sure({ kind: "setPositionStops", account: alice, market, trailBps: 100 });
    stage.mark(market, 505_000);
    const events = stage.mark(market, 499_900);
    expect(eventsOf(events, "conditionalTriggered")).toHaveLength(1);
    expect(eventsOf(events, "orderEnded").map(({ reason }) => reason)).toContain("POSITION_CLOSED");
    expect(stage.held(alice)).toEqual([]);
  });

  test("they follow the last price or the mark; the index is refused", () => {
    const stage = createPerpStage();
    const { alice } = openLong(stage, usdt(20_000));
    const stops = (source: "last" | "mark" | "index"): string | undefined =>
      code(stage, { kind: "setPositionStops", account: alice, market: stage.linear, stopTrigger: 490_000, source });
    expect([stops("last"), stops("mark"), stops("index")]).toEqual([undefined, undefined, "INVALID_TRIGGER"]);
  });

  test("no more than twenty partial pairs", () => {
    const stage = createPerpStage();
    const { alice } = openLong(stage, usdt(20_000));
    const pair = (): string | undefined =>
      code(stage, {
        kind: "setPositionStops",
        account: alice,
        market: stage.linear,
        lots: 10,
        profitTrigger: 510_000,
        stopTrigger: 490_000,
      });
    for (let i = 0; i < 20; i++) expect(pair()).toBeUndefined();
    expect(pair()).toBe("TOO_MANY_STOPS");
  });

  test("close-on-trigger takes other orders back first", () => {
    const stage = createPerpStage();
    const { alice, bob } = openLong(stage, usdt(20_000));
    stage.buy(bob, 5_000, 489_500);
    stage.sell(alice, 1_000, 515_000, { reduceOnly: true });
    stage.buy(alice, 100, 485_000);
    stage.sure({
      kind: "placeConditional",
      account: alice,
      market: stage.linear,
      side: "sell",
      conditional: "stopMarket",
      quantity: 1_000,
      source: "mark",
      direction: "falls",
      trigger: 490_000,
      closeOnTrigger: true,
    });
    const events = stage.mark(stage.linear, 490_000);
    expect(eventsOf(events, "orderEnded").map(({ reason }) => reason)).toEqual([
      "CLOSE_ON_TRIGGER",
      "CLOSE_ON_TRIGGER",
    ]);
    expect(stage.held(alice)).toEqual([]);
  });
});

describe("[FUT-2] bonus", () => {
  test("a bonus comes by its grant and goes by its rules: no command mints, burns or holds in its book", () => {
    const stage = createPerpStage();
    const alice = stage.trader(usdt(5_000));
    stage.fundTreasury(usdt(1_000));
    const money = { asset: stage.usdt, business: "adjustment", units: 1_000 } as const;
    const grant = { asset: stage.usdt, units: usdt(600), expiresAt: stage.time + 10_000, reference: "g" };
    const given = stage.sure({ kind: "grantBonus", account: alice, ...grant });
    const book = eventsOf(given, "posting").find(({ deltaUnits }) => deltaUnits > 0)?.account ?? 0;
    expect(stage.balance(book).available).toBe(usdt(600));
    stage.sure({ kind: "hold", account: alice, reference: "h", ...money });
    const refused = [
      ...(["mint", "burn", "hold"] as const).map((kind) =>
        code(stage, { kind, account: book, reference: kind, ...money }),
      ),
      code(stage, { kind: "capture", account: alice, hold: "h", to: book, reference: "c", ...money }),
    ];
    expect(refused).toEqual(Array(4).fill("NOT_TRANSFERABLE"));
  });

  test("[LEDGER-21] is paid by the campaign treasury, refused when that is short, and goes back when its time is over", () => {
    const stage = createPerpStage();
    const alice = stage.trader(usdt(1_700));
    const bonus = { kind: "grantBonus", account: alice, asset: stage.usdt, expiresAt: stage.time + 10_000 } as const;
    const ask = (units: number, reference: string) => stage.sure({ ...bonus, units, reference });
    expect(eventsOf(ask(1, "early"), "rejected")).toMatchObject([{ code: "INSUFFICIENT_BALANCE", limit: 0 }]);
    const treasury = stage.fundTreasury(usdt(1_000));
    expect(eventsOf(ask(usdt(1_000) + 1, "a"), "rejected")).toMatchObject([
      { code: "INSUFFICIENT_BALANCE", limit: usdt(1_000) },
    ]);
    expect(eventsOf(ask(usdt(600), "b"), "bonusChanged")).toHaveLength(1);
    expect(stage.balance(treasury).available).toBe(usdt(400));
    stage.time += 10_000;
    stage.sure({ kind: "tick" });
    expect(stage.balance(treasury).available).toBe(usdt(1_000));
  });

  test("[LEDGER-21] of a campaign comes out of that campaign's treasury and goes back there, whether it ends or is voided", () => {
    const stage = createPerpStage();
    const alice = stage.trader(usdt(1_000));
    const own = stage.fundTreasury(usdt(500));
    const opened = stage.sure({ kind: "openHouseAccount", purpose: "campaignTreasury", sub: 7 });
    const treasury = eventsOf(opened, "houseAccountOpened")[0]?.account ?? 0;
    const bonus = { kind: "grantBonus", account: alice, asset: stage.usdt, expiresAt: stage.time + 10_000 } as const;
    const ask = (reference: string, source: number) => stage.sure({ ...bonus, units: usdt(600), reference, source });
    // The operators' own money does not stand in for it, nor does a campaign there is none of.
    for (const source of [7, 8])
      expect(eventsOf(ask(`short-${source}`, source), "rejected")).toMatchObject([
        { code: "INSUFFICIENT_BALANCE", limit: 0 },
      ]);
    const funded = { business: "deposit", units: usdt(600), reference: "fund" } as const;
    stage.sure({ kind: "mint", account: treasury, asset: stage.usdt, ...funded });
    expect(eventsOf(ask("a", 7), "bonusChanged")).toMatchObject([
      { source: 7, returnedUnits: 0, leftUnits: usdt(600) },
    ]);
    expect(stage.balance(treasury).available).toBe(0);
    // A quarter of her own money takes a quarter of it.
    const spot = stage.trader(0);
    const out = { business: "transfer", units: usdt(250), reference: "out" } as const;
    const moved = stage.sure({ kind: "transfer", account: alice, to: spot, asset: stage.usdt, ...out });
    expect(eventsOf(moved, "bonusChanged")).toMatchObject([
      { source: 7, returnedUnits: usdt(150), leftUnits: usdt(450) },
    ]);
    expect(stage.balance(treasury).available).toBe(usdt(150));
    stage.machine.restore(stage.machine.snapshot());
    stage.time += 10_000;
    const ended = stage.sure({ kind: "tick" });
    expect(eventsOf(ended, "bonusChanged")).toMatchObject([{ state: "EXPIRED", source: 7, returnedUnits: usdt(450) }]);
    expect([treasury, own].map((account) => stage.balance(account).available)).toEqual([usdt(600), usdt(500)]);
  });

  const grant = (stage: PerpStage, account: number, more: object = {}): void => {
    stage.fundTreasury(usdt(1_000));
    stage.sure({
      kind: "grantBonus",
      account,
      asset: stage.usdt,
      units: usdt(1_000),
      reference: `g${account}`,
      expiresAt: stage.time + 10_000,
      ...more,
    } as Command);
  };

  test("counts as margin and bears its share of fees and losses first; profit is the holder's own", () => {
    const stage = createPerpStage();
    const alice = stage.trader(usdt(1_700));
    const bob = stage.trader(MILLION);
    grant(stage, alice, { ratioBps: 5_000 });
    stage.sell(bob, 1_000, 500_000);
    stage.buy(alice, 1_000, 500_000);
    expect(stage.held(alice)).toHaveLength(1);
    // Half of the fee of 30.
    expect(stage.balance(alice).available).toBe(usdt(1_685));
    stage.buy(bob, 1_000, 498_000);
    stage.sure({ kind: "closePosition", account: alice, market: stage.linear });
    // Half of the loss of 200 and of the fee of 29.88.
    expect(stage.balance(alice).available).toBe(usdt(1_685 - 100 - 14.94));
  });

  test("what leaves voids the same share, and the rest goes when its time is over", () => {
    const stage = createPerpStage();
    const alice = stage.trader(usdt(1_000));
    grant(stage, alice);
    const burned = stage.sure({
      kind: "burn",
      account: alice,
      asset: stage.usdt,
      business: "withdrawal",
      units: usdt(250),
      reference: "w",
    });
    expect(eventsOf(burned, "bonusChanged")).toMatchObject([{ deltaUnits: -usdt(250), leftUnits: usdt(750) }]);
    stage.time += 10_000;
    expect(eventsOf(stage.sure({ kind: "tick" }), "bonusChanged")).toMatchObject([{ state: "EXPIRED", leftUnits: 0 }]);
  });

  test("an expired bonus that margin depends on leaves a day later, and until then only reducing orders pass", () => {
    const stage = createPerpStage();
    const alice = stage.trader(usdt(1_700));
    const bob = stage.trader(MILLION);
    grant(stage, alice, { leverageMax: 20 });
    expect(code(stage, { kind: "setLeverage", account: alice, market: stage.linear, long: 50 })).toBeUndefined();
    expect(eventsOf(stage.buy(alice, 10, 500_000), "rejected")[0]).toMatchObject({
      code: "LEVERAGE_TOO_HIGH",
      limit: 20,
    });
    stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 20 });
    stage.sell(bob, 1_000, 500_000);
    stage.buy(alice, 1_000, 500_000);
    stage.time += 10_000;
    stage.sure({ kind: "tick" });
    expect(eventsOf(stage.buy(alice, 1, 499_000), "rejected")[0]?.code).toBe("REDUCE_ONLY_REJECTED");
    stage.time += 86_400_000;
    expect(eventsOf(stage.sure({ kind: "tick" }), "bonusChanged").at(-1)).toMatchObject({
      state: "EXPIRED",
      leftUnits: 0,
    });
  });
});

test("[FUT-2] lamps tell the place in the deleveraging queue", () => {
  const stage = createPerpStage();
  const maker = stage.trader(MILLION);
  for (const leverage of [2, 5, 10, 20, 50]) {
    const account = stage.trader(MILLION);
    stage.sure({ kind: "setMarginMode", account, market: stage.linear, isolated: true });
    stage.sure({ kind: "setLeverage", account, market: stage.linear, long: leverage });
    stage.sell(maker, 100, 500_000);
    stage.buy(account, 100, 500_000);
  }
  stage.mark(stage.linear, 505_000);
  expect([...deleverageIndicators(coreOf(stage.machine), stage.linear, true).values()]).toEqual([5, 4, 3, 2, 1]);
});
