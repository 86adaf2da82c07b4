// How figures of positions are written: signed amounts, percentages cut, prices. Text in, text out.

import { groupThousands } from "@clockwork/kit/decimal";
import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import { shownDecimals } from "./contract.ts";

/** "+354.70", "−294.00", "0.00". */
export function writeSigned(text: string, decimals: number): string {
  const isNegative = text.startsWith("-");
  const shown = formatDecimal(isNegative ? text.slice(1) : text, { decimals, grouped: true });
  if (/^[0.,]*$/.test(shown)) return shown;
  return `${isNegative ? "−" : "+"}${shown}`;
}

export function writeCoin(text: string, coin: string): string {
  const isNegative = text.startsWith("-");
  const shown = formatDecimal(isNegative ? text.slice(1) : text, { decimals: shownDecimals(coin), grouped: true });
  return isNegative ? `−${shown}` : shown;
}

/** "0.2237" → "+22.37%". */
export function writeSignedPercent(fraction: string, decimals = 2): string {
  const isNegative = fraction.startsWith("-");
  const shown = formatPercent(isNegative ? fraction.slice(1) : fraction, { decimals });
  if (/^[0.]*%$/.test(shown)) return shown;
  return `${isNegative ? "−" : "+"}${shown}`;
}

export function writePercent(fraction: string): string {
  return formatPercent(fraction, { decimals: 2 });
}

/** Hundredths of a percent, signed: −561 → "−5.61%". */
export function writeBps(bps: bigint): string {
  const size = bps < 0n ? -bps : bps;
  const sign = bps === 0n ? "" : bps < 0n ? "−" : "+";
  return `${sign}${groupThousands(String(size / 100n))}.${String(size % 100n).padStart(2, "0")}%`;
}

/** The distance of `price` from `mark`, cut; nothing where one of them is missing. */
export function awayFrom(price: string | null, mark: string | null | undefined): string | undefined {
  if (price === null || mark === null || mark === undefined) return undefined;
  const [from, to] = [Number(mark), Number(price)];
  if (!(from > 0) || !Number.isFinite(to)) return undefined;
  return writeBps(BigInt(Math.trunc(((to - from) / from) * 10_000)));
}

/** A price cut to the decimals of the contract's own prices; the mark has them. */
export function showLike(price: string, mark: string): string {
  return formatDecimal(price, { decimals: mark.split(".")[1]?.length ?? 0, grouped: true });
}

export function toneOf(signed: string): string {
  if (/^-?[0.]*$/.test(signed)) return "";
  return signed.startsWith("-") ? "text-down-text" : "text-up-text";
}
