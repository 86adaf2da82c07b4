// Moves a dialog by its head with mouse or pen; on phones, where it is a sheet, a swipe down ends it. Writes the transform
// itself, so nothing renders during a drag.

import { DIALOG_RESERVE_PX } from "@clockwork/kit/constants";
import { type PointerEvent, type RefObject, useRef } from "react";
import { clampOffset, endsSheet, type Offset } from "../logic/dialog-place.ts";
import { classifyWidth } from "./use-device.ts";

const ORIGIN: Offset = { xPx: 0, yPx: 0 };

interface Grab {
  readonly x: number;
  readonly y: number;
  readonly from: Offset;
  readonly isSheet: boolean;
}

interface DragOptions {
  /** It remains in the middle of a desktop. */
  readonly isFixed: boolean;
  /** A swipe ends it on a phone. */
  readonly isSwiped: boolean;
}

export function useDialogDrag(box: RefObject<HTMLElement | null>, { isFixed, isSwiped }: DragOptions) {
  const offset = useRef(ORIGIN);
  const grab = useRef<Grab | undefined>(undefined);

  const move = (element: HTMLElement, wanted: Offset) => {
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

  /** The sheet follows the finger down and never up. */
  const pull = (element: HTMLElement, byPx: number) => {
    offset.current = { xPx: 0, yPx: Math.max(0, byPx) };
    element.style.transition = "none";
    element.style.translate = `0 ${offset.current.yPx}px`;
  };

  const releaseOrder = (close?: () => void) => {
    const held = grab.current;
    const element = box.current;
    grab.current = undefined;
    if (held?.isSheet !== true || element === null) return;
    const pulledPx = offset.current.yPx;
    offset.current = ORIGIN;
    element.style.transition = "";
    element.style.translate = "";
    if (endsSheet(pulledPx, element.offsetHeight)) close?.();
  };

  return {
    /** What the head listens to. */
    headOf: (close: () => void) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        const isSheet = classifyWidth(window.innerWidth) === "mobile";
        const isFree = isSheet ? isSwiped : !isFixed && event.pointerType !== "touch";
        if (!isFree || event.button !== 0) return;
        if (event.target instanceof Element && event.target.closest("button,a,input,select,textarea")) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        grab.current = { x: event.clientX, y: event.clientY, from: offset.current, isSheet };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const held = grab.current;
        if (held === undefined || box.current === null) return;
        const [byX, byY] = [event.clientX - held.x, event.clientY - held.y];
        if (held.isSheet) pull(box.current, byY);
        else move(box.current, { xPx: held.from.xPx + byX, yPx: held.from.yPx + byY });
      },
      onPointerUp: () => releaseOrder(close),
      onPointerCancel: () => releaseOrder(),
    }),
    /** Back to its place, for the next time it opens. */
    reset: () => {
      offset.current = ORIGIN;
    },
  };
}
