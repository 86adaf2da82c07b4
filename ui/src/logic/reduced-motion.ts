// Whether the user prefers less motion. For the browser only: read it right before a movement.

export function isMotionReduced(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
