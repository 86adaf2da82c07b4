// What an asset is worth: an index, else what a market has shown for minutes; never what one trade has just done.
import { tiersA } from "@clockwork/kit/margin-tiers";
import { describe, expect, test } from "vitest";
import { coreOf, createMachine, restoreMachine } from "../machine/machine.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { tiersCommand } from "../protocol/listing-command.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, type Stage } from "../testing/stage.ts";
import { fairTicks, fairValue, INDEX_FRESH_MS, OBSERVE_MS } from "./value.ts";

const WINDOW_MS = 60 * OBSERVE_MS;
const WIDE = { buyMaxBps: 100_000, buyMinBps: 1, sellMinBps: 1, sellMaxBps: 100_000 } as const;

function open(listing: Parameters<typeof createStage>[0] = {}) {
  const stage = createStage({ ...WIDE, ...listing });
  const [seller, buyer] = [stage.trader(10 ** 12, 0), stage.trader(0, 10 ** 12)];
  const rest = (side: "buy" | "sell", price: number, quantity = 1): MachineEvent[] =>
    stage.send({
      kind: "placeOrder",
      market: stage.market,
      account: side === "buy" ? buyer : seller,
      side,
      price,
      quantity,
    });
  const trade = (price: number): void => {
    rest("sell", price);
    expect(eventsOf(rest("buy", price), "trade")).toHaveLength(1);
  };
  const wait = (ms: number): MachineEvent[] => {
    stage.time += ms;
    return stage.send({ kind: "tick" });
  };
  return { stage, rest, trade, wait, ticks: () => fairTicks(coreOf(stage.machine), stage.market) };
}

/** A market that has stood at a price for the whole window. */
function settled(price: number) {
  const made = open();
  made.trade(price);
  made.wait(OBSERVE_MS);
  made.wait(WINDOW_MS);
  return made;
}

