// Number text for screens: decimals, grouping, abbreviations, percentages and price currencies. Works on exact decimals
// only; never on a JavaScript number.
import {
  ABBREVIATION_DECIMALS,
  ABBREVIATIONS,
  type Abbreviation,
  CHINESE_ABBREVIATIONS,
  CHINESE_LOCALES,
  CURRENCY_SYMBOL,
  type Currency,
  DEFAULT_PRECISION,
  type Locale,
} from "./constants.ts";
import {
  type Decimal,
  groupThousands,
  multiplyDecimals,
  parseDecimal,
  type Rounding,
  roundDecimal,
  trimZeros,
  writeDecimal,
} from "./decimal.ts";

/** Decimal text as served, a whole number, or an exact decimal. */
export type Amount = string | bigint | Decimal;

/** Shown instead of a missing number; a screen must not fail on a missing price. */
export const MISSING_NUMBER_TEXT = "–";

/** No chain's coin is finer. */
const COIN_DECIMALS_MAX = 18;

export interface DecimalTextOptions {
  readonly decimals?: number;
  readonly rounding?: Rounding;
  /** Thousands separated by commas. */
  readonly grouped?: boolean;
  readonly trimZeros?: boolean;
  /** A plus before positive values, for changes and profit. */
  readonly plus?: boolean;
}

/** The exact value, or undefined when the text is no decimal. */
export function readAmount(amount: Amount): Decimal | undefined {
  if (typeof amount === "bigint") return { units: amount, scale: 0 };
  if (typeof amount !== "string") return amount;
  const result = parseDecimal(amount, { signed: true, lengthMax: 256 });
  return result.ok ? result.value : undefined;
}

/** The usual number on a screen: two decimals, truncated and never rounded up, so that no balance is overstated. */
export function formatDecimal(amount: Amount, options: DecimalTextOptions = {}): string {
  const value = readAmount(amount);
  if (value === undefined) return MISSING_NUMBER_TEXT;
  return writeRounded(
    roundDecimal(value, options.decimals ?? DEFAULT_PRECISION, options.rounding ?? "truncate"),
    options,
  );
}

/** A whole balance or transfer of a coin, however small: every decimal it has, grouped. */
export function formatCoins(amount: Amount): string {
  return formatDecimal(amount, { decimals: COIN_DECIMALS_MAX, grouped: true, trimZeros: true });
}

/** Money in two decimals; what would be 0.00 and is not shows the decimals it has. */
export function formatMoney(amount: Amount): string {
  const short = formatDecimal(amount, { grouped: true, decimals: 2 });
  if (/[1-9]/.test(short)) return short;
  const whole = formatCoins(amount);
  return /[1-9]/.test(whole) ? whole : short;
}

function writeRounded(rounded: Decimal, options: DecimalTextOptions): string {
  let text = writeDecimal(rounded);
  if (options.trimZeros === true) text = trimZeros(text);
  if (options.grouped === true) text = groupThousands(text);
  return options.plus === true && rounded.units > 0n ? `+${text}` : text;
}

export interface AbbreviationOptions {
  readonly locale?: Locale;
  readonly decimals?: number;
  readonly rounding?: "floor" | "half-up";
  readonly trimZeros?: boolean;
}

/** 1234567 → "1.234M"; in Chinese locales "123.456万". */
export function formatAbbreviated(amount: Amount, options: AbbreviationOptions = {}): string {
  const value = readAmount(amount);
  if (value === undefined) return MISSING_NUMBER_TEXT;
  const { decimals = ABBREVIATION_DECIMALS, rounding = "floor" } = options;
  const chinese = options.locale !== undefined && CHINESE_LOCALES.includes(options.locale);
  const steps: readonly Abbreviation[] = [
    { suffix: "", power: 0 },
    ...(chinese ? CHINESE_ABBREVIATIONS : ABBREVIATIONS),
  ];
  let chosen = roundScaled(value, 0, decimals, rounding);
  let suffix = "";
  for (const [index, step] of steps.entries()) {
    chosen = roundScaled(value, step.power, decimals, rounding);
    suffix = step.suffix;
    const next = steps[index + 1];
    // Decided after rounding: 999 999.9 rounded half-up is 1.000M, not 1000.000K.
    if (next === undefined || !reachesPower(chosen, next.power - step.power)) break;
  }
  const text = writeDecimal(chosen);
  return (options.trimZeros === true ? trimZeros(text) : text) + suffix;
}

