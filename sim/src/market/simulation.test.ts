// The simulated market on a real machine: alive, deterministic, solvent, and within the limits of everybody.
import { readDepth } from "@clockwork/core/inspect/depth";
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { expect, test } from "vitest";
import { endOfHistory, makeHistory, walkHistory } from "./history.ts";
import { type MarketStage, openMarketStage } from "./market-stage.ts";
import { PushedPrices } from "./prices.ts";
import { GAP_SECONDS_MAX, QUIET_LOOK_EVERY, QUIET_TICK_MS } from "./simulation.ts";

const HOUR_TICKS = 7_200;

function middleOf({ driver, pairs }: MarketStage, pairCode: string): number {
  const pair = pairs.find((one) => one.pairCode === pairCode);
  if (pair === undefined) throw new Error(pairCode);
  const { bids, asks } = readDepth(driver.machine, pair.market, 1);
  return (((bids[0]?.price ?? 0) + (asks[0]?.price ?? 0)) / 2) * pair.tick;
}

test("[OPS-2] the same seed and the same times give the same commands, another seed gives others", () => {
  const run = (seed: number): string[] => {
    const stage = openMarketStage({ seed });
    stage.run(200);
    return stage.driver.journal.map((bytes) => Buffer.from(bytes).toString("base64"));
  };
  const first = run(5);
  expect(run(5)).toEqual(first);
  expect(run(6)).not.toEqual(first);
});

test("[OPS-2] every book is at least 25 levels deep on both sides, tight, and never crossed", () => {
  const stage = openMarketStage({ seed: 11 });
  stage.run(20);
  for (let round = 0; round < 40; round += 1) {
    stage.run(25);
    for (const pair of stage.pairs) {
      const { bids, asks } = readDepth(stage.driver.machine, pair.market, 100);
      expect([pair.pairCode, Math.min(bids.length, asks.length) >= 25]).toEqual([pair.pairCode, true]);
      const [bid = 0, ask = 0] = [bids[0]?.price, asks[0]?.price];
      expect(ask).toBeGreaterThan(bid);
      // Half a percent would be a sick book of a main pair.
      expect((ask - bid) / bid).toBeLessThan(0.005);
    }
  }
});

test("[OPS-2] an hour of trading breaks no rule, refuses hardly anything and leaves nobody without money", () => {
  const stage = openMarketStage({ seed: 3 });
  let trades = 0;
  const late: MachineEvent[] = [];
  stage.run(HOUR_TICKS, (events) => {
    for (const event of events) {
      if (event.kind === "trade") trades += 1;
      if (event.kind === "rejected" && event.code === "INSUFFICIENT_BALANCE") late.push(event);
    }
  });
  expect(checkInvariants(stage.driver.machine)).toEqual([]);
  expect(trades).toBeGreaterThan(3_000);
  expect(late).toEqual([]);
  expect(stage.counts.refused / stage.counts.items).toBeLessThan(0.02);
}, 120_000);

test("[OPS-2] driven at the quiet rate a market writes a quarter of the orders, and trades and moves alike", () => {
  const minutes = 20;
  const drive = (tickMs: number, lookEvery: number) => {
    const stage = openMarketStage({ seed: 21, tickMs, lookEvery });
    let [trades, squares] = [0, 0];
    let before = 0;
    for (let minute = 0; minute < minutes; minute += 1) {
      stage.run(Math.round(60_000 / tickMs), (events) => {
        for (const event of events) if (event.kind === "trade") trades += 1;
      });
      const now = Math.log(middleOf(stage, "BTC_USDT"));
      if (before !== 0) squares += (now - before) ** 2;
      before = now;
    }
    return { items: stage.counts.items, trades, spread: Math.sqrt(squares / minutes) };
  };
  const [lively, quiet] = [drive(500, 1), drive(QUIET_TICK_MS, QUIET_LOOK_EVERY)];
  expect(quiet.items).toBeLessThan(lively.items / 4);
  expect(quiet.trades).toBeGreaterThan(lively.trades / 3);
  expect(quiet.spread / lively.spread).toBeGreaterThan(0.5);
  expect(quiet.spread / lively.spread).toBeLessThan(2);
  // A step longer than what is caught up at once would leave the market's time behind.
  expect(QUIET_TICK_MS).toBeLessThanOrEqual(GAP_SECONDS_MAX * 1_000);
}, 120_000);

test("[OPS-2] crosses stay consistent: ETH in BTC is ETH in USDT over BTC in USDT", () => {
  const stage = openMarketStage({ seed: 8 });
  stage.run(400);
  const cross = middleOf(stage, "ETH_USDT") / middleOf(stage, "BTC_USDT");
  expect(Math.abs(middleOf(stage, "ETH_BTC") / cross - 1)).toBeLessThan(0.003);
});

test("[OPS-2] prices handed in from outside lead the books, and lose their say when they are old", () => {
  const source = new PushedPrices();
  const stage = openMarketStage({ seed: 8, source });
  stage.run(10);
  for (let round = 0; round < 30; round += 1) {
    source.push("BTC", 99_000, stage.driver.time);
    stage.run(2);
  }
  expect(Math.abs(middleOf(stage, "BTC_USDT") / 99_000 - 1)).toBeLessThan(0.002);
  expect(source.readPrice("BTC", stage.driver.time + 31_000)).toBeUndefined();
});

test("[OPS-2] history is made by the same process and ends exactly at the price the market begins with", () => {
  const { pairs } = openMarketStage({ seed: 1 });
  const prices = { BTC: 96_420, ETH: 3_318, ADA: 0.3954 };
  const options = { seed: 9, pairs, prices, endMs: 1_800_000_030_000 - 30_000, minutes: 3_000, hours: 500 };
  const path = walkHistory(options);
  const histories = [...makeHistory(options, path)];
  expect(histories.map(({ pair }) => pair)).toEqual(pairs);
  for (const { pair, hours, minutes } of histories) {
    expect(minutes.firstMs).toBe(options.endMs - 3_000 * 60_000);
    // The hours end where the hour of the first minute begins.
    expect(hours.firstMs + 500 * 3_600_000).toBe(minutes.firstMs - (minutes.firstMs % 3_600_000));
    const price = (prices[pair.base as "BTC"] ?? 1) / (prices[pair.quote as "BTC"] ?? 1);
    expect(minutes.close.at(-1)).toBe(Math.round(price / pair.tick));
    for (const { open, high, low, close, lots, trades } of [hours, minutes]) {
      for (let bar = 0; bar < open.length; bar += 1) {
        const [o = 0, h = 0, l = 0, c = 0] = [open[bar], high[bar], low[bar], close[bar]];
        if (l < 1 || l > Math.min(o, c) || h < Math.max(o, c)) throw new Error(`${pair.pairCode} at ${bar}`);
        if ((lots[bar] ?? 0) < 1 || (trades[bar] ?? 0) < 1) throw new Error(`${pair.pairCode} is empty at ${bar}`);
      }
    }
  }
  expect(Math.exp(endOfHistory(options, path).logs.BTC ?? 0)).toBeCloseTo(96_420, 6);
});
