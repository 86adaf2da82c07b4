// The bars behind one side of the book as a single outline, a hundred units wide and a row's height per row. Pure.
import type { BookSide, SideRows } from "./book-view.ts";

export const ROW_PX = 20;
const INSET_PX = 1;

/** Bids start at the top, asks at the bottom; every bar grows from the right edge. */
export function barsPath(rows: SideRows, rowsMax: number, fullest: number, side: BookSide): string {
  let path = "";
  const count = Math.min(rows.count, rowsMax);
  for (let index = 0; index < count; index += 1) {
    const width = Math.round(((rows.sum[index] ?? 0) * 100) / fullest);
    const top = (side === "bid" ? index : rowsMax - 1 - index) * ROW_PX + INSET_PX;
    path += `M100 ${top}h-${width}v${ROW_PX - 2 * INSET_PX}h${width}z`;
  }
  return path;
}
