// Tap, long tap, hold, swipe and drag on one element, for finger and mouse alike, with the product's tolerances.

import { TOUCH } from "@clockwork/kit/constants";
import { type PointerEvent, useEffect, useRef } from "react";
import { beginTouch, endTouch, followTouch, type SwipeDirection, type TouchTrack } from "../logic/touch-gesture.ts";

export interface TouchActions {
  readonly onTap?: (() => void) | undefined;
  /** After the finger has left, when it was down long enough. */
  readonly onLongTap?: (() => void) | undefined;
  /** While the finger is still down. */
  readonly onHold?: (() => void) | undefined;
  readonly onSwipe?: ((direction: SwipeDirection, distancePx: number) => void) | undefined;
  /** At most once per drag frequency. */
  readonly onDrag?: ((xPx: number, yPx: number) => void) | undefined;
}

export interface TouchProps {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
  readonly onPointerCancel: () => void;
}

function sampleOf(event: PointerEvent) {
  return { xPx: event.clientX, yPx: event.clientY, timeMs: event.timeStamp };
}

export function useTouch(actions: TouchActions): TouchProps {
  const track = useRef<TouchTrack | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const stop = () => {
    clearTimeout(timer.current);
    track.current = undefined;
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerDown: (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      track.current = beginTouch(sampleOf(event));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        if (track.current !== undefined && !track.current.moved) actions.onHold?.();
      }, TOUCH.holdMs);
    },
    onPointerMove: (event) => {
      if (track.current === undefined) return;
      const step = followTouch(track.current, sampleOf(event), TOUCH);
      track.current = step.track;
      if (step.track.moved) clearTimeout(timer.current);
      if (step.report) actions.onDrag?.(event.clientX - step.track.start.xPx, event.clientY - step.track.start.yPx);
    },
    onPointerUp: (event) => {
      if (track.current === undefined) return;
      const outcome = endTouch(track.current, sampleOf(event), TOUCH);
      stop();
      if (outcome.kind === "tap") actions.onTap?.();
      if (outcome.kind === "long-tap") actions.onLongTap?.();
      if (outcome.kind === "swipe") actions.onSwipe?.(outcome.direction, outcome.distancePx);
    },
    onPointerCancel: stop,
  };
}
