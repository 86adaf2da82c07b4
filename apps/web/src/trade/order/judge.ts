// How single inputs of an order form are validated, by the server's own rules and under its own codes. Returns codes
// with their bounds; texts belong to the screen. A form declares which of its fields must meet which rule.
import {
  type BandBounds,
  bandOf as boundPrices,
  CALLBACK_MAX_BPS,
  CALLBACK_MIN_BPS,
  EXPIRY_MAX_MS,
  EXPIRY_MIN_MS,
  ICEBERG_PARTS_MAX,
  protectiveTicks,
  SCALED_MAX,
  SCALED_MIN,
  SLIPPAGE_MAX_BPS,
  SLIPPAGE_MIN_BPS,
  TWAP_DURATION_MAX_MS,
  TWAP_DURATION_MIN_MS,
  TWAP_INTERVAL_MAX_MS,
  TWAP_INTERVAL_MIN_MS,
} from "@clockwork/kit/order-bounds";
import { MINUTE_MS, parseDateTime, SECOND_MS } from "@clockwork/kit/time";
import type { readTimezone } from "@clockwork/kit/timezone";
import { readFixed } from "@clockwork/kit/whole-text";
import type { TradeSide } from "#trade/trade-order.ts";
import {
  add,
  ceilTo,
  countSteps,
  type Decimal,
  isAbove,
  isBelow,
  isOnGrid,
  multiply,
  readServed,
  readTyped,
  writeShown,
} from "./exact.ts";

export interface Fault {
  readonly code: string;
  /** The bound that was broken, written as the screen shows it. */
  readonly limit?: string;
}

export type Faults<Field extends string> = Readonly<Partial<Record<Field, Fault>>>;

/** The rules of an instrument as far as forms need them; a served one fits unchanged. */
export interface OrderRules {
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly tickSize: string;
  readonly stepSize: string;
  readonly minQuantity: string;
  readonly maxQuantity: string;
  readonly maxMarketQuantity: string;
  /** Multiples of the average of five minutes; a high bound of 0 means no bound. */
  readonly band: {
    readonly buyMax: string;
    readonly buyMin: string;
    readonly sellMin: string;
    readonly sellMax: string;
  };
}

/** The first fault of a field counts. */
export function note<Field extends string>(
  found: Partial<Record<Field, Fault>>,
  field: Field,
  fault: Fault | undefined,
): void {
  if (fault !== undefined && found[field] === undefined) found[field] = fault;
}

export function judgePrice(value: Decimal, { tickSize }: OrderRules): Fault | undefined {
  return isOnGrid(value, readServed(tickSize)) ? undefined : { code: "INVALID_PRICE", limit: tickSize };
}

export function judgeQuantity(value: Decimal, { stepSize }: OrderRules): Fault | undefined {
  return isOnGrid(value, readServed(stepSize)) ? undefined : { code: "INVALID_QUANTITY", limit: stepSize };
}

export interface Range {
  readonly min: Decimal;
  readonly max: Decimal;
  readonly step: Decimal;
  readonly code: string;
}

const whole = (value: number): Decimal => ({ units: BigInt(value), scale: 0 });
const percent = (bps: number): Decimal => ({ units: BigInt(bps), scale: 2 });

/** Figures that are no prices and no amounts. */
export const RANGES = {
  callbackPercent: {
    min: percent(CALLBACK_MIN_BPS),
    max: percent(CALLBACK_MAX_BPS),
    step: percent(1),
    code: "INVALID_CALLBACK",
  },
  slippagePercent: {
    min: percent(SLIPPAGE_MIN_BPS),
    max: percent(SLIPPAGE_MAX_BPS),
    step: percent(1),
    code: "INVALID_SLIPPAGE",
  },
  count: { min: whole(SCALED_MIN), max: whole(SCALED_MAX), step: whole(1), code: "INVALID_COUNT" },
  durationMinutes: {
    min: whole(TWAP_DURATION_MIN_MS / MINUTE_MS),
    max: whole(TWAP_DURATION_MAX_MS / MINUTE_MS),
    step: whole(1),
    code: "INVALID_DURATION",
  },
  intervalSeconds: {
    min: whole(TWAP_INTERVAL_MIN_MS / SECOND_MS),
    max: whole(TWAP_INTERVAL_MAX_MS / SECOND_MS),
    step: whole(1),
    code: "INVALID_INTERVAL",
  },
} as const satisfies Readonly<Record<string, Range>>;

export function judgeRange(value: Decimal, { min, max, step, code }: Range): Fault | undefined {
  return !isBelow(value, min) && !isAbove(value, max) && isOnGrid(value, step) ? undefined : { code };
}

