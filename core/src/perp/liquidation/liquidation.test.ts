import { describe, expect, test } from "vitest";
import { createMachine } from "../../machine/machine.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { WARNINGS_MAX } from "../margin/watch.ts";

const MILLION = 1_000_000_000_000;
const INSURANCE = 2;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);

/** Gives the insurance fund something to lose. */
function endow(stage: PerpStage, units: number): void {
  stage.sure({
    kind: "mint",
    account: INSURANCE,
    asset: stage.usdt,
    business: "adjustment",
    units,
    reference: "endow",
  });
}

/** A long of 1 BTC at 50 000 with 20×, in one margin mode or the other, and who sold it. */
function openLong(stage: PerpStage, isolated: boolean, funds: number): { alice: number; bob: number } {
  const alice = stage.trader(funds);
  const bob = stage.trader(MILLION);
  stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated });
  stage.sell(bob, 1_000, 500_000);
  stage.buy(alice, 1_000, 500_000);
  return { alice, bob };
}

const steps = (events: readonly MachineEvent[]): string[] =>
  eventsOf(events, "liquidationStep").map(({ step }) => step);

describe("[FUT-2] liquidation", () => {
  test("[PERP-8] an isolated long dies at the vector's price and not a tick before", () => {
    const stage = createPerpStage();
    endow(stage, usdt(1_000));
    const { alice } = openLong(stage, true, usdt(2_530));
    expect(stage.held(alice)).toMatchObject([{ lots: 1_000, margin: usdt(2_500) }]);
    expect(eventsOf(stage.mark(stage.linear, 477_196), "liquidationStarted")).toEqual([]);
    const events = stage.mark(stage.linear, 477_195);
    expect(eventsOf(events, "liquidationStarted")).toMatchObject([
      { account: alice, cashUnits: usdt(2_500), profitUnits: -2_280_500_000, markTicks: 477_195 },
    ]);
    expect(steps(events)).toEqual(["takenOver"]);
    expect(eventsOf(events, "liquidationStep")[0]?.bankruptcyTicks).toBe(475_286);
    expect(stage.held(alice)).toEqual([]);
    expect(stage.balance(alice)).toEqual({ available: 0, frozen: 0 });
    // The fund holds the lots at the bankruptcy value and has the fee: together its fortune less nothing.
    expect(stage.held(INSURANCE)).toMatchObject([{ lots: 1_000 }]);
    expect(stage.balance(INSURANCE).available).toBeGreaterThan(usdt(1_028));
  });

  test("warnings come at 70 % and 85 %, once each", () => {
    const stage = createPerpStage();
    const { alice } = openLong(stage, true, usdt(2_530));
    const warned: number[] = [];
    for (let ticks = 499_000; ticks > 477_195; ticks -= 50)
      for (const { percent, account } of eventsOf(stage.mark(stage.linear, ticks), "marginWarning")) {
        expect(account).toBe(alice);
        warned.push(percent);
      }
    expect(warned).toEqual([70, 85]);
  });

  test("warnings of many at one mark come in lots, a moment apart, everyone once; whoever is due is found at once", () => {
    const stage = createPerpStage(createMachine(), { restingMax: 10_000 });
    endow(stage, usdt(100_000));
    const bob = stage.trader(8 * 10 ** 15);
    const holders = Array.from({ length: WARNINGS_MAX * 2 + 40 }, () => {
      const account = stage.trader(usdt(30));
      stage.send({ kind: "setMarginMode", account, market: stage.linear, isolated: true });
      stage.send({
        kind: "placeOrder",
        account: bob,
        market: stage.linear,
        side: "sell",
        quantity: 10,
        price: 500_000,
      });
      stage.send({ kind: "placeOrder", account, market: stage.linear, side: "buy", quantity: 10, price: 500_000 });
      return account;
    });
    const doomed = stage.trader(usdt(30));
    stage.send({ kind: "setMarginMode", account: doomed, market: stage.linear, isolated: true });
    stage.send({ kind: "setLeverage", account: doomed, market: stage.linear, long: 22 });
    stage.sell(bob, 10, 500_000);
    stage.buy(doomed, 10, 500_000);
    stage.mark(stage.linear, 500_000);
    const published: number[] = [];
    const lots: number[] = [];
    const note = (events: readonly MachineEvent[]): void => {
      const warnings = eventsOf(events, "marginWarning").map(({ account }) => account);
      lots.push(warnings.length);
      published.push(...warnings.filter((account) => account !== doomed));
    };
    const events = stage.mark(stage.linear, 478_100);
    note(events);
    expect(eventsOf(events, "liquidationStarted")).toMatchObject([{ account: doomed }]);
    expect(stage.machine.nextTimerAt).toBe(stage.time + 10);
    for (let i = 0; i < 2; i++) {
      stage.time = stage.machine.nextTimerAt;
      note(stage.sure({ kind: "tick" }));
    }
    expect(stage.machine.nextTimerAt).toBeGreaterThan(stage.time + 10);
    // Whoever is due is warned too, before he ends.
    expect([lots, WARNINGS_MAX]).toEqual([[128, 128, 41], 128]);
    expect(published.sort((a, b) => a - b)).toEqual(holders);
  });

  test("cross margin lives on the whole wallet and on other positions", () => {
    const stage = createPerpStage();
    endow(stage, usdt(10_000));
    const { alice } = openLong(stage, false, usdt(5_030));
    expect(eventsOf(stage.mark(stage.linear, 460_000), "liquidationStarted")).toEqual([]);
    const events = stage.mark(stage.linear, 450_000);
    expect(eventsOf(events, "liquidationStarted")).toHaveLength(1);
    expect(stage.held(alice)).toEqual([]);
    expect(stage.balance(alice).available).toBeGreaterThanOrEqual(0);
  });

  test("opening orders are taken back first, and a hedge nets before anything is sold", () => {
    const stage = createPerpStage();
    endow(stage, usdt(10_000));
    const alice = stage.trader(usdt(8_000));
    const bob = stage.trader(MILLION);
    stage.sure({ kind: "setPositionMode", account: alice, hedge: true });
    stage.sell(bob, 2_000, 500_000);
    stage.buy(alice, 2_000, 500_000);
    stage.buy(bob, 500, 500_000);
    stage.sell(alice, 500, 500_000);
    stage.buy(alice, 10, 490_000);
    const events = stage.mark(stage.linear, 447_000);
    expect(steps(events).slice(0, 2)).toEqual(["ordersCancelled", "pairNetted"]);
    expect(eventsOf(events, "orderEnded")[0]).toMatchObject({ reason: "LIQUIDATION", price: 490_000 });
  });

  test("a large position leaves tier by tier through the book and keeps what is healthy", () => {
    const stage = createPerpStage();
    endow(stage, usdt(100_000));
    const alice = stage.trader(usdt(61_000));
    const bob = stage.trader(MILLION);
    stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated: true });
    stage.sell(bob, 24_000, 500_000);
    stage.buy(alice, 24_000, 500_000);
    // Tier 3: 1.2 M at 20×. Bids wait below, well above the bankruptcy price.
    stage.mark(stage.linear, 480_500);
    stage.buy(bob, 24_000, 477_000);
    const events = stage.mark(stage.linear, 477_500);
    const taken = steps(events);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken[0]).toBe("tierReduced");
    expect(eventsOf(events, "liquidationPrint").length).toBe(taken.length);
  });

  test("when the fund cannot bear the loss, winners are closed at the bankruptcy value, best score first", () => {
    const stage = createPerpStage();
    const alice = stage.trader(usdt(2_530));
    const strong = stage.trader(MILLION);
    const weak = stage.trader(MILLION);
    stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated: true });
    for (const account of [strong, weak])
      stage.sure({ kind: "setMarginMode", account, market: stage.linear, isolated: true });
    stage.sure({ kind: "setLeverage", account: strong, market: stage.linear, long: 50 });
    stage.sure({ kind: "setLeverage", account: weak, market: stage.linear, long: 2 });
    stage.sell(weak, 600, 500_000);
    stage.sell(strong, 600, 500_000);
    stage.buy(alice, 1_000, 500_000);
    const events = stage.mark(stage.linear, 440_000);
    expect(steps(events)).toEqual(["deleveraged"]);
    expect(eventsOf(events, "deleveraged")).toMatchObject([
      { account: strong, lots: 400, price: 475_286 },
      { account: weak, lots: 600 },
    ]);
    expect(stage.balance(INSURANCE).available).toBeGreaterThanOrEqual(0);
    expect(stage.held(INSURANCE)).toEqual([]);
  });

  test("the liquidation account works its lots off in slices of a tenth of the book", () => {
    const stage = createPerpStage();
    endow(stage, usdt(10_000));
    const { bob } = openLong(stage, true, usdt(2_530));
    stage.mark(stage.linear, 477_000);
    stage.buy(bob, 2_000, 476_000);
    stage.time += 500;
    const events = stage.sure({ kind: "tick" });
    expect(eventsOf(events, "trade")).toMatchObject([{ lots: 200, price: 476_000 }]);
    for (let i = 0; i < 60; i++) {
      stage.time += 500;
      stage.sure({ kind: "tick" });
    }
    expect(stage.held(INSURANCE)).toEqual([]);
  });

  test("what the fund takes over against its own lots closes them, told once", () => {
    const stage = createPerpStage();
    endow(stage, usdt(10_000));
    const { bob } = openLong(stage, true, usdt(2_530));
    stage.mark(stage.linear, 477_000);
    const carol = stage.trader(usdt(1_200));
    stage.sure({ kind: "setMarginMode", account: carol, market: stage.linear, isolated: true });
    stage.buy(bob, 400, 477_000);
    stage.sell(carol, 400, 477_000);
    const events = stage.mark(stage.linear, 499_000);
    expect(eventsOf(events, "liquidationStarted")).toMatchObject([{ account: carol }]);
    const published = eventsOf(events, "positionChanged").filter(({ account }) => account === INSURANCE);
    expect(published).toMatchObject([{ lots: 600 }]);
    expect(published[0]?.realizedUnits).toBeGreaterThan(0);
    expect(stage.held(INSURANCE)).toMatchObject([{ lots: 600 }]);
  });

  test("an inverse short of 1× is never liquidated", () => {
    const stage = createPerpStage();
    const alice = stage.trader(130_000_000, { inverse: true });
    const bob = stage.trader(100_000_000_000, { inverse: true });
    const market = stage.inverse;
    stage.sure({ kind: "setLeverage", account: alice, market, long: 1 });
    stage.sure({ kind: "setMarginMode", account: alice, market, isolated: true });
    stage.buy(bob, 600, 500_000, { market });
    stage.sell(alice, 600, 500_000, { market });
    expect(stage.held(alice, market)).toMatchObject([{ lots: -600, margin: 120_000_000 }]);
    for (const ticks of [1_000_000, 10_000_000, 900_000_000])
      expect(
        eventsOf(stage.mark(market, ticks), "liquidationStarted").filter(({ account }) => account === alice),
      ).toEqual([]);
  });

  test("auto-append adds initial margins before the position is in danger", () => {
    const stage = createPerpStage();
    const { alice } = openLong(stage, true, usdt(20_000));
    stage.sure({ kind: "setAutoAppend", account: alice, market: stage.linear, on: true });
    const events = stage.mark(stage.linear, 477_300);
    expect(eventsOf(events, "marginChanged")).toMatchObject([
      { account: alice, automatic: true, deltaUnits: usdt(2_500) },
    ]);
    expect(stage.held(alice)).toMatchObject([{ margin: usdt(5_000) }]);
    expect(eventsOf(stage.mark(stage.linear, 460_000), "liquidationStarted")).toEqual([]);
  });
});
