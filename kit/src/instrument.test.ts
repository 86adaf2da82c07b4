import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ceilFraction, compareFractions, type Fraction, floorFraction, fraction } from "./fraction.ts";
import {
  averagePriceText,
  averageTicks,
  type Coin,
  coinWorthFloor,
  describeInstrument,
  exactPriceText,
  exactWorth,
  INSTRUMENT_KINDS,
  type Instrument,
  type InstrumentText,
  linearProfit,
  lotsWithin,
  PRICE_TICKS_MAX,
  priceText,
  quantityText,
  readInstrument,
  readPriceTicks,
  readQuantityLots,
  valueCeil,
  valueFloor,
  valueText,
  wholeFace,
  wholeTickLot,
  writeInstrument,
} from "./instrument.ts";
import { UNITS_MAX } from "./money.ts";

const BTC: Coin = { symbol: "BTC", scale: 8 };
const USDT: Coin = { symbol: "USDT", scale: 6 };
const USD: Coin = { symbol: "USD", scale: 2 };
const BAND = { buyMax: "1.2", buyMin: "0.2", sellMin: "0.8", sellMax: "5" };
const BOUNDS = { minQuantity: "0", maxQuantity: "1000", maxMarketQuantity: "100", minNotional: "5", band: BAND };

function must(text: InstrumentText): Instrument {
  const read = readInstrument(text);
  if (!read.done) throw new Error(read.code);
  return read.value;
}

const LINEAR = must({ kind: "linear", base: BTC, quote: USDT, tickSize: "0.1", stepSize: "0.001", ...BOUNDS });
const INVERSE = must({ kind: "inverse", base: BTC, quote: USD, tickSize: "0.1", stepSize: "100", ...BOUNDS });

/** A decimal text as an exact ratio, parsed independently of the code under test. */
function ratioOf(text: string): Fraction {
  const [whole = "0", tail = ""] = text.split(".");
  return fraction(BigInt(whole + tail), 10n ** BigInt(tail.length));
}

const times = (left: Fraction, right: Fraction): Fraction => fraction(left.over * right.over, left.under * right.under);
const over = (left: Fraction, right: Fraction): Fraction => fraction(left.over * right.under, left.under * right.over);

/** Every kind with ticks such as 0.05 and steps such as 2.5, as long as values are whole. */
const instruments: fc.Arbitrary<Instrument> = fc
  .record({
    kind: fc.constantFrom(...INSTRUMENT_KINDS),
    baseScale: fc.integer({ min: 2, max: 8 }),
    quoteScale: fc.integer({ min: 2, max: 8 }),
    tick: fc.tuple(fc.constantFrom(1, 2, 5, 25), fc.integer({ min: 0, max: 6 })),
    step: fc.tuple(fc.constantFrom(1, 2, 5, 10, 100), fc.integer({ min: 0, max: 6 })),
  })
  .map(({ kind, baseScale, quoteScale, tick, step }) =>
    readInstrument({
      kind,
      base: { symbol: "AAA", scale: baseScale },
      quote: { symbol: "BBB", scale: quoteScale },
      tickSize: decimal(tick[0], tick[1]),
      stepSize: decimal(step[0], step[1]),
      minQuantity: decimal(step[0], step[1]),
      maxQuantity: decimal(step[0] * 1_000, step[1]),
      maxMarketQuantity: decimal(step[0] * 10, step[1]),
      minNotional: "5",
      band: BAND,
    }),
  )
  .filter((read) => read.done)
  .map((read) => read.value);

