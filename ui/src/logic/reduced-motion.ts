// Whether the person asked for less motion. For the browser only: ask when something is about to move.

export function isMotionReduced(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
