// Scrolls a list while an item is dragged near its edge. Finds the scrolling element itself; independent of sorting.
import { edgeScrollPx } from "../logic/drag-order.ts";

export interface EdgeScroll {
  /** How far the list has been scrolled since the drag started. */
  readonly scrolledPx: () => number;
  /** Where the pointer is now, along the axis, in the window. */
  readonly point: (pointPx: number) => void;
  readonly stop: () => void;
}

function scrolls(element: Element, axis: "x" | "y"): boolean {
  const style = getComputedStyle(element);
  const may = /auto|scroll/.test(axis === "y" ? style.overflowY : style.overflowX);
  return (
    may && (axis === "y" ? element.scrollHeight > element.clientHeight : element.scrollWidth > element.clientWidth)
  );
}

/** The nearest box around the list that scrolls along the axis; else the page. */
function findScroller(list: Element, axis: "x" | "y"): Element {
  for (let box: Element | null = list; box !== null; box = box.parentElement) {
    if (box !== document.body && box !== document.documentElement && scrolls(box, axis)) return box;
  }
  return document.scrollingElement ?? document.documentElement;
}

/** Calls back after each frame that scrolled, so that the dragged item remains under the pointer. */
export function startEdgeScroll(list: Element, axis: "x" | "y", onScroll: () => void): EdgeScroll {
  const scroller = findScroller(list, axis);
  const read = () => (axis === "y" ? scroller.scrollTop : scroller.scrollLeft);
  const startPx = read();
  let pointPx: number | undefined;

  const view = (): readonly [startPx: number, sizePx: number] => {
    if (scroller === document.scrollingElement) return [0, axis === "y" ? innerHeight : innerWidth];
    const box = scroller.getBoundingClientRect();
    return axis === "y" ? [box.top, box.height] : [box.left, box.width];
  };
  let frame = requestAnimationFrame(function step() {
    frame = requestAnimationFrame(step);
    if (pointPx === undefined) return;
    const [viewPx, sizePx] = view();
    const stepPx = edgeScrollPx(pointPx - viewPx, sizePx);
    if (stepPx === 0) return;
    const before = read();
    scroller.scrollBy(axis === "y" ? { top: stepPx, behavior: "instant" } : { left: stepPx, behavior: "instant" });
    if (read() !== before) onScroll();
  });
  return {
    scrolledPx: () => read() - startPx,
    point: (px) => {
      pointPx = px;
    },
    stop: () => cancelAnimationFrame(frame),
  };
}
