// Pure rules of exchange rates: the built-in table and its slow, simulated movement, the form of a rate, and which of
// several is shown. The movement is for demo runs without the internet and is always marked as simulated.
import { CURRENCIES, type Currency, DEFAULT_CURRENCY } from "@clockwork/kit/constants";
import { decimalText, parseDecimal } from "@clockwork/kit/decimal";
import { createRandom } from "@clockwork/kit/random";
import { formatInstant, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { ExchangeRate } from "./contract.ts";
import type { RateSource } from "./needs.ts";

/** Near the market rates when this was written; the decimals are those each is shown and moved with. */
export const BUILT_IN_RATES: Readonly<Record<Currency, string>> = {
  CNY: "7.1200",
  USD: "1",
  KRW: "1390.00",
  TWD: "30.800",
  VND: "26200",
  TRY: "41.800",
  RUB: "81.500",
  UAH: "41.600",
  EUR: "0.86200",
  JPY: "150.50",
};

export const BUILT_IN_NAME = "built-in";
export const OPERATOR_NAME = "operator";

const RATE = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,12})?$/;

/** A positive plain decimal. */
export function isRate(text: unknown): text is string {
  return typeof text === "string" && RATE.test(text) && /[1-9]/.test(text);
}

const DRIFT_MAX_PPM = 2000;
const PPM = 1_000_000n;

/** Between whole hours a straight line from one drawn offset to the next, so minutes follow each other closely. */
function driftPpm(currency: Currency, minuteMs: number): bigint {
  const hour = Math.floor(minuteMs / HOUR_MS);
  const at = (knot: number): number => {
    const seed = (CURRENCIES.indexOf(currency) + 1) * 0x9e37_79b1 + knot;
    return createRandom(seed | 0).between(-DRIFT_MAX_PPM, DRIFT_MAX_PPM);
  };
  const within = (minuteMs - hour * HOUR_MS) / MINUTE_MS;
  return BigInt(Math.trunc(at(hour) + ((at(hour + 1) - at(hour)) * within) / 60));
}

/** The same time gives the same rates on every machine. */
export function simulateRates(timeMs: number): Readonly<Record<Currency, string>> {
  const minuteMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
  const entries = CURRENCIES.map((currency) => {
    const text = BUILT_IN_RATES[currency];
    if (currency === DEFAULT_CURRENCY) return [currency, text];
    const read = parseDecimal(text);
    if (!read.ok) return [currency, text];
    const { units, scale } = read.value;
    return [currency, decimalText((units * (PPM + driftPpm(currency, minuteMs))) / PPM, scale)];
  });
  return Object.fromEntries(entries) as Record<Currency, string>;
}

export const BUILT_IN_SOURCE: RateSource = {
  name: BUILT_IN_NAME,
  isSimulated: true,
  fetchRates: async (timeMs) => ({
    rates: simulateRates(timeMs),
    asOfMs: Math.floor(timeMs / MINUTE_MS) * MINUTE_MS,
  }),
};

/** One rate with its story. */
export interface KnownRate {
  readonly currency: Currency;
  readonly rate: string;
  readonly source: string;
  readonly is_simulated: boolean;
  readonly as_of_ms: number;
}

/**
 * An operator's rate wins over the source's; missing ones come from the built-in table, marked as such, or are left out where
 * nothing may be simulated.
 */
export function chooseRates(
  sourced: readonly KnownRate[],
  overrides: readonly KnownRate[],
  { timeMs, maySimulate }: { readonly timeMs: number; readonly maySimulate: boolean },
): ExchangeRate {
  const simulated = simulateRates(timeMs);
  const builtIn = (currency: Currency): KnownRate => ({
    currency,
    rate: simulated[currency],
    source: BUILT_IN_NAME,
    is_simulated: true,
    as_of_ms: Math.floor(timeMs / MINUTE_MS) * MINUTE_MS,
  });
  const shown = CURRENCIES.filter((currency) => currency !== DEFAULT_CURRENCY).flatMap(
    (currency): readonly KnownRate[] => {
      const known = [...overrides, ...sourced].find((row) => row.currency === currency);
      return known === undefined && !maySimulate ? [] : [known ?? builtIn(currency)];
    },
  );
  const rates = Object.fromEntries(shown.map(({ currency, rate }) => [currency, rate])) as ExchangeRate["rates"];
  return {
    base: DEFAULT_CURRENCY as "USD",
    rates: { ...rates, USD: "1" },
    asOf: formatInstant(Math.min(timeMs, ...shown.map((row) => row.as_of_ms))),
    source: [...new Set(shown.map((row) => row.source))].sort().join(", "),
    simulated: shown.some((row) => row.is_simulated),
  };
}

/** The valid part of a source's response; the rest is named for the log. */
export function readSourced(
  source: RateSource,
  { rates, asOfMs }: { readonly rates: Readonly<Partial<Record<Currency, unknown>>>; readonly asOfMs: number },
): { readonly rows: readonly KnownRate[]; readonly refused: readonly Currency[] } {
  const named = CURRENCIES.filter((currency) => currency !== DEFAULT_CURRENCY && rates[currency] !== undefined);
  const rows = named.flatMap((currency): KnownRate[] => {
    const rate = rates[currency];
    if (!isRate(rate)) return [];
    return [{ currency, rate, source: source.name, is_simulated: source.isSimulated, as_of_ms: asOfMs }];
  });
  return { rows, refused: named.filter((currency) => !rows.some((row) => row.currency === currency)) };
}
