// The text on own lines, and when there is none: by the available space.
import type { OwnLine } from "#trade/terminal-link.ts";

const NARROW_PX = 480;

export function labelOf({ label, shortLabel, aside = "" }: OwnLine, chartPx: number): { label: string; aside: string } {
  if (chartPx >= NARROW_PX) return { label, aside };
  // A phone has room for the figure, not for its coin.
  return { label: shortLabel ?? label, aside: aside.replace(/ .*$/, "") };
}

/** Another label covers this one's position. */
export function isCovered(y: number, besideY: number | undefined, labelPx: number): boolean {
  return besideY !== undefined && Math.abs(besideY - y) < labelPx;
}
