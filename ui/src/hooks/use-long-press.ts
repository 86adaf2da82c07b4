// A long press that fires while the finger is still down, and swallows the click that would follow it.

import { type MouseEvent, useRef } from "react";
import { type TouchProps, useTouch } from "./use-touch.ts";

export interface LongPressProps extends TouchProps {
  readonly onClickCapture: (event: MouseEvent) => void;
  readonly onContextMenu: (event: MouseEvent) => void;
}

export function useLongPress(action: () => void): LongPressProps {
  const fired = useRef(false);
  const touch = useTouch({
    onHold: () => {
      fired.current = true;
      action();
    },
  });
  return {
    ...touch,
    onPointerDown: (event) => {
      fired.current = false;
      touch.onPointerDown(event);
    },
    onClickCapture: (event) => {
      if (!fired.current) return;
      fired.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
    // Phones open their own menu on a long press; once ours has fired it would only interfere.
    onContextMenu: (event) => {
      if (fired.current) event.preventDefault();
    },
  };
}
