// Arithmetic of drag sorting: where a dragged item would land and how the others make room. No DOM.

export interface Span {
  readonly startPx: number;
  readonly sizePx: number;
}

export function moveItem<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  if (from === to || from < 0 || from >= items.length) return items;
  const target = Math.min(Math.max(0, to), items.length - 1);
  const moved = items.toSpliced(from, 1);
  return moved.toSpliced(target, 0, items[from] as Item);
}

/** The dragged item remains within its list: pulled beyond, it would make the list ever longer to scroll. */
export function keepInside(spans: readonly Span[], from: number, offsetPx: number): number {
  const dragged = spans[from];
  const first = spans[0];
  const last = spans.at(-1);
  if (dragged === undefined || first === undefined || last === undefined) return 0;
  const leastPx = first.startPx - dragged.startPx;
  const mostPx = last.startPx + last.sizePx - dragged.startPx - dragged.sizePx;
  return Math.min(mostPx, Math.max(leastPx, offsetPx));
}

/** The place the dragged item takes once its middle has passed the middle of a neighbour. */
export function findTarget(spans: readonly Span[], from: number, offsetPx: number): number {
  const dragged = spans[from];
  if (dragged === undefined) return from;
  const middle = dragged.startPx + dragged.sizePx / 2 + offsetPx;
  let target = from;
  for (let index = 0; index < spans.length; index++) {
    const span = spans[index];
    if (span === undefined || index === from) continue;
    const other = span.startPx + span.sizePx / 2;
    if (index > from && middle >= other) target = Math.max(target, index);
    if (index < from && middle <= other) target = Math.min(target, index);
  }
  return target;
}

/** How far every item shifts while `from` hovers over `to`. The dragged one follows the pointer, not this. */
export function findShiftPx(spans: readonly Span[], from: number, to: number, index: number): number {
  const dragged = spans[from];
  if (dragged === undefined || index === from) return 0;
  const neighbour = spans[from + 1] ?? spans[from - 1];
  const gap = neighbour === undefined ? 0 : gapBetween(dragged, neighbour);
  const room = dragged.sizePx + gap;
  if (index > from && index <= to) return -room;
  if (index < from && index >= to) return room;
  return 0;
}

function gapBetween(one: Span, other: Span): number {
  const [first, second] = one.startPx < other.startPx ? [one, other] : [other, one];
  return Math.max(0, second.startPx - first.startPx - first.sizePx);
}

/** Speed of scrolling when the pointer nears an edge: 0 in the middle, up to `maxPx` a frame at the edge. */
export function edgeScrollPx(pointerPx: number, viewPx: number, marginPx = 48, maxPx = 12): number {
  if (pointerPx < marginPx) return -Math.ceil(((marginPx - pointerPx) / marginPx) * maxPx);
  const beyond = pointerPx - (viewPx - marginPx);
  return beyond > 0 ? Math.ceil(Math.min(1, beyond / marginPx) * maxPx) : 0;
}
