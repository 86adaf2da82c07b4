// How a pair and its movement are written. Pure.
import type { Pair, Quotation } from "@clockwork/domains/markets/api";
import { parseUnits, showUnits } from "#live/feeds/market-number.ts";

export function nameOf(pair: Pair): string {
  return `${pair.base}/${pair.quote}`;
}

/** "+805.9" */
export function changeText(quotation: Quotation, pair: Pair): string {
  const moved = parseUnits(quotation.last, pair.priceDecimals) - parseUnits(quotation.open, pair.priceDecimals);
  if (Number.isNaN(moved)) return "--";
  return `${moved > 0 ? "+" : ""}${showUnits(moved, pair.priceDecimals)}`;
}

/** "+1.27%", with the typographic minus. */
export function percentText(changePercent: string): string {
  if (changePercent.startsWith("-")) return `−${changePercent.slice(1)}%`;
  return `${/[1-9]/.test(changePercent) ? "+" : ""}${changePercent}%`;
}
