import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeInstrument, type InstrumentTerms, PRICE_TICKS_MAX } from "./instrument.ts";
import { UNITS_MAX } from "./money.ts";
import { bandOf, checkBand, checkSize, protectiveTicks } from "./order-bounds.ts";

const TERMS: InstrumentTerms = {
  kind: "spot",
  base: { symbol: "BTC", scale: 8 },
  quote: { symbol: "USDT", scale: 6 },
  stepUnits: 1_000,
  factor: 1,
  minLots: 2,
  maxLots: 1_000_000,
  maxMarketLots: 1_000,
  minNotionalUnits: 5_000_000,
  buyMaxBps: 12_000,
  buyMinBps: 2_000,
  sellMinBps: 8_000,
  sellMaxBps: 50_000,
};
const PAIR = describeInstrument(TERMS);
const INVERSE = describeInstrument({
  ...TERMS,
  kind: "inverse",
  quote: { symbol: "USD", scale: 2 },
  stepUnits: 10_000,
});

describe("size", () => {
  test.each([
    [1, 900_000, false, "QUANTITY_TOO_SMALL", 2],
    [1_000_001, 900_000, false, "QUANTITY_TOO_LARGE", 1_000_000],
    [1_001, 900_000, true, "QUANTITY_TOO_LARGE", 1_000],
    [5, 900_000, false, "NOTIONAL_TOO_SMALL", 5_000_000],
    [6, 900_000, false, undefined, undefined],
  ] as const)("[SPOT-1] %d lots at %d ticks, market %s: %s", (lots, ticks, isMarket, code, limit) => {
    expect(checkSize(PAIR, lots, ticks, isMarket)).toEqual(code === undefined ? undefined : { code, limit });
  });

  test("[SPOT-1] an order the ledger could not count is too large", () => {
    const wide = { ...PAIR, maxLots: UNITS_MAX };
    expect(checkSize(wide, 2 ** 40, 2 ** 20)).toEqual({ code: "NOTIONAL_TOO_LARGE", limit: UNITS_MAX });
  });

  test("[DLV-1] an inverse contract has no minimum notional", () => {
    expect(checkSize(INVERSE, 2, 1)).toBeUndefined();
  });
});

describe("band", () => {
  test("[SPOT-1] maxima round down and minima up, at the anchor's multiples", () => {
    expect(bandOf(PAIR, "buy", 1_001)).toEqual({ lowTicks: 201, highTicks: 1_201 });
    expect(bandOf(PAIR, "sell", 1_001)).toEqual({ lowTicks: 801, highTicks: 5_005 });
    expect(bandOf(PAIR, "sell", PRICE_TICKS_MAX).highTicks).toBe(PRICE_TICKS_MAX);
  });

  test("[SPOT-1] without an anchor no price is out of the band", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: PRICE_TICKS_MAX }), fc.constantFrom("buy", "sell"), (ticks, side) => {
        expect(checkBand(PAIR, side as "buy" | "sell", ticks, 0)).toBeUndefined();
      }),
    );
  });

  test("[SPOT-1] a price is admitted exactly between its bounds", () => {
    expect(checkBand(PAIR, "buy", 1_201, 1_001)).toBeUndefined();
    expect(checkBand(PAIR, "buy", 1_202, 1_001)).toEqual({ code: "PRICE_TOO_HIGH", limit: 1_201 });
    expect(checkBand(PAIR, "sell", 801, 1_001)).toBeUndefined();
    expect(checkBand(PAIR, "sell", 800, 1_001)).toEqual({ code: "PRICE_TOO_LOW", limit: 801 });
  });

  test("[SPOT-1] a market order's limit is its slippage from the best price, limited by the band", () => {
    expect(protectiveTicks(PAIR, "buy", 1_000, 500, 1_000)).toBe(1_050);
    expect(protectiveTicks(PAIR, "buy", 1_190, 500, 1_000)).toBe(1_200);
    expect(protectiveTicks(PAIR, "sell", 1_000, 500, 1_000)).toBe(950);
    expect(protectiveTicks(PAIR, "sell", 810, 500, 1_000)).toBe(800);
    expect(protectiveTicks(PAIR, "sell", 1, 1_000, 0)).toBe(1);
    expect(protectiveTicks(PAIR, "buy", 1_000, 1_000, 0)).toBe(1_100);
  });
});
