// What the profit page computes from its days: windows, months, weeks, sums. Pure; sums are exact decimals.

import {
  addDecimals,
  type Decimal,
  groupThousands,
  parseDecimal,
  subtractDecimals,
  writeDecimal,
} from "@clockwork/kit/decimal";
import { formatDecimal } from "@clockwork/kit/format";
import { civilTime, DAY_MS, daysFromCivil } from "@clockwork/kit/time";
import type { Profit, ProfitDay } from "@clockwork/trading/profit/contract";

const ZERO: Decimal = { units: 0n, scale: 0 };

/** Profits may be below zero, which plain decimal text is not. */
function read(text: string): Decimal {
  const read = parseDecimal(text.replace(/^-/, ""));
  if (!read.ok) return ZERO;
  return text.startsWith("-") ? { ...read.value, units: -read.value.units } : read.value;
}

export function sum(texts: readonly string[]): string {
  const total = texts.reduce((all, text) => addDecimals(all, read(text)), ZERO);
  return write(total);
}

export function minus(left: string, right: string): string {
  return write(subtractDecimals(read(left), read(right)));
}

function write(value: Decimal): string {
  return value.units < 0n ? `-${writeDecimal({ ...value, units: -value.units })}` : writeDecimal(value);
}

export function toneOf(text: string | null): string {
  if (text === null || /^-?0(?:\.0*)?$/.test(text)) return "text-muted";
  return text.startsWith("-") ? "text-down-text" : "text-up-text";
}

/** `+1,234.50`, `−0.20`. */
export function showGain(text: string | null, decimals = 2): string {
  if (text === null) return "–";
  const shown = groupThousands(formatDecimal(text.replace(/^-/, ""), { decimals }));
  if (/^0(?:\.0*)?$/.test(shown)) return shown;
  return `${text.startsWith("-") ? "−" : "+"}${shown}`;
}

/** A fraction as percent. */
export function showRate(text: string | null): string {
  if (text === null) return "–";
  const value = read(text);
  return `${showGain(write({ units: value.units * 100n, scale: value.scale }))}%`;
}

export function lastDays({ days }: Profit, count: number): readonly ProfitDay[] {
  return days.slice(-count);
}

/** The return over some days alone: the curve continues from its value before them. For drawing and its texts. */
export function returnOver(profit: Profit, count: number): number {
  const shown = lastDays(profit, count);
  const before = profit.days.at(-shown.length - 1);
  const end = shown.at(-1);
  if (end === undefined) return 0;
  return (1 + Number(end.returnRate)) / (1 + Number(before?.returnRate ?? 0)) - 1;
}

export interface MonthCell {
  readonly dayMs: number;
  readonly date: number;
  readonly day: ProfitDay | undefined;
}

export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

export function monthOf(timeMs: number): Month {
  const { year, month } = civilTime(timeMs);
  return { year, month };
}

export function stepMonth({ year, month }: Month, by: 1 | -1): Month {
  const at = year * 12 + month - 1 + by;
  return { year: Math.floor(at / 12), month: (at % 12) + 1 };
}

/** Weeks from Monday on; undefined where a week reaches out of the month. */
export function weeksOf(
  { year, month }: Month,
  days: readonly ProfitDay[],
): readonly (readonly (MonthCell | undefined)[])[] {
  const first = daysFromCivil(year, month, 1);
  const next = stepMonth({ year, month }, 1);
  const count = daysFromCivil(next.year, next.month, 1) - first;
  const known = new Map(days.map((day) => [day.dayMs, day]));
  // The first of January 1970 was a Thursday.
  const offset = (first + 3) % 7;
  const cells: (MonthCell | undefined)[] = Array.from({ length: offset }, () => undefined);
  for (let date = 1; date <= count; date += 1) {
    const dayMs = (first + date - 1) * DAY_MS;
    cells.push({ dayMs, date, day: known.get(dayMs) });
  }
  while (cells.length % 7 !== 0) cells.push(undefined);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

export function daysIn({ year, month }: Month, days: readonly ProfitDay[]): readonly ProfitDay[] {
  return days.filter(({ dayMs }) => {
    const at = civilTime(dayMs);
    return at.year === year && at.month === month;
  });
}
