// Figures of earn as a page shows them: interest at this moment, what a sum would bring, a price on a pay-off curve.
// Exact integers from the same arithmetic the exchange pays by; only pixels are floats.

import type { EarnHolding, EarnProduct, SharkView } from "@clockwork/earning/earn/contract";
import { parseDecimal } from "@clockwork/kit/decimal";
import { hourParts, PARTS_IN_UNIT } from "@clockwork/kit/earn/accrual";
import { type SharkFin, sharkInterest, sharkRate, termInterest } from "@clockwork/kit/earn/terms";
import { type DecimalTextOptions, formatDecimal } from "@clockwork/kit/format";
import { divideFloor } from "@clockwork/kit/fraction";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RATE_SCALE = 8;
export const PRICE_SCALE = 8;

function scaled(text: string, scale: number): bigint {
  const read = parseUnits(text, scale);
  return read.done ? read.value : 0n;
}

export const rateUnits = (text: string): number => Number(scaled(text, RATE_SCALE).toString());

/** Interest since the last credit, up to this moment: shown, not credited. */
export function shownAccrued(holding: EarnHolding, nowMs: number): string {
  const accrued = parseDecimal(holding.accrued);
  const hourly = parseDecimal(holding.hourly);
  if (!accrued.ok || !hourly.ok) return holding.accrued;
  const scale = Math.max(accrued.value.scale, hourly.value.scale);
  const align = ({ units: digits, scale: own }: { units: bigint; scale: number }) =>
    digits * 10n ** BigInt(scale - own);
  const elapsed = BigInt(Math.min(HOUR_MS, Math.max(0, Math.floor(nowMs - holding.accruedAtMs))));
  return formatUnits(units(align(accrued.value) + (align(hourly.value) * elapsed) / BigInt(HOUR_MS)), scale);
}

/** What a sum brings: of a term all of it, of flexible money a day. */
export function interestOn(
  product: EarnProduct,
  amount: string,
  couponRate?: string,
  couponCap?: string,
  couponDays = 0,
): string {
  const scale = product.decimals;
  const amountUnits = scaled(amount, scale);
  if (product.kind === "flexible") {
    const tiers = product.tiers.map(({ upto, rate }) => ({
      uptoUnits: upto === null ? null : scaled(upto, scale),
      rate: rateUnits(rate),
    }));
    const boost =
      couponRate === undefined ? undefined : { rate: rateUnits(couponRate), capUnits: scaled(couponCap ?? "0", scale) };
    return formatUnits(units((hourParts(amountUnits, tiers, boost) * 24n) / PARTS_IN_UNIT), scale);
  }
  const boost =
    couponRate === undefined
      ? undefined
      : { rate: rateUnits(couponRate), capUnits: scaled(couponCap ?? "0", scale), days: couponDays };
  return formatUnits(units(termInterest(amountUnits, rateUnits(product.rate), product.days, boost)), scale);
}

export interface Term {
  /** Until when it can be put into; of a fixed term always. */
  readonly closesMs: number | undefined;
  /** From here to the end it earns: the product's own days. */
  readonly startsMs: number;
  readonly endsMs: number;
  /** Started days from now to the end: how long the money cannot be used, the wait for the start included. */
  readonly lockedDays: number;
}

/** When money put in now starts to earn and is free again; undefined for what has no term. */
export function termOf(
  {
    kind,
    days,
    closesAtMs,
    startsAtMs,
    endsAtMs,
  }: Pick<EarnProduct, "kind" | "days" | "closesAtMs" | "startsAtMs" | "endsAtMs">,
  nowMs: number,
): Term | undefined {
  if (kind === "flexible") return undefined;
  const startsMs = startsAtMs ?? (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  const endsMs = endsAtMs ?? startsMs + days * DAY_MS;
  const lockedDays = Math.max(0, Math.ceil((endsMs - nowMs) / DAY_MS));
  return { closesMs: closesAtMs ?? undefined, startsMs, endsMs, lockedDays };
}

export function finOf(shark: SharkView): SharkFin {
  return {
    direction: shark.direction,
    isTouch: shark.isTouch,
    lowTicks: scaled(shark.low, PRICE_SCALE),
    highTicks: scaled(shark.high, PRICE_SCALE),
    baseRate: rateUnits(shark.baseRate),
    lowRate: rateUnits(shark.lowRate),
    highRate: rateUnits(shark.highRate),
  };
}

/** Rate and interest at a price, as text. */
export function payoffAt(
  product: EarnProduct,
  shark: SharkView,
  price: string,
  amount: string,
): { rate: string; interest: string } {
  const rate = sharkRate(finOf(shark), { over: scaled(price, PRICE_SCALE), under: 1n });
  const interest = sharkInterest(scaled(amount, product.decimals), rate, product.days);
  return {
    rate: formatUnits(units(divideFloor(rate.over, rate.under)), RATE_SCALE),
    interest: formatUnits(units(interest), product.decimals),
  };
}

export function addAmounts(left: string, right: string, scale: number): string {
  return formatUnits(units(scaled(left, scale) + scaled(right, scale)), scale);
}

/** Amounts have no bound of their own here; what is none counts as nothing. */
function decimalOf(text: string): { readonly units: bigint; readonly scale: number } {
  const read = parseDecimal(text);
  return read.ok ? read.value : { units: 0n, scale: 0 };
}

/** Negative, zero or positive as the first is below, equal to or above the second. */
export function compareAmounts(left: string, right: string): number {
  const [one, other] = [decimalOf(left), decimalOf(right)];
  const scale = Math.max(one.scale, other.scale);
  const difference = one.units * 10n ** BigInt(scale - one.scale) - other.units * 10n ** BigInt(scale - other.scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** What a balance lacks of an amount; nothing where it has enough. */
export function missingOf(amount: string, available: string, scale: number): string | undefined {
  const lacking = scaled(amount, scale) - scaled(available, scale);
  return lacking > 0n ? formatUnits(units(lacking), scale) : undefined;
}

/** For lengths on a screen alone. */
export const pixels = (text: string): number => Number.parseFloat(text);

/** Amounts as they are shown: cut, with thousands apart. */
export const formatAmount = (amount: string, options: DecimalTextOptions = {}): string =>
  formatDecimal(amount, { grouped: true, ...options });
