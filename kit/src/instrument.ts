// One description of spot pairs, linear and inverse contracts: how whole ticks, lots and units convert to exact text,
// what lots are worth, and which orders a market admits. Shared by core, areas, simulation and forms. Never a float;
// what rounds names the direction.
import { type Decimal, decimalText, parseDecimal } from "./decimal.ts";
import { divideCeil, divideFloor, type Fraction, fraction } from "./fraction.ts";
import { formatUnits, UNITS_MAX, units } from "./money.ts";
import { done, type Result, refused } from "./result.ts";
import { fixedText, readSteps } from "./whole-text.ts";

/** The highest price books have room for. */
export const PRICE_TICKS_MAX = 0x3fffffff;

export const INSTRUMENT_KINDS = ["spot", "linear", "inverse"] as const;
export type InstrumentKind = (typeof INSTRUMENT_KINDS)[number];

/** A coin as the ledger counts it; scale is the decimals of its smallest unit. */
export interface Coin {
  readonly symbol: string;
  readonly scale: number;
}

/** A coin with its number in the ledger. */
export interface LedgerCoin extends Coin {
  readonly asset: number;
}

/** The worth of lots at a price. */
export interface Valuation {
  readonly kind: InstrumentKind;
  /** Settlement units of one tick of one lot; of an inverse contract settlement units × ticks of one lot. */
  readonly factor: number;
}

/** How ticks and lots are written. */
export interface Grid {
  /** One tick is priceMantissa × 10^−priceDecimals quote coins for one base coin. */
  readonly priceMantissa: number;
  readonly priceDecimals: number;
  /** One lot is quantityMantissa × 10^−quantityDecimals base coins, of an inverse contract quote coins. */
  readonly quantityMantissa: number;
  readonly quantityDecimals: number;
}

/** Which orders a market admits, in lots and settlement units, the band in 1e-4 of its anchor. */
export interface OrderBounds {
  readonly minLots: number;
  readonly maxLots: number;
  readonly maxMarketLots: number;
  /** Not required of inverse contracts: their lots are money already. */
  readonly minNotionalUnits: number;
  readonly buyMaxBps: number;
  readonly buyMinBps: number;
  readonly sellMinBps: number;
  readonly sellMaxBps: number;
}

/** A market's own numbers, in the core's form. */
export interface InstrumentTerms extends Valuation, OrderBounds {
  readonly base: Coin;
  readonly quote: Coin;
  /** Base units in a lot; of an inverse contract quote units: its face. */
  readonly stepUnits: number;
}

export interface Instrument extends InstrumentTerms, Grid {
  /** The coin fills and fees are paid in; spot sells receive it. */
  readonly settle: Coin;
}

/** The same as decimal text on the wire. */
export interface InstrumentText {
  readonly kind: InstrumentKind;
  readonly base: Coin;
  readonly quote: Coin;
  readonly tickSize: string;
  /** Base coins in a lot; of an inverse contract the quote coins of its face. */
  readonly stepSize: string;
  readonly minQuantity: string;
  readonly maxQuantity: string;
  readonly maxMarketQuantity: string;
  readonly minNotional: string;
  /** Multiples of the anchor. */
  readonly band: {
    readonly buyMax: string;
    readonly buyMin: string;
    readonly sellMin: string;
    readonly sellMax: string;
  };
}

export type InstrumentRefusal = "INVALID_TICK" | "INVALID_STEP" | "TICK_STEP_NOT_WHOLE" | "INVALID_BOUND";

const BPS_SCALE = 4;
const FRACTION_DECIMALS_MAX = 30;

/** Quote units in one tick of one lot, or 0 when it is not a whole number: then notionals would round. */
export function wholeTickLot(tick: Decimal, stepUnits: bigint, baseScale: number, quoteScale: number): number {
  const over = tick.units * stepUnits * 10n ** BigInt(quoteScale);
  return wholeQuotient(over, 10n ** BigInt(tick.scale + baseScale));
}

/** Coin units × ticks of one inverse contract, or 0 when it is not a whole number: then values would drift. */
export function wholeFace(tick: Decimal, faceUnits: bigint, coinScale: number, quoteScale: number): number {
  return wholeQuotient(faceUnits * 10n ** BigInt(coinScale + tick.scale), 10n ** BigInt(quoteScale) * tick.units);
}

function wholeQuotient(over: bigint, under: bigint): number {
  if (under <= 0n || over <= 0n || over % under !== 0n || over / under > BigInt(UNITS_MAX)) return 0;
  return Number(over / under);
}

/** The shortest decimal equal to over ÷ under; the divisor's primes are two and five. */
function shortestDecimal(over: bigint, under: bigint): { mantissa: number; decimals: number } {
  let decimals = 0;
  let top = over;
  while (top % under !== 0n && decimals < FRACTION_DECIMALS_MAX) {
    top *= 10n;
    decimals += 1;
  }
  return { mantissa: Number(top / under), decimals };
}

