// Operations of an amount field on plain decimal text ("1000.5"); the arithmetic is kit/decimal's. Text that is no
// decimal counts as nothing here: fields validate it first.
import {
  addDecimals,
  compareDecimals as compareValues,
  type Decimal,
  isOnStep,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  truncateToStep,
  writeDecimal,
  ZERO_DECIMAL,
} from "@clockwork/kit/decimal";

const LEADING_ZEROS = /^(-?)0+(?=\d)/;

/** True for what a decimal is on the wire: digits without needless zeros in front, at most one point with digits after it. */
export function isPlainDecimal(text: string): boolean {
  return parseDecimal(text).ok;
}

function read(text: string): Decimal {
  const parsed = parseDecimal(text.replace(LEADING_ZEROS, "$1"), { signed: true, lengthMax: text.length });
  return parsed.ok ? parsed.value : ZERO_DECIMAL;
}

export function compareDecimals(left: string, right: string): -1 | 0 | 1 {
  return compareValues(read(left), read(right));
}

export function isMultiple(value: string, step: string): boolean {
  return isOnStep(read(value), read(step));
}

/** Moves by whole steps and lands on the grid: 10.03 one step of 0.1 up is 10.1, one down is 10.0. Never below zero. */
export function moveBySteps(value: string, step: string, count: number): string {
  const [from, by] = [read(value), read(step)];
  if (by.units === 0n) return value;
  const base = truncateToStep(from, by);
  const isBetween = compareValues(base, from) !== 0;
  const steps = isBetween && count < 0 ? count + 1 : count;
  const moved = addDecimals(base, multiplyDecimals(by, { units: BigInt(steps), scale: 0 }));
  return writeDecimal(roundDecimal(moved.units < 0n ? ZERO_DECIMAL : moved, by.scale, "truncate"));
}
