// Reordering by pointer and by keys. During a drag, positions are written straight to the elements; React is updated
// once, when the item is dropped.

import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { findShiftPx, findTarget, keepInside, moveItem, type Span } from "../logic/drag-order.ts";
import { type EdgeScroll, startEdgeScroll } from "./edge-scroll.ts";

export interface DragSortOptions<Item> {
  readonly items: readonly Item[];
  readonly itemKey: (item: Item) => string;
  readonly onReorder: (items: readonly Item[]) => void;
  readonly axis: "x" | "y";
  readonly announce: (item: Item, place: number) => void;
}

type ListRef = RefObject<HTMLUListElement | null>;

interface Drag {
  readonly from: number;
  readonly spans: readonly Span[];
  readonly startPx: number;
  readonly edges: EdgeScroll | undefined;
  pointPx: number;
  to: number;
}

function elementsOf(list: ListRef): readonly HTMLElement[] {
  return [...(list.current?.children ?? [])] as HTMLElement[];
}

function spansOf(list: ListRef, axis: "x" | "y"): readonly Span[] {
  return elementsOf(list).map((element) => {
    const box = element.getBoundingClientRect();
    return axis === "y" ? { startPx: box.top, sizePx: box.height } : { startPx: box.left, sizePx: box.width };
  });
}

function usePointerSort<Item>(list: ListRef, options: DragSortOptions<Item>) {
  const { items, itemKey, onReorder, axis, announce } = options;
  const drag = useRef<Drag | undefined>(undefined);
  const [heldKey, setHeldKey] = useState<string | undefined>(undefined);
  const along = (event: PointerEvent) => (axis === "y" ? event.clientY : event.clientX);

  const place = (now: Drag) => {
    const draggedPx = now.pointPx - now.startPx + (now.edges?.scrolledPx() ?? 0);
    const offsetPx = keepInside(now.spans, now.from, draggedPx);
    now.to = findTarget(now.spans, now.from, offsetPx);
    elementsOf(list).forEach((element, index) => {
      const px = index === now.from ? offsetPx : findShiftPx(now.spans, now.from, now.to, index);
      element.style.translate = axis === "y" ? `0 ${px}px` : `${px}px 0`;
    });
  };
  // A list that goes while something is dragged takes its frames along.
  useEffect(() => () => drag.current?.edges?.stop(), []);
  const finish = (keep: boolean) => {
    const now = drag.current;
    drag.current = undefined;
    now?.edges?.stop();
    setHeldKey(undefined);
    for (const element of elementsOf(list)) element.style.translate = "";
    if (!now || !keep || now.to === now.from) return;
    onReorder(moveItem(items, now.from, now.to));
    const item = items[now.from];
    if (item !== undefined) announce(item, now.to + 1);
  };
  const handle = (index: number, item: Item) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const startPx = along(event);
      const edges =
        list.current === null
          ? undefined
          : startEdgeScroll(list.current, axis, () => drag.current && place(drag.current));
      drag.current = { from: index, to: index, spans: spansOf(list, axis), startPx, pointPx: startPx, edges };
      setHeldKey(itemKey(item));
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const now = drag.current;
      if (now === undefined) return;
      now.pointPx = along(event);
      now.edges?.point(now.pointPx);
      place(now);
    },
    onPointerUp: () => finish(true),
    onPointerCancel: () => finish(false),
  });
  return { heldKey, handle };
}

function useKeySort<Item>(list: ListRef, options: DragSortOptions<Item>) {
  const { items, itemKey, onReorder, axis, announce } = options;
  const refocus = useRef<string | undefined>(undefined);
  const [lifted, setLifted] = useState<{ readonly key: string; readonly order: readonly Item[] } | undefined>(
    undefined,
  );

  // Moving a focused element in the page drops its focus; the handle gets it back before anyone notices.
  useLayoutEffect(() => {
    const key = refocus.current;
    refocus.current = undefined;
    if (key === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-sort-key="${CSS.escape(key)}"]`)?.focus();
  });

  const shift = (index: number, move: number) => {
    const to = Math.min(items.length - 1, Math.max(0, index + move));
    const item = items[index];
    if (item === undefined || to === index) return;
    refocus.current = itemKey(item);
    onReorder(moveItem(items, index, to));
    announce(item, to + 1);
  };
  const handle = (index: number, item: Item) => ({
    onKeyDown: (event: KeyboardEvent) => {
      const held = lifted?.key === itemKey(item) ? lifted : undefined;
      if (event.key === " " || event.key === "Enter")
        setLifted(held ? undefined : { key: itemKey(item), order: items });
      else if (held && event.key === "Escape") {
        refocus.current = held.key;
        onReorder(held.order);
        setLifted(undefined);
      } else if (held && event.key === (axis === "y" ? "ArrowUp" : "ArrowLeft")) shift(index, -1);
      else if (held && event.key === (axis === "y" ? "ArrowDown" : "ArrowRight")) shift(index, 1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    onBlur: () => {
      if (refocus.current === undefined) setLifted(undefined);
    },
  });
  return { liftedKey: lifted?.key, handle };
}

export function useDragSort<Item>(options: DragSortOptions<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const pointer = usePointerSort(list, options);
  const keys = useKeySort(list, options);
  return {
    list,
    liftedKey: pointer.heldKey ?? keys.liftedKey,
    isDragging: pointer.heldKey !== undefined,
    handle: (index: number, item: Item) => ({ ...pointer.handle(index, item), ...keys.handle(index, item) }),
  };
}