/** The whole description from a market's own numbers. */
export function describeInstrument<Terms extends InstrumentTerms>(
  terms: Terms,
): Terms & Grid & { readonly settle: Terms["base"] } {
  const { kind, base, quote, stepUnits, factor } = terms;
  const isInverse = kind === "inverse";
  const one = (coin: Coin): bigint => 10n ** BigInt(coin.scale);
  const step = BigInt(stepUnits) * one(base);
  const price = isInverse
    ? shortestDecimal(step, BigInt(factor) * one(quote))
    : shortestDecimal(BigInt(factor) * one(base), BigInt(stepUnits) * one(quote));
  const quantity = shortestDecimal(BigInt(stepUnits), one(isInverse ? quote : base));
  return {
    ...terms,
    settle: isInverse ? base : quote,
    priceMantissa: price.mantissa,
    priceDecimals: price.decimals,
    quantityMantissa: quantity.mantissa,
    quantityDecimals: quantity.decimals,
  };
}

/** The description of a text, or why it is invalid. */
export function readInstrument(text: InstrumentText): Result<Instrument, InstrumentRefusal> {
  const { kind, base, quote } = text;
  const isInverse = kind === "inverse";
  const tick = readPositive(text.tickSize);
  if (tick === undefined) return refused("INVALID_TICK");
  const stepUnits = readUnits(text.stepSize, isInverse ? quote.scale : base.scale);
  if (stepUnits === undefined || stepUnits === 0) return refused("INVALID_STEP");
  const factor = isInverse
    ? wholeFace(tick, BigInt(stepUnits), base.scale, quote.scale)
    : wholeTickLot(tick, BigInt(stepUnits), base.scale, quote.scale);
  if (factor === 0) return refused("TICK_STEP_NOT_WHOLE");
  const bounds = readBounds(text, stepUnits);
  return bounds === undefined
    ? refused("INVALID_BOUND")
    : done(describeInstrument({ kind, base, quote, stepUnits, factor, ...bounds }));
}

function readBounds(text: InstrumentText, stepUnits: number): OrderBounds | undefined {
  const isInverse = text.kind === "inverse";
  const lots = (quantity: string): number | undefined => {
    const held = readUnits(quantity, isInverse ? text.quote.scale : text.base.scale);
    return held === undefined || held % stepUnits !== 0 ? undefined : held / stepUnits;
  };
  const bps = (multiple: string): number | undefined => readUnits(multiple, BPS_SCALE);
  const bounds = {
    minLots: lots(text.minQuantity),
    maxLots: lots(text.maxQuantity),
    maxMarketLots: lots(text.maxMarketQuantity),
    minNotionalUnits: readUnits(text.minNotional, isInverse ? text.base.scale : text.quote.scale),
    buyMaxBps: bps(text.band.buyMax),
    buyMinBps: bps(text.band.buyMin),
    sellMinBps: bps(text.band.sellMin),
    sellMaxBps: bps(text.band.sellMax),
  };
  return Object.values(bounds).includes(undefined) ? undefined : (bounds as OrderBounds);
}

/** The text of a description; readInstrument reverses it. */
export function writeInstrument(instrument: Instrument): InstrumentText {
  const bps = (value: number): string => formatUnits(units(value), BPS_SCALE);
  return {
    kind: instrument.kind,
    base: instrument.base,
    quote: instrument.quote,
    tickSize: priceText(instrument, 1),
    stepSize: quantityText(instrument, 1),
    minQuantity: quantityText(instrument, instrument.minLots),
    maxQuantity: quantityText(instrument, instrument.maxLots),
    maxMarketQuantity: quantityText(instrument, instrument.maxMarketLots),
    minNotional: valueText(instrument, instrument.minNotionalUnits),
    band: {
      buyMax: bps(instrument.buyMaxBps),
      buyMin: bps(instrument.buyMinBps),
      sellMin: bps(instrument.sellMinBps),
      sellMax: bps(instrument.sellMaxBps),
    },
  };
}

function readPositive(text: string): Decimal | undefined {
  const read = parseDecimal(text);
  return read.ok && read.value.units > 0n ? read.value : undefined;
}

/** Whole units of a scale; undefined for fractions of a unit or beyond exact integers. */
function readUnits(text: string, scale: number): number | undefined {
  return parseDecimal(text).ok ? readSteps(text, 1, scale) : undefined;
}

// Text

/** Every price of a market has the same number of decimals, so equal prices are equal texts. */
export function priceText(grid: Grid, priceTicks: number): string {
  return fixedText(priceTicks * grid.priceMantissa, grid.priceDecimals);
}

/** Sums of quantities over long times may leave the range of exact numbers: then they come as big ones. */
export function quantityText(grid: Grid, quantityLots: bigint | number): string {
  if (typeof quantityLots === "number") {
    const whole = quantityLots * grid.quantityMantissa;
    if (Number.isSafeInteger(whole)) return fixedText(whole, grid.quantityDecimals);
  }
  return decimalText(BigInt(quantityLots) * BigInt(grid.quantityMantissa), grid.quantityDecimals);
}

/** An amount of the settlement coin. */
export function valueText(instrument: { readonly settle: Coin }, valueUnits: bigint | number): string {
  return formatUnits(units(valueUnits), instrument.settle.scale);
}

