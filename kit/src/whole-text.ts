// Whole numbers within 2^53 and their decimal text, for code that runs thousands of times a second; decimal.ts does the
// same for any size. Exact both ways: text that is no exact whole number reads as undefined and is never shown as one.
import { decimalText } from "./decimal.ts";

const PLAIN = /^\d{1,24}(?:\.\d{1,18})?$/;
/** Fewer digits than this are exact as a double. */
const DIGITS_EXACT = 15;

/** A whole number with its last `decimals` digits after the point, all of them written. */
export function fixedText(value: number, decimals: number): string {
  if (!Number.isSafeInteger(value)) return Number.isInteger(value) ? decimalText(BigInt(value), decimals) : "–";
  if (decimals === 0) return String(value);
  const { whole, fraction } = split(value, decimals);
  return value < 0 ? `-${whole}.${fraction}` : `${whole}.${fraction}`;
}

/** "64118.4" with one decimal is 641184. Digits past `decimals` are truncated; NaN for invalid text or beyond 2^53. */
export function readFixed(text: string, decimals: number): number {
  if (!PLAIN.test(text)) return Number.NaN;
  const dot = text.indexOf(".");
  const whole = dot === -1 ? text : text.slice(0, dot);
  const fraction = dot === -1 ? "" : text.slice(dot + 1, dot + 1 + decimals);
  const value = Number(whole + fraction.padEnd(decimals, "0"));
  return Number.isSafeInteger(value) ? value : Number.NaN;
}

/**
 * How many times mantissa × 10^−decimals fits into a decimal text; undefined when it does not fit evenly, or more often
 * than counts are exact. The text has passed the schema: digits, at most one point.
 */
export function readSteps(text: string, mantissa: number, decimals: number): number | undefined {
  const point = text.indexOf(".");
  const whole = point < 0 ? text : text.slice(0, point);
  const fraction = point < 0 ? "" : text.slice(point + 1).replace(/0+$/, "");
  if (fraction.length > decimals) return undefined;
  const digits = whole + fraction.padEnd(decimals, "0");
  if (digits.length <= DIGITS_EXACT) {
    const value = Number(digits);
    return value % mantissa === 0 ? value / mantissa : undefined;
  }
  const value = BigInt(digits);
  const step = BigInt(mantissa);
  if (value % step !== 0n) return undefined;
  const count = value / step;
  return count <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(count) : undefined;
}

/** For display: thousands in groups, and only the first `shown` decimals. */
export function showFixed(value: number, decimals: number, shown = decimals): string {
  if (!Number.isFinite(value)) return "–";
  const { whole, fraction } = split(value, decimals);
  let grouped = whole;
  for (let at = whole.length - 3; at > 0; at -= 3) grouped = `${grouped.slice(0, at)},${grouped.slice(at)}`;
  const tail = shown > 0 ? `.${fraction.slice(0, shown).padEnd(shown, "0")}` : "";
  return `${value < 0 ? "−" : ""}${grouped}${tail}`;
}

function split(value: number, decimals: number): { readonly whole: string; readonly fraction: string } {
  const digits = String(Math.abs(value));
  const padded = digits.length > decimals ? digits : digits.padStart(decimals + 1, "0");
  const cut = padded.length - decimals;
  return { whole: padded.slice(0, cut), fraction: padded.slice(cut) };
}
