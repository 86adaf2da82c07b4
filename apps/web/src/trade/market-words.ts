// How a market's movement is written. Pure.

import { readFixed, showFixed } from "@clockwork/kit/whole-text";
import type { Quotation } from "@clockwork/trading/markets/contract";

/** "+805.9" */
export function changeText(quotation: Quotation, priceDecimals: number): string {
  const moved = readFixed(quotation.last, priceDecimals) - readFixed(quotation.open, priceDecimals);
  if (Number.isNaN(moved)) return "–";
  return `${moved > 0 ? "+" : ""}${showFixed(moved, priceDecimals)}`;
}

/** "+1.27%", with the typographic minus. */
export function percentText(changePercent: string): string {
  if (changePercent.startsWith("-")) return `−${changePercent.slice(1)}%`;
  return `${/[1-9]/.test(changePercent) ? "+" : ""}${changePercent}%`;
}
