// The catalogue on a real machine: everything it names can be listed by the core's own rules.

import { CATALOGUE_CONTRACTS } from "@clockwork/kit/contract-catalogue";
import { expect, test } from "vitest";
import { describePair } from "../markets/rules.ts";
import { CATALOGUE_PAIRS } from "./catalogue.ts";
import { listCatalogue } from "./listing.ts";
import { openListingEngine } from "./listing-fixture.ts";
import { createPairs } from "./pairs.ts";

const CONTRACTS = CATALOGUE_CONTRACTS.length;
/** Every linear contract has a demo market. */
const DEMOS = CATALOGUE_CONTRACTS.filter(({ kind }) => kind === "linear").length;

test("[SPOT-3] the catalogue lists at least twelve pairs, and a second start lists nothing", async () => {
  const { engine, sent } = openListingEngine();
  await listCatalogue(engine);
  expect(CATALOGUE_PAIRS.length).toBeGreaterThanOrEqual(12);
  expect(sent.filter((kind) => kind === "listMarket")).toHaveLength(CATALOGUE_PAIRS.length + CONTRACTS + DEMOS);
  expect(sent.filter((kind) => kind === "setTiers")).toHaveLength(CONTRACTS);
  const before = sent.length;
  expect(await listCatalogue(engine)).toBe(0);
  expect(sent.length).toBe(before);
});

test("[SPOT-3] a missing entry is added to the existing ones", async () => {
  const { engine, sent } = openListingEngine();
  await engine.submit({ kind: "listAsset", symbol: "USDT", scale: 6 });
  await engine.submit({ kind: "listAsset", symbol: "BTC", scale: 8 });
  const btc = { kind: "listMarket", base: 2, quote: 1, tickMantissa: 1, tickDecimals: 1, stepUnits: 1_000 } as const;
  await engine.submit({ ...btc, symbol: "BTC/USDT" });
  sent.length = 0;
  await listCatalogue(engine);
  expect(sent.filter((kind) => kind === "listMarket")).toHaveLength(CATALOGUE_PAIRS.length + CONTRACTS + DEMOS - 1);
});

test("[SPOT-3] a pair returns the rules the core enforces as decimal text", async () => {
  const { engine } = openListingEngine();
  await listCatalogue(engine);
  const pairs = createPairs(true);
  const listing = await engine.readListing();
  if (listing !== undefined) pairs.refresh(listing, () => 7);
  expect(pairs.pairs.map(({ pairCode }) => pairCode)).toEqual(
    CATALOGUE_PAIRS.map(({ base, quote }) => `${base}_${quote}`),
  );
  const btc = pairs.findPair("BTC_USDT");
  expect(btc && describePair(btc)).toEqual({
    pairCode: "BTC_USDT",
    base: "BTC",
    quote: "USDT",
    baseName: "Bitcoin",
    baseScale: 8,
    quoteScale: 6,
    status: "TRADING",
    priceDecimals: 1,
    quantityDecimals: 5,
    tickSize: "0.1",
    stepSize: "0.00001",
    minQuantity: "0.00001",
    maxQuantity: "1000.00000",
    maxMarketQuantity: "100.00000",
    minNotional: "5",
    band: { buyMax: "1.2", buyMin: "0.2", sellMin: "0.8", sellMax: "5" },
    openOrdersMax: 200,
    makerRate: "0.001",
    takerRate: "0.001",
    partitions: ["majors", "layer1", "payments"],
    listedAtMs: 7,
    isSimulated: true,
  });
  for (const pair of pairs.pairs) {
    const { tickSize, stepSize } = describePair(pair);
    const entry = CATALOGUE_PAIRS.find(({ base, quote }) => `${base}_${quote}` === pair.pairCode);
    expect([tickSize, stepSize]).toEqual([entry?.tick, entry?.step]);
  }
});