function roundScaled(value: Decimal, power: number, decimals: number, rounding: Rounding): Decimal {
  return roundDecimal({ units: value.units, scale: value.scale + power }, decimals, rounding);
}

function reachesPower(value: Decimal, power: number): boolean {
  const magnitude = value.units < 0n ? -value.units : value.units;
  return magnitude >= 10n ** BigInt(power + value.scale);
}

/** A ratio as per cent, with the typographic minus: "-0.0123" → "−1.23%". */
export function formatPercent(ratio: Amount, options: DecimalTextOptions = {}): string {
  const value = readAmount(ratio);
  if (value === undefined) return MISSING_NUMBER_TEXT;
  return `${formatDecimal({ units: value.units * 100n, scale: value.scale }, options).replace(/^-/, "−")}%`;
}

/** Money without small coins in daily use is shown without decimals. */
const CURRENCY_DECIMALS: Readonly<Record<Currency, number>> = {
  CNY: 2,
  USD: 2,
  KRW: 0,
  TWD: 2,
  VND: 0,
  TRY: 2,
  RUB: 2,
  UAH: 2,
  EUR: 2,
  JPY: 0,
};

/** Digits kept of a price below one, so that small coins do not all show 0.00. */
const SMALL_PRICE_DIGITS = 4;
const SMALL_PRICE_DECIMALS_MAX = 12;

export interface CurrencyTextOptions extends DecimalTextOptions {
  /** Keep four leading digits of values below one. */
  readonly small?: boolean;
}

/** The amount at the rate, exact: a rate is the worth of one unit of the amount in the currency. */
export function convertAmount(amount: Amount, rate: Amount): Decimal | undefined {
  const value = readAmount(amount);
  const factor = readAmount(rate);
  return value === undefined || factor === undefined ? undefined : multiplyDecimals(value, factor);
}

/** An amount of the currency with its symbol: "$1,234.50", "-€0.01", "₩1,200". */
export function formatCurrency(amount: Amount, currency: Currency, options: CurrencyTextOptions = {}): string {
  const value = readAmount(amount);
  if (value === undefined) return MISSING_NUMBER_TEXT;
  const usual = CURRENCY_DECIMALS[currency];
  const decimals = options.decimals ?? (options.small === true ? Math.max(usual, countSmallDecimals(value)) : usual);
  const rounded = roundDecimal(value, decimals, options.rounding ?? "truncate");
  const magnitude = { units: rounded.units < 0n ? -rounded.units : rounded.units, scale: rounded.scale };
  const text = writeRounded(magnitude, { ...options, grouped: options.grouped ?? true, plus: false });
  const sign = rounded.units < 0n ? "-" : options.plus === true && rounded.units > 0n ? "+" : "";
  return sign + CURRENCY_SYMBOL[currency] + text;
}

/** An amount converted at a served rate and written in the currency. */
export function formatConverted(
  amount: Amount,
  rate: Amount,
  currency: Currency,
  options: CurrencyTextOptions = {},
): string {
  const converted = convertAmount(amount, rate);
  return converted === undefined ? MISSING_NUMBER_TEXT : formatCurrency(converted, currency, options);
}

function countSmallDecimals(value: Decimal): number {
  const digits = (value.units < 0n ? -value.units : value.units).toString();
  if (value.units === 0n || digits.length > value.scale) return 0;
  return Math.min(value.scale - digits.length + SMALL_PRICE_DIGITS, SMALL_PRICE_DECIMALS_MAX);
}
