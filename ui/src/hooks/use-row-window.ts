// Follows the scrolling of an element and returns which rows are visible. Without a view height: all of them.

import { type RefObject, useEffect, useState } from "react";
import { findRange, type RowRange } from "../logic/virtual-rows.ts";

export type RowWindow = RowRange;

export interface RowWindowOptions {
  readonly count: number;
  readonly rowPx: number | undefined;
  readonly viewPx: number | undefined;
}

const ROW_PX = 48;

export function useRowWindow(scroller: RefObject<HTMLElement | null>, options: RowWindowOptions): RowWindow {
  const { count, rowPx = ROW_PX, viewPx } = options;
  const [scrollPx, setScrollPx] = useState(0);
  const isVirtual = viewPx !== undefined;
  useEffect(() => {
    const element = scroller.current;
    if (!isVirtual || element === null) return;
    let frame = 0;
    const read = () => {
      frame = 0;
      // Whole rows only: a pixel of scrolling inside one row changes nothing that is drawn.
      setScrollPx(Math.floor(element.scrollTop / rowPx) * rowPx);
    };
    const listen = () => {
      if (frame === 0) frame = requestAnimationFrame(read);
    };
    element.addEventListener("scroll", listen, { passive: true });
    return () => {
      element.removeEventListener("scroll", listen);
      cancelAnimationFrame(frame);
    };
  }, [scroller, isVirtual, rowPx]);
  if (viewPx === undefined) return { start: 0, end: count, beforePx: 0, afterPx: 0 };
  return findRange({ count, rowPx, viewPx, scrollPx });
}
