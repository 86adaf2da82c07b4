// The simulated futures market on a real machine: sources, books, crowd, funding, liquidations, and bad days.

import { readDepth } from "@clockwork/core/inspect/depth";
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { type ListedMarket, readListing } from "@clockwork/core/inspect/listing";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { INSURANCE_ACCOUNT } from "@clockwork/core/protocol/names";
import { allOf } from "@clockwork/kit/all-of";
import { expect, test } from "vitest";
import { walkHistory } from "../history.ts";
import { lotCost } from "../instruments.ts";
import { lotsFor } from "../quoting.ts";
import { contractNature } from "./contracts.ts";
import { type FuturesStage, openFuturesStage } from "./futures-stage.ts";
import { makeContractHistory } from "./history.ts";
import { IndexSources } from "./index-sources.ts";

function listedOf({ driver, contracts }: FuturesStage): { market: ListedMarket; worth: number; wanted: number }[] {
  const { markets } = readListing(driver.machine);
  return contracts.map((contract) => {
    const market = markets[contract.market - 1] as ListedMarket;
    const cost = lotCost(contract, market.contract?.markTicks ?? 0);
    const wanted = contractNature(contract).interestWorth;
    return { market, worth: (market.contract?.openLots ?? 0) * cost, wanted };
  });
}

function counter(): { seen: Map<string, number>; read: (events: readonly MachineEvent[]) => void } {
  const seen = new Map<string, number>();
  const read = (events: readonly MachineEvent[]): void => {
    for (const { kind } of events) seen.set(kind, (seen.get(kind) ?? 0) + 1);
  };
  return { seen, read };
}

test("[FUT-1] the same seed and the same times give the same commands, another seed gives others", () => {
  const run = (seed: number): string[] => {
    const stage = openFuturesStage({ seed, participants: 12 });
    stage.run(150);
    return stage.driver.journal.map((bytes) => Buffer.from(bytes).toString("base64"));
  };
  const first = run(5);
  expect(run(5)).toEqual(first);
  expect(run(6)).not.toEqual(first);
});

test("[FUT-1] books are deep and never crossed, marks stand at their index, open interest where it should be", () => {
  const stage = openFuturesStage({ seed: 11, participants: 24 });
  stage.run(30);
  for (let round = 0; round < 20; round += 1) {
    stage.run(40);
    for (const { market, worth, wanted } of listedOf(stage)) {
      const { bids, asks } = readDepth(stage.driver.machine, market.market, 100);
      expect([market.symbol, Math.min(bids.length, asks.length) >= 20]).toEqual([market.symbol, true]);
      expect(asks[0]?.price ?? 0).toBeGreaterThan(bids[0]?.price ?? 0);
      const { markTicks = 0, indexTicks = 1, isDegraded = true } = market.contract ?? {};
      expect([market.symbol, isDegraded]).toEqual([market.symbol, false]);
      expect(Math.abs(markTicks / indexTicks - 1)).toBeLessThan(0.01);
      expect(worth / wanted).toBeGreaterThan(0.6);
      expect(worth / wanted).toBeLessThan(1.8);
    }
  }
});

test("[FUT-2] an hour of trading breaks no rule, refuses hardly anything, funds and liquidates", () => {
  const stage = openFuturesStage({ seed: 3, participants: 60, seconds: 3 });
  const { seen, read } = counter();
  stage.run(1_200, read);
  expect(checkInvariants(stage.driver.machine)).toEqual([]);
  expect(seen.get("trade") ?? 0).toBeGreaterThan(3_000);
  expect(seen.get("liquidationPrint") ?? 0).toBeGreaterThan(0);
  expect(seen.get("premiumSampled") ?? 0).toBeGreaterThan(1_000);
  expect(stage.counts.refused / (seen.get("orderAccepted") ?? 1)).toBeLessThan(0.05);
}, 180_000);