function decimal(mantissa: number, decimals: number): string {
  const digits = String(mantissa).padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const ticksOf = fc.integer({ min: 1, max: PRICE_TICKS_MAX });
const lotsOf = fc.integer({ min: 1, max: 10_000_000 });

describe("description", () => {
  test("[FUT-2] a linear contract of 0.001 BTC at ticks of 0.1 USDT: 100 units a tick and lot", () => {
    expect(LINEAR).toMatchObject({ stepUnits: 100_000, factor: 100, settle: USDT, minLots: 0, maxLots: 1_000_000 });
    expect([priceText(LINEAR, 500_000), quantityText(LINEAR, 1_500)]).toEqual(["50000.0", "1.500"]);
    expect(valueText(LINEAR, valueFloor(LINEAR, 1_000, 500_000))).toBe("50000");
  });

  test("[FUT-2] an inverse contract of 100 USD: quantities in USD, value in coin", () => {
    expect(INVERSE).toMatchObject({ stepUnits: 10_000, factor: 100_000_000_000, settle: BTC, maxLots: 10 });
    expect([priceText(INVERSE, 500_000), quantityText(INVERSE, 600)]).toEqual(["50000.0", "60000"]);
    // A sum that is exact as lots but not as dollars.
    expect(quantityText(INVERSE, 2 ** 52 + 1)).toBe("450359962737049700");
    expect(valueText(INVERSE, valueFloor(INVERSE, 600, 500_000))).toBe("1.2");
  });

  test("[FUT-2] the mean of inverse fills is harmonic, that of linear ones plain", () => {
    const coin = valueFloor(INVERSE, 100, 500_000) + valueFloor(INVERSE, 200, 400_000);
    expect(averagePriceText(INVERSE, coin, 300n)).toBe("42857.14285");
    const cost = valueFloor(LINEAR, 1, 500_000) + valueFloor(LINEAR, 2, 400_000);
    expect(averagePriceText(LINEAR, cost, 3n)).toBe("43333.33333");
    expect(averagePriceText(LINEAR, valueFloor(LINEAR, 3, 400_000), 3n)).toBe("40000.0");
    expect(averagePriceText(LINEAR, 0n, 0n)).toBeNull();
    const half = { ...LINEAR, priceMantissa: 5, priceDecimals: 1 };
    expect([31n, 30n].map((over) => exactPriceText(half, { over, under: 10n }))).toEqual(["1.55", "1.5"]);
    expect(exactPriceText({ ...LINEAR, priceMantissa: 1, priceDecimals: 0 }, { over: 3n, under: 1n })).toBe("3");
  });

  test.each([
    [{ tickSize: "0" }, "INVALID_TICK"],
    [{ tickSize: "x" }, "INVALID_TICK"],
    [{ stepSize: "0" }, "INVALID_STEP"],
    [{ stepSize: "0.000000001" }, "INVALID_STEP"],
    [{ tickSize: "0.0000001" }, "TICK_STEP_NOT_WHOLE"],
    [{ maxQuantity: "0.0005" }, "INVALID_BOUND"],
    [{ minNotional: "5e3" }, "INVALID_BOUND"],
    [{ band: { ...BAND, buyMax: "1.00001" } }, "INVALID_BOUND"],
  ] as const)("[FUT-2] %j is refused with %s", (change, code) => {
    const text = { kind: "linear", base: BTC, quote: USDT, tickSize: "0.1", stepSize: "0.001", ...BOUNDS } as const;
    expect(readInstrument({ ...text, ...change })).toMatchObject({ done: false, code });
  });

  test("[FUT-2] a description survives its text and its whole numbers", () => {
    fc.assert(
      fc.property(instruments, (instrument) => {
        expect(must(writeInstrument(instrument))).toEqual(instrument);
        const { settle: _, priceMantissa: __, priceDecimals: ___, ...terms } = instrument;
        expect(describeInstrument(terms)).toEqual(instrument);
      }),
    );
  });
});

describe("text", () => {
  test("[FUT-2] prices and quantities are exact both ways", () => {
    fc.assert(
      fc.property(instruments, ticksOf, lotsOf, (instrument, ticks, lots) => {
        const [price, quantity] = [priceText(instrument, ticks), quantityText(instrument, lots)];
        expect([readPriceTicks(instrument, price), readQuantityLots(instrument, quantity)]).toEqual([ticks, lots]);
        const { tickSize, stepSize } = writeInstrument(instrument);
        expect(compareFractions(ratioOf(price), times(ratioOf(tickSize), fraction(BigInt(ticks), 1n)))).toBe(0);
        expect(compareFractions(ratioOf(quantity), times(ratioOf(stepSize), fraction(BigInt(lots), 1n)))).toBe(0);
        expect(quantityText(instrument, BigInt(lots))).toBe(quantity);
      }),
    );
  });

  test.each(["0", "0.05", "107374182.4", "99999999999999999999"])("[FUT-2] %s is no price", (text) => {
    expect(readPriceTicks(LINEAR, text)).toBeUndefined();
  });

  test.each([
    [3n, 300n, 120, 60n],
    [-3n, 300n, 120, -60n],
    [-3n, 300n, 80, 60n],
    [0n, 0n, 80, 0n],
  ])("[FUT-2] %d lots that cost %d gain at %d ticks by their side: %d", (lots, cost, at, profit) => {
    expect(linearProfit(1, lots, cost, at)).toBe(profit);
    expect(linearProfit(7, lots, cost * 7n, at)).toBe(profit * 7n);
  });

  test("[FUT-2] coins are worth whole lots and their parts, rounded down", () => {
    expect(coinWorthFloor(7, 1_000n, 2_500n, 3)).toBe(52n);
    expect(coinWorthFloor(7, 1_000n, 2_499n, 3)).toBe(52n);
    expect(coinWorthFloor(7, 1_000n, 2_476n, 3)).toBe(51n);
  });

  test("[FUT-2] a lot's tick and a contract's face are whole numbers the ledger can count, or none", () => {
    const one = { units: 1n, scale: 0 };
    expect(wholeTickLot(one, BigInt(UNITS_MAX), 0, 0)).toBe(UNITS_MAX);
    expect(wholeTickLot(one, BigInt(UNITS_MAX) + 1n, 0, 0)).toBe(0);
    expect(wholeTickLot({ units: -1n, scale: 0 }, 5n, 0, 0)).toBe(0);
    expect(wholeTickLot({ units: 3n, scale: 1 }, 5n, 0, 0)).toBe(0);
    expect(wholeFace({ units: 0n, scale: 0 }, 5n, 0, 0)).toBe(0);
    expect([wholeFace({ units: 1n, scale: 0 }, 5n, 0, 0), wholeFace({ units: 1n, scale: 0 }, 1n, 0, 0)]).toEqual([
      5, 1,
    ]);
    expect(wholeFace({ units: -1n, scale: 0 }, -5n, 0, 0)).toBe(0);
  });

  test("[FUT-2] there is no average of nothing, and only zeros at an average's end are cut", () => {
    expect(averagePriceText(LINEAR, 0n, 5n)).toBeNull();
    expect(averagePriceText(LINEAR, 5n, 0n)).toBeNull();
    expect([averagePriceText(LINEAR, 1n, 1n), averagePriceText(LINEAR, 1n, 5n)]).not.toContain(null);
    expect(exactPriceText(LINEAR, { over: 5_000_010_001n, under: 10_000n })).toBe("50000.10001");
    expect(exactPriceText(LINEAR, { over: 500_001n, under: 1n })).toBe("50000.1");
    expect(exactPriceText({ ...LINEAR, priceMantissa: 1, priceDecimals: 0 }, { over: 5n, under: 1n })).toBe("5");
  });

  test("[FUT-2] more lots than a number holds exactly are written to the last", () => {
    expect(quantityText(LINEAR, 2n ** 60n + 1n)).toBe("1152921504606846.977");
  });

  test("[FUT-2] the highest price is valid, and one tick more is not", () => {
    // A tick of 0.1.
    expect(readPriceTicks(LINEAR, `${Math.floor(PRICE_TICKS_MAX / 10)}.${PRICE_TICKS_MAX % 10}`)).toBe(PRICE_TICKS_MAX);
    const beyond = PRICE_TICKS_MAX + 1;
    expect(readPriceTicks(LINEAR, `${Math.floor(beyond / 10)}.${beyond % 10}`)).toBeUndefined();
  });

  test("[FUT-2] trailing zeros change no price; half a lot and zero are no quantity", () => {
    expect(readPriceTicks(LINEAR, "50000.10000")).toBe(500_001);
    expect(readQuantityLots(LINEAR, "0.0015")).toBeUndefined();
    expect(readQuantityLots(LINEAR, "0.000")).toBeUndefined();
  });
});

describe("value", () => {
  test("[FUT-2] the value of a fill is quantity × price in the quote coin, of an inverse one quantity ÷ price", () => {
    fc.assert(
      fc.property(instruments, ticksOf, lotsOf, (instrument, ticks, lots) => {
        const price = ratioOf(priceText(instrument, ticks));
        const quantity = ratioOf(quantityText(instrument, lots));
        const coins = instrument.kind === "inverse" ? over(quantity, price) : times(quantity, price);
        const exact = times(coins, fraction(10n ** BigInt(instrument.settle.scale), 1n));
        expect(valueFloor(instrument, lots, ticks)).toBe(floorFraction(exact));
        expect(valueCeil(instrument, lots, ticks)).toBe(ceilFraction(exact));
        const worth = exactWorth(instrument.kind, BigInt(instrument.factor), BigInt(lots), BigInt(ticks));
        expect(compareFractions(worth, exact)).toBe(0);
      }),
    );
  });

  test("[FUT-2] the average of equal fills is their price", () => {
    fc.assert(
      fc.property(instruments, ticksOf, lotsOf, (instrument, ticks, lots) => {
        const worth = exactWorth(instrument.kind, BigInt(instrument.factor), BigInt(lots), BigInt(ticks));
        fc.pre(worth.over % worth.under === 0n);
        const mean = averageTicks(instrument, worth.over / worth.under, BigInt(lots));
        expect(compareFractions(mean, fraction(BigInt(ticks), 1n))).toBe(0);
      }),
    );
  });

  test("[FUT-2] the most lots an amount covers: one more costs more", () => {
    fc.assert(
      fc.property(instruments, ticksOf, fc.bigInt({ min: 0n, max: BigInt(UNITS_MAX) }), (instrument, ticks, held) => {
        const lots = lotsWithin(instrument, held, ticks);
        const worth = (count: bigint): Fraction =>
          exactWorth(instrument.kind, BigInt(instrument.factor), count, BigInt(ticks));
        expect(compareFractions(worth(lots), fraction(held, 1n))).toBeLessThanOrEqual(0);
        expect(compareFractions(worth(lots + 1n), fraction(held, 1n))).toBe(1);
      }),
    );
  });
});