describe("[LEDGER-27] one valuation", () => {
  test("a small trade on a swept book does not move the value", () => {
    const { rest, trade, wait, ticks } = settled(10_000);
    rest("buy", 9_990, 5);
    trade(11_800);
    expect(ticks()).toBe(10_000);
    wait(OBSERVE_MS);
    expect(ticks()).toBe(10_000);
    // Nor while it stands for minutes: it must last longer than half of the window.
    wait(WINDOW_MS / 2 - 2 * OBSERVE_MS);
    expect(ticks()).toBe(10_000);
    trade(10_000);
    wait(WINDOW_MS);
    expect(ticks()).toBe(10_000);
  });

  test("a price that lasts is followed, a quarter of a percent for ten seconds at most", () => {
    const { trade, wait, ticks } = settled(10_000);
    trade(11_800);
    const seen: number[] = [];
    for (let i = 0; i < 120; i++) {
      wait(OBSERVE_MS);
      seen.push(ticks());
    }
    expect(new Set(seen.slice(0, 29))).toEqual(new Set([10_000]));
    for (const [i, value] of seen.entries()) {
      const before = seen[i - 1] ?? 10_000;
      expect(value - before).toBeLessThanOrEqual(Math.floor(before / 400));
    }
    expect(seen.at(-1)).toBe(11_800);
  });

  test("a silence counts like the observations it holds", () => {
    const [step, leap] = [settled(10_000), settled(10_000)];
    for (const { trade } of [step, leap]) trade(11_800);
    for (let i = 0; i < 45; i++) step.wait(OBSERVE_MS);
    leap.wait(45 * OBSERVE_MS);
    expect([leap.ticks(), leap.ticks() > 10_000]).toEqual([step.ticks(), true]);
  });

  test("a bid above the last trade and an ask below it are what stands", () => {
    const [up, down] = [settled(10_000), settled(10_000)];
    up.rest("buy", 10_010);
    down.rest("sell", 9_990);
    for (const { wait } of [up, down]) wait(WINDOW_MS);
    expect([up.ticks(), down.ticks()]).toEqual([10_010, 9_990]);
  });

  test("a new market has the value of its anchor, else that of its first trade; before there is none", () => {
    const bare = open();
    expect(bare.ticks()).toBe(0);
    bare.rest("buy", 500);
    bare.wait(WINDOW_MS);
    expect(bare.ticks()).toBe(0);
    bare.rest("sell", 500);
    expect(bare.ticks()).toBe(500);
    const anchored = open({ anchorTicks: 1_000 });
    anchored.wait(OBSERVE_MS);
    expect(anchored.ticks()).toBe(1_000);
    anchored.trade(1_900);
    anchored.wait(4 * OBSERVE_MS);
    expect(anchored.ticks()).toBe(1_000);
  });

  test("the index of a spot market counts at once and for a minute, then what was observed", () => {
    const { stage, wait, ticks } = settled(10_000);
    const set = stage.send({ kind: "setReferencePrice", market: stage.market, indexTicks: 12_000 });
    expect(eventsOf(set, "assetValued")).toMatchObject([
      { asset: stage.base, source: "index", up: 12_000, down: 1_000 },
    ]);
    wait(INDEX_FRESH_MS);
    expect(ticks()).toBe(12_000);
    expect(eventsOf(wait(OBSERVE_MS), "assetValued")).toMatchObject([{ source: "median" }]);
    expect(ticks()).toBe(10_000);
  });

  test("a contract's index comes first, while its sources are trusted; a delisted market tells nothing", () => {
    const { stage, wait, ticks } = settled(10_000);
    const listed = stage.send({
      kind: "listMarket",
      marketKind: "linear",
      base: stage.base,
      quote: stage.quote,
      symbol: "PERP",
      tickMantissa: 1,
      tickDecimals: 1,
      stepUnits: 1_000,
      slippageBps: 200,
      feeGroup: 0,
    });
    const contract = eventsOf(listed, "marketListed")[0]?.market ?? 0;
    stage.send(tiersCommand(contract, tiersA(6)));
    for (const source of [0, 1]) stage.send({ kind: "setIndexPrice", market: contract, source, price: 13_000 });
    wait(OBSERVE_MS);
    expect([ticks(), fairTicks(coreOf(stage.machine), contract)]).toEqual([13_000, 13_000]);
    stage.send({ kind: "setReferencePrice", market: stage.market, indexTicks: 12_000 });
    expect(ticks()).toBe(13_000);
    // The tick finds them silent, the next one values by what is left.
    wait(2 * OBSERVE_MS);
    wait(OBSERVE_MS);
    expect(ticks()).toBe(12_000);
    for (const market of [contract, stage.market]) stage.send({ kind: "setMarketStatus", market, status: "DELISTED" });
    expect([ticks(), fairValue(coreOf(stage.machine), stage.base).up]).toEqual([0, 0n]);
  });

  test("a coin without a market against USDT is valued through another", () => {
    const { stage, wait } = settled(10_000);
    const coin = eventsOf(stage.send({ kind: "listAsset", symbol: "ALT", scale: 8 }), "assetListed")[0]?.asset ?? 0;
    const pair = { kind: "listMarket", base: coin, quote: stage.base, symbol: "ALT/BTC" } as const;
    stage.send({ ...pair, tickMantissa: 1, tickDecimals: 5, stepUnits: 1_000_000, anchorTicks: 200 });
    wait(OBSERVE_MS);
    // A coin is 0.002 BTC, and a BTC 1 000 USDT.
    const { up, down } = fairValue(coreOf(stage.machine), coin);
    expect((10n ** 8n * up) / down).toBe(2_000_000n);
  });

  test("a snapshot carries observations and values on, and one of the layout before begins anew", () => {
    const { stage, trade, wait, ticks } = settled(10_000);
    trade(11_800);
    wait(7 * OBSERVE_MS);
    const copy = restoreMachine(stage.machine.snapshot());
    expect(copy.stateHash()).toBe(stage.machine.stateHash());
    expect(fairTicks(coreOf(copy), stage.market)).toBe(ticks());
    expect(coreOf(copy).values.nextAt).toBe(coreOf(stage.machine).values.nextAt);
    expect(createMachine().stateHash()).toBe(restoreMachine(createMachine().snapshot()).stateHash());
  });
});

test("[LEDGER-27] every value that is published is the one in force", () => {
  const { stage, trade, wait } = settled(10_000);
  const published = new Map<number, number>();
  const look = (events: readonly MachineEvent[]): void => {
    for (const { asset, up, down } of eventsOf(events, "assetValued")) published.set(asset, up / down);
  };
  trade(12_000);
  for (let i = 0; i < 80; i++) look(wait(OBSERVE_MS));
  const { up, down } = fairValue(coreOf((stage as Stage).machine), stage.base);
  expect(published.get(stage.base)).toBe(Number(up) / Number(down));
});