test("[FUT-2] a crash liquidates, the fund never owes, winners are deleveraged, and the market goes on", () => {
  const stage = openFuturesStage({ seed: 21, participants: 90 });
  stage.run(900);
  const { seen, read } = counter();
  for (const [coin, change] of [
    ["DOGE", -0.18],
    ["SOL", -0.16],
    ["LINK", 0.17],
    ["BTC", -0.09],
  ] as const) {
    stage.shock(coin, change);
  }
  const funds: number[] = [];
  stage.run(400, (events) => {
    read(events);
    for (const event of events) {
      if (event.kind === "posting" && event.account === INSURANCE_ACCOUNT) funds.push(event.availableUnits);
    }
  });
  expect(seen.get("liquidationStarted") ?? 0).toBeGreaterThan(15);
  expect(seen.get("deleveraged") ?? 0).toBeGreaterThan(0);
  expect(Math.min(...funds)).toBeGreaterThanOrEqual(0);
  expect(checkInvariants(stage.driver.machine)).toEqual([]);
  for (const { market } of listedOf(stage)) {
    const { bids, asks } = readDepth(stage.driver.machine, market.market, 100);
    expect([market.symbol, Math.min(bids.length, asks.length) >= 20]).toEqual([market.symbol, true]);
  }
}, 120_000);

test("[FUT-2] a restart goes on with the positions there were", () => {
  const stage = openFuturesStage({ seed: 8, participants: 24 });
  stage.run(600);
  const before = listedOf(stage).map(({ worth }) => worth);
  stage.restart();
  const refused = stage.counts.refused;
  stage.run(400);
  for (const [index, { market, worth }] of listedOf(stage).entries()) {
    expect([market.symbol, worth > (before[index] ?? 0) * 0.7]).toEqual([market.symbol, true]);
  }
  expect(stage.counts.refused - refused).toBeLessThan(60);
  expect(checkInvariants(stage.driver.machine)).toEqual([]);
});

test("[FUT-2] sources are near each other, sometimes silent, sometimes far off", () => {
  const { contracts } = openFuturesStage({ seed: 1, participants: 0 });
  const sources = new IndexSources(9, contracts);
  const btc = contracts[0];
  if (btc === undefined) throw new Error("no contract");
  const counts = { looks: 0, published: 0, off: 0 };
  for (let look = 0; look < 28_800; look += 1) {
    // Source 0 of the first contract is asked for at every third step.
    const reply = sources.speak(look * 3, 3, () => 50_000, false);
    const prices = reply.flatMap((command) =>
      command.kind === "setIndexPrice" && command.market === btc.market ? [command.price * btc.tick] : [],
    );
    counts.looks += 1;
    counts.published += prices.length;
    counts.off += prices.filter((price) => Math.abs(price / 50_000 - 1) > 0.05).length;
  }
  expect(counts.looks - counts.published).toBeGreaterThan(20);
  expect(counts.published / counts.looks).toBeGreaterThan(0.97);
  expect(counts.off).toBeGreaterThan(3);
  expect(counts.off / counts.published).toBeLessThan(0.02);
});

test("[FUT-1] a contract's history has every series, ends where the live market begins and settles by its own rule", () => {
  const { contracts } = openFuturesStage({ seed: 1, participants: 0 });
  const prices = Object.fromEntries(contracts.map(({ base }, index) => [base, 10 + index]));
  const options = { seed: 4, pairs: contracts, prices, endMs: 1_800_000_000_000, minutes: 4_320, hours: 960 };
  const path = walkHistory(options);
  for (const { contract, last, mark, index, interest, fundings } of makeContractHistory(options, contracts, path)) {
    const end = Math.round((prices[contract.base] ?? 0) / contract.tick);
    for (const { minutes } of [last, mark, index])
      expect([contract.pairCode, minutes.close.at(-1)]).toEqual([contract.pairCode, end]);
    expect(interest.minutes.close.at(-1)).toBe(lotsFor(contract, contractNature(contract).interestWorth, end));
    // 40 days of hours and three of minutes; the interval the two meet in has no whole past.
    const days = fundings.length / (24 / contract.fundingHours);
    expect(days).toBeGreaterThan(41);
    expect(allOf(fundings, ({ dueMs }) => dueMs % (contract.fundingHours * 3_600_000) === 0)).toBe(true);
    const first = Number(contract.tiers[0]?.rate ?? 0n);
    expect(allOf(fundings, ({ rate }) => Math.abs(rate) <= Math.min(2_000_000, first * 0.75))).toBe(true);
    expect(new Set(fundings.map(({ rate }) => rate)).size).toBeGreaterThan(3);
    for (const { open, high, low, close } of [mark.hours, index.minutes, interest.hours]) {
      for (let bar = 0; bar < open.length; bar += 1) {
        const [o = 0, h = 0, l = 0, c = 0] = [open[bar], high[bar], low[bar], close[bar]];
        if (l < 1 || l > Math.min(o, c) || h < Math.max(o, c)) throw new Error(`${contract.pairCode} at ${bar}`);
      }
    }
  }
});
