// How figures of copy trading are written: grouped amounts, rates as percent with a sign, tones. Pure.

import type { TimezoneName } from "@clockwork/kit/constants";
import {
  addDecimals,
  groupThousands,
  parseDecimal,
  roundDecimal,
  subtractDecimals,
  writeDecimal,
  ZERO_DECIMAL,
} from "@clockwork/kit/decimal";
import { formatDateTime } from "@clockwork/kit/time";

export function money(text: string, decimals = 2): string {
  const read = parseDecimal(text, { signed: true });
  if (!read.ok) return "–";
  return groupThousands(writeDecimal(roundDecimal(read.value, decimals, "truncate"))).replace("-", "−");
}

/** As many decimals as its market has. */
export const price = (text: string): string => groupThousands(text);

/** With a sign where it is above zero too. */
export function gain(text: string, decimals = 2): string {
  const shown = money(text, decimals);
  return /[1-9]/.test(shown) && !shown.startsWith("−") ? `+${shown}` : shown;
}

/** A rate as percent. */
export function percent(rate: string, decimals = 2): string {
  const read = parseDecimal(rate, { signed: true });
  if (!read.ok) return "–";
  const { units, scale } = read.value;
  const rounded = roundDecimal({ units: units * 100n, scale }, decimals, "truncate");
  return `${writeDecimal(rounded).replace("-", "−")}%`;
}

export function gainPercent(rate: string, decimals = 2): string {
  const shown = percent(rate, decimals);
  return /[1-9]/.test(shown) && !shown.startsWith("−") ? `+${shown}` : shown;
}

export const toneOf = (text: string): string =>
  !/[1-9]/.test(text) ? "" : text.startsWith("-") || text.startsWith("−") ? "text-down-text" : "text-up-text";

/** Large amounts short: 1.28M. */
export function short(text: string): string {
  const value = Number(text);
  if (Math.abs(value) >= 1_000_000) return `${(value / 1_000_000).toFixed(2)}M`;
  return Math.abs(value) >= 100_000 ? `${(value / 1_000).toFixed(1)}K` : money(text, 0);
}

/** In the zone the visitor chose; a day that results are counted by is a UTC day and names no zone. */
export const minute = (timeMs: number, zone: TimezoneName): string => formatDateTime(timeMs, zone).slice(0, 16);
export const day = (timeMs: number, zone?: TimezoneName): string => formatDateTime(timeMs, zone).slice(0, 10);

export function hold(ms: number): string {
  const hours = ms / 3_600_000;
  if (hours < 1) return `${Math.round(ms / 60_000)} min`;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} d`;
}

/** Mondays at midnight: the first of them was the fifth day there was. */
export function settlesNext(nowMs: number): number {
  const [day, week] = [86_400_000, 7 * 86_400_000];
  return 4 * day + (Math.floor((nowMs - 4 * day) / week) + 1) * week;
}

/** Difference and product of exact text. */
export function minus(left: string, right: string): string {
  const [a, b] = [parseDecimal(left, { signed: true }), parseDecimal(right, { signed: true })];
  return a.ok && b.ok ? writeDecimal(subtractDecimals(a.value, b.value)) : "0";
}

/** What cannot be read counts for nothing. */
export function sumOf(texts: readonly string[]): string {
  const values = texts.map((text) => parseDecimal(text, { signed: true }));
  return writeDecimal(values.reduce((sum, read) => (read.ok ? addDecimals(sum, read.value) : sum), ZERO_DECIMAL));
}

/** A ratio as a rate with six decimals; 0 of nothing. */
export function ratio(part: string, whole: string): string {
  const [a, b] = [parseDecimal(part, { signed: true }), parseDecimal(whole)];
  if (!a.ok || !b.ok || b.value.units === 0n) return "0";
  const units = (a.value.units * 10n ** BigInt(6 + b.value.scale)) / (b.value.units * 10n ** BigInt(a.value.scale));
  return writeDecimal({ units, scale: 6 });
}
