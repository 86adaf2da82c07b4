// What perpetuals do when their time has come, to the millisecond: warnings in lots, samples and settlements in their order,
// who is looked at after them, and when the next tick is wanted.
import { expect, test } from "vitest";
import { createMachine } from "../machine/machine.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { createDriver, eventsOf } from "../testing/driver.ts";
import { createPerpStage } from "../testing/perp-stage.ts";
import { demoStage } from "./demo/demo-fixture.ts";
import { WARNINGS_MAX } from "./margin/watch.ts";

const HOUR = 3_600_000;
const RICH = 10 ** 13;
const START = 1_700_000_000_000 - (1_700_000_000_000 % (8 * HOUR));

test("[FUT-2] warnings beyond a lot follow ten milliseconds later, or with the next mark, and then no tick is wanted for them", () => {
  const stage = createPerpStage(undefined, { restingMax: 1_000 });
  const bob = stage.trader(RICH);
  const holders = Array.from({ length: WARNINGS_MAX + 3 }, () => stage.trader(10_000_000));
  stage.sell(bob, holders.length, 500_000);
  for (const account of holders) {
    stage.send({ kind: "setMarginMode", account, market: stage.linear, isolated: true });
    stage.send({ kind: "placeOrder", account, market: stage.linear, side: "buy", quantity: 1, price: 500_000 });
  }
  const warned = (events: readonly MachineEvent[]): number => eventsOf(events, "marginWarning").length;
  const at = (ms: number): MachineEvent[] => {
    stage.time += ms;
    return stage.sure({ kind: "tick" });
  };
  // Whoever has just traded is looked at with the next mark in any case.
  expect(warned(stage.mark(stage.linear, 499_999))).toBe(0);
  const usual = stage.machine.nextTimerAt;
  expect(warned(stage.mark(stage.linear, 478_100))).toBe(WARNINGS_MAX);
  expect(stage.machine.nextTimerAt).toBe(stage.time + 10);
  expect([warned(at(9)), stage.machine.nextTimerAt - stage.time]).toEqual([0, 1]);
  expect([warned(at(1)), stage.machine.nextTimerAt]).toEqual([3, usual]);
  // At 85 % again: the rest comes with the mark behind it, and nobody waits.
  expect(warned(stage.mark(stage.linear, 477_400))).toBe(WARNINGS_MAX);
  expect(stage.machine.nextTimerAt).toBe(stage.time + 10);
  expect(warned(stage.mark(stage.linear, 477_399))).toBe(3);
  expect(stage.machine.nextTimerAt).toBe(usual);
});

test("[FUT-2] a sample taken at the settlement's own time counts for it, a late one for the next", () => {
  for (const late of [0, 1]) {
    const stage = createPerpStage(undefined, {}, START + 1);
    stage.time = START + 8 * HOUR + late;
    const own = stage
      .sure({ kind: "tick" })
      .flatMap((event) =>
        (event.kind === "premiumSampled" || event.kind === "fundingSettled") && event.market === stage.linear
          ? [[event.kind, event.kind === "premiumSampled" ? event.sample : event.samples]]
          : [],
      );
    const sampled = ["premiumSampled", 1];
    expect(own).toEqual(late === 0 ? [sampled, ["fundingSettled", 1]] : [["fundingSettled", 0], sampled]);
  }
});

test("[FUT-2] the first index set by hand wants a tick at the next five seconds, be it a single tick high", () => {
  const driver = createDriver(createMachine(), START + 1);
  for (const symbol of ["BTC", "USDT"]) driver.send({ kind: "listAsset", symbol, scale: 6 });
  const shape = { tickMantissa: 1, tickDecimals: 1, stepUnits: 100_000, symbol: "M", base: 1, quote: 2 } as const;
  driver.send({ kind: "listMarket", marketKind: "linear", ...shape });
  expect(driver.machine.nextTimerAt).toBe(START + 8 * HOUR);
  driver.send({ kind: "setReferencePrice", market: 1, markTicks: 1 });
  expect(driver.machine.nextTimerAt).toBe(START + 8 * HOUR);
  driver.send({ kind: "setReferencePrice", market: 1, indexTicks: 1 });
  expect(driver.machine.nextTimerAt).toBe(START + 5_000);
});

test("[FUT-4] a player whom a settlement leaves too little is ended in the same command, though the mark stands", () => {
  const stage = demoStage(undefined, START + 1);
  const [maker, player] = [stage.trader(RICH), stage.player()];
  const { demo: market } = stage;
  stage.sure({ kind: "setMarginMode", account: player, market, isolated: true });
  stage.sure({ kind: "setLeverage", account: player, market, long: 100 });
  stage.sell(maker, 100, 500_000);
  stage.buy(player, 100, 500_000, { market });
  stage.sure({ kind: "cancelAll", account: maker });
  // The book stands far above the index: three tenths of a percent are to be paid.
  stage.buy(maker, 1_000, 510_000);
  stage.sell(maker, 1_000, 511_000);
  stage.mark(stage.linear, 498_750);
  stage.time = START + 5_000;
  stage.sure({ kind: "tick" });
  stage.time = START + 8 * HOUR;
  const events = stage.sure({ kind: "tick" });
  expect(eventsOf(events, "fundingSettled").map(({ rate }) => rate)).toContain(300_000);
  expect(eventsOf(events, "liquidationStarted")).toMatchObject([{ account: player, market }]);
});

test("[FUT-2] what reduces a winner whose lots the fund took is trimmed at once, before the demo market follows", () => {
  const stage = demoStage();
  const [alice, bob] = [stage.trader(2_530_000_000), stage.trader(10 ** 12)];
  const endow = { kind: "mint", account: 2, asset: stage.usdt, business: "adjustment", reference: "endow" } as const;
  stage.sure({ ...endow, units: 1_000_000_000 });
  stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated: true });
  stage.sell(bob, 1_000, 500_000);
  stage.buy(alice, 1_000, 500_000);
  stage.mark(stage.linear, 477_000);
  expect(stage.held(2)).toMatchObject([{ lots: 1_000 }]);
  stage.buy(bob, 1_000, 470_000, { reduceOnly: true });
  const kinds = stage.mark(stage.linear, 440_000).map(({ kind }) => kind);
  const places = ["deleveraged", "orderEnded"].map((kind) => kinds.indexOf(kind as (typeof kinds)[number]));
  // The demo market's mark is the last price that is told.
  expect([...places, kinds.lastIndexOf("referencePrice")].toSorted((a, b) => a - b)).toEqual([
    ...places,
    kinds.lastIndexOf("referencePrice"),
  ]);
  expect(Math.min(...places)).toBeGreaterThan(0);
});
