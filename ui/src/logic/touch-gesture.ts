// What a pointer did: tap, long tap, hold, swipe or drag. A small machine fed with positions and times; no DOM, no timers.

export interface TouchLimits {
  readonly tapTolerancePx: number;
  readonly swipeTolerancePx: number;
  readonly holdMs: number;
  readonly longTapMs: number;
  readonly dragFrequencyMs: number;
}

export interface TouchSample {
  readonly xPx: number;
  readonly yPx: number;
  readonly timeMs: number;
}

export type SwipeDirection = "left" | "right" | "up" | "down";

export type TouchOutcome =
  | { readonly kind: "tap" }
  | { readonly kind: "long-tap" }
  | { readonly kind: "swipe"; readonly direction: SwipeDirection; readonly distancePx: number }
  | { readonly kind: "none" };

export interface TouchTrack {
  readonly start: TouchSample;
  readonly last: TouchSample;
  /** Set once the pointer has left the tap tolerance; it never becomes a tap again. */
  readonly moved: boolean;
  readonly reportedMs: number;
}

export function beginTouch(sample: TouchSample): TouchTrack {
  return { start: sample, last: sample, moved: false, reportedMs: Number.NEGATIVE_INFINITY };
}

/** Follows the pointer; `report` is true when a drag report is due under the drag frequency. */
export function followTouch(
  track: TouchTrack,
  sample: TouchSample,
  limits: TouchLimits,
): { readonly track: TouchTrack; readonly report: boolean } {
  const away = Math.hypot(sample.xPx - track.start.xPx, sample.yPx - track.start.yPx);
  const moved = track.moved || away > limits.tapTolerancePx;
  const report = moved && sample.timeMs - track.reportedMs >= limits.dragFrequencyMs;
  return { track: { ...track, last: sample, moved, reportedMs: report ? sample.timeMs : track.reportedMs }, report };
}

export function isHeld(track: TouchTrack, timeMs: number, limits: TouchLimits): boolean {
  return !track.moved && timeMs - track.start.timeMs >= limits.holdMs;
}

export function endTouch(track: TouchTrack, sample: TouchSample, limits: TouchLimits): TouchOutcome {
  const x = sample.xPx - track.start.xPx;
  const y = sample.yPx - track.start.yPx;
  const moved = track.moved || Math.hypot(x, y) > limits.tapTolerancePx;
  if (!moved) return { kind: sample.timeMs - track.start.timeMs >= limits.longTapMs ? "long-tap" : "tap" };
  const distancePx = Math.max(Math.abs(x), Math.abs(y));
  if (distancePx < limits.swipeTolerancePx) return { kind: "none" };
  const direction = Math.abs(x) >= Math.abs(y) ? (x < 0 ? "left" : "right") : y < 0 ? "up" : "down";
  return { kind: "swipe", direction, distancePx };
}
