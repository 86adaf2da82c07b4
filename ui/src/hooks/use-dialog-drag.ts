// Moves a dialog by its head with mouse or pen. Writes the transform itself, so nothing renders during a drag.

import { DIALOG_RESERVE_PX } from "@clockwork/kit/constants";
import { type PointerEvent, type RefObject, useRef } from "react";
import { clampOffset, type Offset } from "../logic/dialog-place.ts";

const ORIGIN: Offset = { xPx: 0, yPx: 0 };

export function useDialogDrag(box: RefObject<HTMLElement | null>, isDisabled: boolean) {
  const offset = useRef(ORIGIN);
  const grab = useRef<{ readonly x: number; readonly y: number; readonly from: Offset } | undefined>(undefined);

  const move = (wanted: Offset) => {
    const element = box.current;
    if (element === null) return;
    const now = element.getBoundingClientRect();
    const resting = {
      leftPx: now.left - offset.current.xPx,
      topPx: now.top - offset.current.yPx,
      widthPx: now.width,
      heightPx: now.height,
    };
    const view = { widthPx: window.innerWidth, heightPx: window.innerHeight };
    offset.current = clampOffset(wanted, resting, view, DIALOG_RESERVE_PX);
    element.style.translate = `${offset.current.xPx}px ${offset.current.yPx}px`;
  };

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (isDisabled || event.button !== 0 || event.pointerType === "touch") return;
      if (event.target instanceof Element && event.target.closest("button,a,input,select,textarea")) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      grab.current = { x: event.clientX, y: event.clientY, from: offset.current };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const held = grab.current;
      if (held === undefined) return;
      move({ xPx: held.from.xPx + event.clientX - held.x, yPx: held.from.yPx + event.clientY - held.y });
    },
    onPointerUp: () => {
      grab.current = undefined;
    },
    onPointerCancel: () => {
      grab.current = undefined;
    },
    /** Back to the middle, for the next time it opens. */
    reset: () => {
      offset.current = ORIGIN;
    },
  };
}
