// How the Binance dialect writes numbers: decimal text with eight decimals, and what is computed from such texts.
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  divideTruncated,
  multiplyDecimals,
  parseDecimal,
  subtractDecimals,
  trimZeros,
  writeDecimal,
} from "@clockwork/kit/decimal";

export const DECIMALS = 8;

function readExact(text: string): Decimal {
  const read = parseDecimal(text, { signed: true });
  if (!read.ok) throw new Error(`${read.code}: ${text}`);
  return read.value;
}

/** By how many are wanted: every order's answer has a dozen such texts. */
const ZEROS: readonly string[] = Array.from({ length: DECIMALS + 1 }, (_, count) => "0".repeat(count));

function pad(text: string, decimals: number): string {
  const at = text.indexOf(".");
  if (at < 0) return `${text}.${ZEROS[decimals]}`;
  const wanted = at + 1 + decimals - text.length;
  return wanted > 0 ? text + ZEROS[wanted] : text;
}

/** With eight decimals, or as many more as it has. */
export function fixed(text: string | null | undefined): string {
  return pad(text ?? "0", DECIMALS);
}

export function difference(left: string, right: string): string {
  return fixed(writeDecimal(subtractDecimals(readExact(left), readExact(right))));
}

/** Cut after eight decimals; zero where the divisor is. */
export function quotient(left: string, right: string): string {
  return fixed(writeDecimal(divideTruncated(readExact(left), readExact(right), DECIMALS)));
}

/** How far the first is above or below the second, in percent with three decimals. */
export function changePercent(last: string, open: string): string {
  const change = subtractDecimals(readExact(last), readExact(open));
  return pad(writeDecimal(divideTruncated({ units: change.units * 100n, scale: change.scale }, readExact(open), 3)), 3);
}

export function product(left: string, right: string): string {
  return fixed(trimZeros(writeDecimal(multiplyDecimals(readExact(left), readExact(right)))));
}

export function isBelow(left: string, right: string): boolean {
  return compareDecimals(readExact(left), readExact(right)) < 0;
}

export function sum(left: string, right: string): string {
  return trimZeros(writeDecimal(addDecimals(readExact(left), readExact(right))));
}
