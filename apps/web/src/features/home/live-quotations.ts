// The market's quotations by pair, and how their figures are written.
import type { Quotation } from "@clockwork/trading/markets/contract";
import { useMarketData } from "#clients/market-data.ts";

export function useQuotations(served: readonly Quotation[]): ReadonlyMap<string, Quotation> {
  const known = useMarketData();
  return new Map((known.length > 0 ? known : served).map((quotation) => [quotation.pairCode, quotation]));
}

/** 1234567.8 → 1,234,567.8; the digits after the point are unchanged. */
export function groupText(text: string): string {
  const [whole = "", rest] = text.split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

/** "-1.25" → "−1.25%", "1.25" → "+1.25%". */
export function changeText(percent: string): string {
  return `${percent.startsWith("-") ? `−${percent.slice(1)}` : `+${percent}`}%`;
}

export function toneOf(percent: string): string {
  if (/^-?0(?:\.0+)?$/.test(percent)) return "text-muted";
  return percent.startsWith("-") ? "text-down-text" : "text-up-text";
}

const UNITS = [
  [12, "T"],
  [9, "B"],
  [6, "M"],
  [3, "K"],
] as const;

/** 1284000000.12 → 1.28B, cut and never rounded up. */
export function shortText(amount: string): string {
  const [whole = "0"] = amount.split(".");
  for (const [power, unit] of UNITS) {
    if (whole.length > power) return `${whole.slice(0, -power)}.${whole.slice(-power).slice(0, 2)}${unit}`;
  }
  return amount.includes(".") ? amount.slice(0, amount.indexOf(".") + 3) : amount;
}
