// The rate of a conversion as people read it: eight figures, exact up to there, cut off and never rounded up.
import { divideTruncated, parseDecimal, trimZeros, writeDecimal } from "@clockwork/kit/decimal";

const FIGURES = 8;
const FINE = 24;

/** How much of the second one of the first is; nothing where either is no amount above zero. */
export function rateOf(amount: string, receives: string): string | undefined {
  const [given, taken] = [parseDecimal(amount), parseDecimal(receives)];
  if (!given.ok || !taken.ok || given.value.units === 0n || taken.value.units === 0n) return undefined;
  const [whole = "0", part = ""] = writeDecimal(divideTruncated(taken.value, given.value, FINE)).split(".");
  const zeros = whole === "0" ? part.length - part.replace(/^0+/, "").length : -whole.length;
  const places = Math.min(part.length, Math.max(2, FIGURES + zeros));
  return trimZeros(`${whole}.${part.slice(0, places)}`);
}
