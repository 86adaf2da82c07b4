// Where a dragged dialog may be. Its head remains reachable: inside the view, clear of the reserve at the bottom.

export interface Offset {
  readonly xPx: number;
  readonly yPx: number;
}

export interface RestingBox {
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface View {
  readonly widthPx: number;
  readonly heightPx: number;
}

function clamp(value: number, low: number, high: number): number {
  return high < low ? low : Math.min(Math.max(value, low), high);
}

/**
 * The offset from the resting place, clamped: left and right edges remain in view, the top never leaves it, and the top
 * never sinks below the reserve, so the drag handle can always be grabbed again.
 */
export function clampOffset(wanted: Offset, box: RestingBox, view: View, reservePx: number): Offset {
  const leftMin = Math.min(0, view.widthPx - box.widthPx);
  const leftMax = Math.max(0, view.widthPx - box.widthPx);
  const left = clamp(box.leftPx + wanted.xPx, leftMin, leftMax);
  const top = clamp(box.topPx + wanted.yPx, 0, view.heightPx - reservePx);
  return { xPx: left - box.leftPx, yPx: top - box.topPx };
}

const SWIPE_PX = 96;

/** Whether a sheet pulled down this far closes: a hand's breadth, or a third of a low one. */
export function endsSheet(pulledPx: number, heightPx: number): boolean {
  return pulledPx >= Math.min(SWIPE_PX, heightPx / 3);
}
