// Which rows of a long list are visible. Pure arithmetic on equal row heights; never measures anything.

export interface ViewWindow {
  readonly count: number;
  readonly rowPx: number;
  readonly viewPx: number;
  readonly scrollPx: number;
  /** Rows kept beyond each edge so that a fast scroll does not show holes. */
  readonly spare?: number | undefined;
}

export interface RowRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly beforePx: number;
  readonly afterPx: number;
}

const SPARE_ROWS = 6;

export function findRange(view: ViewWindow): RowRange {
  const { count, rowPx, viewPx } = view;
  if (count <= 0 || rowPx <= 0) return { start: 0, end: 0, beforePx: 0, afterPx: 0 };
  const spare = view.spare ?? SPARE_ROWS;
  const scrollMax = Math.max(0, count * rowPx - viewPx);
  const scrollPx = Math.min(Math.max(0, view.scrollPx), scrollMax);
  const start = Math.max(0, Math.floor(scrollPx / rowPx) - spare);
  const end = Math.min(count, Math.ceil((scrollPx + viewPx) / rowPx) + spare);
  return { start, end, beforePx: start * rowPx, afterPx: (count - end) * rowPx };
}

/** The smallest scroll that shows the row whole; unchanged when it already is. */
export function scrollToRow(view: ViewWindow, index: number): number {
  const topPx = index * view.rowPx;
  const bottomPx = topPx + view.rowPx;
  if (topPx < view.scrollPx) return topPx;
  if (bottomPx > view.scrollPx + view.viewPx) return bottomPx - view.viewPx;
  return view.scrollPx;
}