test("[FUT-1] contracts are listed next to pairs under their product, wait for prices, and their quote is no coin", async () => {
  const { engine } = openListingEngine();
  await listCatalogue(engine);
  const pairs = createPairs(true);
  const listing = await engine.readListing();
  if (listing !== undefined) pairs.refresh(listing, () => 7);
  expect(pairs.listContracts("futures").map(({ pairCode }) => pairCode)).toHaveLength(8);
  expect(pairs.listContracts("delivery").map(({ pairCode }) => pairCode)).toEqual([
    "BTC_USD",
    "ETH_USD",
    "SOL_USD",
    "XRP_USD",
  ]);
  const linear = pairs.findListed("futures", "BTC_USDT");
  expect([linear?.kind, linear?.status, linear?.market === pairs.findPair("BTC_USDT")?.market]).toEqual([
    "linear",
    "PRE",
    false,
  ]);
  expect(linear?.contract?.tiers[0]).toEqual({
    cap: 250_000_000_000n,
    leverageMax: 125,
    rate: 400_000n,
    deduction: 0n,
  });
  expect([linear?.makerRate, linear?.takerRate]).toEqual([20_000, 60_000]);
  const inverse = pairs.findListed("delivery", "BTC_USD");
  expect(inverse && [describePair(inverse).stepSize, inverse.settle.symbol]).toEqual(["100", "BTC"]);
  expect(pairs.findAsset("USD")).toBeUndefined();
  expect(pairs.assets.map(({ symbol }) => symbol)).not.toContain("USD");
});

test("[FUT-4] every linear contract has a demo market under the same code, on play money no user can hold", async () => {
  const { engine } = openListingEngine();
  await listCatalogue(engine);
  const pairs = createPairs(true);
  const listing = await engine.readListing();
  if (listing !== undefined) pairs.refresh(listing, () => 7);
  expect(pairs.listContracts("demo").map(({ pairCode }) => pairCode)).toEqual(
    pairs.listContracts("futures").map(({ pairCode }) => pairCode),
  );
  const [real, demo] = [pairs.findListed("futures", "BTC_USDT"), pairs.findListed("demo", "BTC_USDT")];
  expect([demo?.settle.symbol, demo?.contract?.mirror]).toEqual(["DUSDT", real?.market]);
  expect(demo?.contract?.tiers).toEqual(real?.contract?.tiers);
  expect(pairs.findAsset("DUSDT")).toBeUndefined();
});

test("[FUT-1] a start that ended before a contract had its ladder is made good by the next", async () => {
  const { engine, sent } = openListingEngine();
  let count = 0;
  const failing = {
    ...engine,
    submit: async (command: Parameters<typeof engine.submit>[0]) => {
      if (command.kind === "setTiers" && ++count > 3) throw new Error("ended");
      return engine.submit(command);
    },
  };
  await expect(listCatalogue(failing)).rejects.toThrow("ended");
  sent.length = 0;
  await listCatalogue(engine);
  expect(sent.filter((kind) => kind !== "listMarket")).toEqual(Array.from({ length: CONTRACTS - 3 }, () => "setTiers"));
});

test("[SPOT-3] worth is by the core's valuation and never by a last trade, rounded down, and unknown where it has none", async () => {
  const { engine } = openListingEngine();
  await listCatalogue(engine);
  const pairs = createPairs(false);
  const listing = await engine.readListing();
  if (listing !== undefined) pairs.refresh(listing, () => 0);
  const id = (symbol: string): number => pairs.findAsset(symbol)?.asset ?? 0;
  expect(pairs.worthUnits(id("ETH"), 100_000_000n)).toBeUndefined();
  expect(pairs.worthUnits(id("USDT"), 5n)).toBe(5n);
  pairs.setLast(pairs.findPair("ETH_USDT")?.market ?? 0, 990_000);
  expect(pairs.worthUnits(id("ETH"), 100_000_000n)).toBeUndefined();
  pairs.setValue(id("BTC"), 100_000, 100);
  pairs.setValue(id("ETH"), 3_100, 100);
  expect(pairs.worthUnits(id("BTC"), 100_000_000n)).toBe(100_000_000_000n);
  expect(pairs.worthUnits(id("ETH"), 100_000_000n)).toBe(3_100_000_000n);
  expect(pairs.worthUnits(id("ETH"), 1n)).toBe(31n);
  // 3 100 USDT at a tick of 0.01, and 0.031 BTC at one of 0.00001.
  const ticksOf = (pairCode: string): number => pairs.fairTicks(pairs.findPair(pairCode)?.market ?? 0);
  expect([ticksOf("ETH_USDT"), ticksOf("ETH_BTC")]).toEqual([310_000, 3_100]);
  pairs.setValue(id("ETH"), 0, 0);
  expect([pairs.worthUnits(id("ETH"), 1n), ticksOf("ETH_USDT")]).toEqual([undefined, 0]);
});