export function judgeExpiry(text: string, zone: ReturnType<typeof readTimezone>, nowMs: number): Fault | undefined {
  const atMs = parseDateTime(text, zone);
  if (atMs === undefined) return { code: "ILLEGAL" };
  const aheadMs = atMs - nowMs;
  return aheadMs >= EXPIRY_MIN_MS && aheadMs <= EXPIRY_MAX_MS ? undefined : { code: "INVALID_EXPIRY" };
}

/** At least this fraction is visible: that also bounds the number of slices. */
export function judgeIceberg(visible: Decimal, quantity: Decimal, decimals: number): Fault | undefined {
  if (!isAbove(visible, quantity) && !isBelow(multiply(visible, whole(ICEBERG_PARTS_MAX)), quantity)) return undefined;
  const least = ceilTo(multiply(quantity, { units: BigInt(100 / ICEBERG_PARTS_MAX), scale: 2 }), decimals);
  return { code: "INVALID_ICEBERG", limit: writeShown(least, decimals) };
}

export function judgeMost(quantity: Decimal, rules: OrderRules, isMarket: boolean): Fault | undefined {
  const max = readServed(isMarket ? rules.maxMarketQuantity : rules.maxQuantity);
  if (!isAbove(quantity, max)) return undefined;
  return { code: "QUANTITY_TOO_LARGE", limit: writeShown(max, rules.quantityDecimals) };
}

export interface PriceBand {
  readonly high?: Decimal;
  readonly low?: Decimal;
}

/** Digits of a multiple of the band, 1.2 for 12,000: the core counts it in hundredths of a percent. */
const BAND_DECIMALS = 4;
const PERCENT_DECIMALS = 2;

function countTicks(rules: OrderRules, price: Decimal): number {
  return Number(countSteps(price, readServed(rules.tickSize)));
}

function priceAt(rules: OrderRules, ticks: number): Decimal {
  return multiply(readServed(rules.tickSize), whole(ticks));
}

function bandBounds({ band }: OrderRules): BandBounds {
  const bps = (multiple: string): number => readFixed(multiple, BAND_DECIMALS) || 0;
  return {
    buyMaxBps: bps(band.buyMax),
    buyMinBps: bps(band.buyMin),
    sellMinBps: bps(band.sellMin),
    sellMaxBps: bps(band.sellMax),
  };
}

/** The bounds of a price as the core computes them; none before the first trade. */
export function bandOf(side: TradeSide, rules: OrderRules, bandPrice: string | undefined): PriceBand {
  const anchor = bandPrice === undefined ? undefined : readTyped(bandPrice);
  if (anchor === undefined) return {};
  const { lowTicks, highTicks } = boundPrices(bandBounds(rules), side, countTicks(rules, anchor));
  return { low: priceAt(rules, lowTicks), ...(highTicks === 0 ? {} : { high: priceAt(rules, highTicks) }) };
}

/** The average moves between its publication and the order: only a price clearly out of the band is refused here. */
const BAND_SLACK: Decimal = { units: 2n, scale: 3 };

export function judgeBand(price: Decimal, { high, low }: PriceBand, decimals: number): Fault | undefined {
  const slack = (value: Decimal) => multiply(value, BAND_SLACK);
  if (high !== undefined && isAbove(price, add(high, slack(high))))
    return { code: "PRICE_TOO_HIGH", limit: writeShown(high, decimals) };
  if (low !== undefined && isBelow(add(price, slack(low)), low))
    return { code: "PRICE_TOO_LOW", limit: writeShown(low, decimals) };
  return undefined;
}

/** The limit the core gives a market order: the best opposite price and the slippage allowed, inside the band. */
export function protectivePrice(
  side: TradeSide,
  rules: OrderRules,
  best: Decimal,
  slippagePercent: Decimal,
  bandPrice: string | undefined,
): Decimal {
  const slippageBps = Number(countSteps(slippagePercent, { units: 1n, scale: PERCENT_DECIMALS }));
  const anchor = bandPrice === undefined ? undefined : readTyped(bandPrice);
  // Without an anchor the band is zero on both sides and has no effect.
  const anchorTicks = anchor === undefined ? 0 : countTicks(rules, anchor);
  return priceAt(rules, protectiveTicks(bandBounds(rules), side, countTicks(rules, best), slippageBps, anchorTicks));
}

/** Whether a limit would trade at once against the best price of the other side. */
export function crossesBest(side: TradeSide, price: Decimal | undefined, best: Decimal | undefined): boolean {
  if (best === undefined || price === undefined) return false;
  return side === "buy" ? !isBelow(price, best) : !isAbove(price, best);
}