/** Undefined for zero, for a fraction of the tick and for a price out of range. */
export function readPriceTicks(grid: Grid, text: string): number | undefined {
  const priceTicks = readSteps(text, grid.priceMantissa, grid.priceDecimals);
  return priceTicks === undefined || priceTicks === 0 || priceTicks > PRICE_TICKS_MAX ? undefined : priceTicks;
}

/** Undefined for zero and for a fraction of the step. */
export function readQuantityLots(grid: Grid, text: string): number | undefined {
  const quantityLots = readSteps(text, grid.quantityMantissa, grid.quantityDecimals);
  return quantityLots === 0 ? undefined : quantityLots;
}

/** Decimals an average has beyond those of prices: it seldom ends where prices do. */
const AVERAGE_EXTRA_DECIMALS = 4;

/**
 * The price at which the lots have this value, truncated a few decimals after the tick; null before any trade. The
 * excess is by how many parts of 2^48 the value is too high, so that the error of the price is below the truncation.
 */
export function averagePriceText(
  instrument: Valuation & Grid,
  valueUnits: bigint,
  quantityLots: bigint,
  excess = 0n,
): string | null {
  if (quantityLots === 0n || valueUnits === 0n) return null;
  if (excess === 0n) return exactPriceText(instrument, averageTicks(instrument, valueUnits, quantityLots));
  const parts = 1n << 48n;
  const { over, under } = averageTicks(instrument, valueUnits * parts - excess, quantityLots * parts);
  return exactPriceText(instrument, { over: over * NEAR_TICKS + under, under: under * NEAR_TICKS });
}

/** One part in this many of a tick is too small to show, and more than the error of a cost rounded to a part. */
const NEAR_TICKS = 1n << 24n;

/** A price between ticks, truncated a few decimals after them. */
export function exactPriceText({ priceMantissa, priceDecimals }: Grid, { over, under }: Fraction): string {
  const scaled = (over * BigInt(priceMantissa) * 10n ** BigInt(AVERAGE_EXTRA_DECIMALS)) / under;
  const text = decimalText(scaled, priceDecimals + AVERAGE_EXTRA_DECIMALS);
  const least = text.length - AVERAGE_EXTRA_DECIMALS;
  let end = text.length;
  while (end > least && text[end - 1] === "0") end -= 1;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}

// Value

/** The worth of lots at a price, exactly: lots × ticks × factor, of an inverse contract lots × factor ÷ ticks. */
export function exactWorth(kind: InstrumentKind, factor: bigint, lots: bigint, ticks: bigint): Fraction {
  return kind === "inverse" ? fraction(lots * factor, ticks) : { over: lots * ticks * factor, under: 1n };
}

/** Settlement units, rounded down: amounts received. Spot and linear values are whole. */
export function valueFloor({ kind, factor }: Valuation, lots: number, priceTicks: number): bigint {
  if (kind !== "inverse") {
    const product = lots * priceTicks * factor;
    if (product <= UNITS_MAX) return BigInt(product);
  }
  const { over, under } = exactWorth(kind, BigInt(factor), BigInt(lots), BigInt(priceTicks));
  return divideFloor(over, under);
}

/** Settlement units, rounded up: amounts paid. */
export function valueCeil({ kind, factor }: Valuation, lots: number, priceTicks: number): bigint {
  const { over, under } = exactWorth(kind, BigInt(factor), BigInt(lots), BigInt(priceTicks));
  return divideCeil(over, under);
}

/** Unrealised profit of a linear position at a price: signed lots against their unsigned cost. */
export function linearProfit(
  factor: number,
  lots: bigint,
  costUnits: bigint,
  priceTicks: number,
  costExcess = 0n,
): bigint {
  // A fractional cost comes rounded up; for a short that is too much.
  const cost = lots < 0n && costExcess > 0n ? 1n - costUnits : lots < 0n ? -costUnits : costUnits;
  return lots * BigInt(priceTicks) * BigInt(factor) - cost;
}

/** The worth of units of a coin at a spot price, rounded down; a lot has `stepUnits` units. */
export function coinWorthFloor(factor: number, stepUnits: bigint, units: bigint, priceTicks: number): bigint {
  return divideFloor(units * BigInt(priceTicks) * BigInt(factor), stepUnits);
}

/** The price in ticks at which lots have a value; for inverse fills their harmonic mean. */
export function averageTicks({ kind, factor }: Valuation, valueUnits: bigint, quantityLots: bigint): Fraction {
  const scaled = quantityLots * BigInt(factor);
  return kind === "inverse" ? fraction(scaled, valueUnits) : fraction(valueUnits, scaled);
}

/** The most lots worth no more than a value at a price. */
export function lotsWithin({ kind, factor }: Valuation, valueUnits: bigint, priceTicks: number): bigint {
  const [ticks, wide] = [BigInt(priceTicks), BigInt(factor)];
  return kind === "inverse" ? divideFloor(valueUnits * ticks, wide) : divideFloor(valueUnits, ticks * wide);
}
