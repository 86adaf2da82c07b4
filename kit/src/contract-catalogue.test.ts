import { expect, test } from "vitest";
import {
  CATALOGUE_CONTRACTS,
  CONTRACT_QUOTE,
  contractInstrument,
  contractSymbol,
  contractTiers,
} from "./contract-catalogue.ts";
import { priceText, quantityText, valueFloor, valueText } from "./instrument.ts";

const SCALES: Readonly<Record<string, number>> = { XRP: 4, DOGE: 4, ADA: 4, USDT: 6, USD: CONTRACT_QUOTE.scale };
const coin = (symbol: string) => ({ symbol, scale: SCALES[symbol] ?? 8 });
const all = CATALOGUE_CONTRACTS.map((entry) => ({
  entry,
  instrument: contractInstrument(entry, coin(entry.base), coin(entry.quote)),
}));

test("[FUT-1] eight linear and four inverse contracts, each under a name of its own", () => {
  const of = (kind: string) => CATALOGUE_CONTRACTS.filter((entry) => entry.kind === kind).map(({ base }) => base);
  expect(of("linear")).toEqual(["BTC", "ETH", "SOL", "XRP", "DOGE", "BNB", "ADA", "LINK"]);
  expect(of("inverse")).toEqual(["BTC", "ETH", "SOL", "XRP"]);
  const symbols = CATALOGUE_CONTRACTS.map(contractSymbol);
  expect(new Set(symbols).size).toBe(symbols.length);
  // The core stores twenty letters.
  expect(symbols.filter((symbol) => symbol.length > 19)).toEqual([]);
  expect(symbols).toContain("BTC_USDT-PERP");
  expect(symbols).toContain("BTC_USD");
});

test("[FUT-1] every contract has whole values, bounds in whole lots and a ladder that climbs", () => {
  for (const { entry, instrument } of all) {
    const tiers = contractTiers(entry, instrument.settle);
    expect([tiers.length, tiers[0]?.leverageMax]).toEqual(entry.contractClass === "A" ? [8, 125] : [6, 50]);
    expect(instrument.maxMarketLots).toBeLessThan(instrument.maxLots);
    expect(instrument.buyMaxBps - 10_000).toBe(entry.contractClass === "A" ? 500 : 1_000);
  }
});

test("[DLV-1] inverse quantities are multiples of the face in USD, values in coin", () => {
  const xrp = all.find(({ entry }) => contractSymbol(entry) === "XRP_USD");
  if (xrp === undefined) throw new Error("XRP_USD");
  expect([priceText(xrp.instrument, 20_840), quantityText(xrp.instrument, 25)]).toEqual(["2.0840", "250"]);
  expect(valueText(xrp.instrument, valueFloor(xrp.instrument, 25, 20_840))).toBe("119.9616");
});
