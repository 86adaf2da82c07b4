// A list one can reorder: drag by the grip, or Space, arrows, Space; Esc puts everything back.

import { type ReactNode, useState } from "react";
import { useDragSort } from "./hooks/use-drag-sort.ts";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";

export interface DragSortProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly itemKey: (item: Item) => string;
  /** Its name, for the grip and for announcements. */
  readonly itemName: (item: Item) => string;
  readonly onReorder: (items: readonly Item[]) => void;
  readonly render: (item: Item, index: number) => ReactNode;
  readonly axis?: "x" | "y" | undefined;
  readonly className?: string | undefined;
}

export function DragSort<Item>(props: DragSortProps<Item>) {
  const { label, items, itemKey, itemName, onReorder, render, axis = "y", className } = props;
  const labels = useLabels();
  const [reply, setReply] = useState("");
  const sort = useDragSort({
    items,
    itemKey,
    onReorder,
    axis,
    announce: (item, place) => setReply(`${itemName(item)} ${labels.moved} ${place}`),
  });
  return (
    <>
      <ul ref={sort.list} aria-label={label} className={cx("flex gap-2", axis === "y" && "flex-col", className)}>
        {items.map((item, index) => {
          const key = itemKey(item);
          const isLifted = sort.liftedKey === key;
          return (
            <li
              key={key}
              className={cx(
                "flex min-h-11 items-center gap-2 rounded-control border bg-raised pr-3 pl-1",
                isLifted ? "z-1 border-accent shadow-raised" : "border-line2",
                sort.isDragging && !isLifted && "transition-[translate] duration-150 ease-tick",
              )}
            >
              <button
                type="button"
                data-sort-key={key}
                aria-label={`${labels.reorder} ${itemName(item)}`}
                aria-pressed={isLifted}
                className="flex size-8 shrink-0 cursor-grab touch-none items-center justify-center rounded-control text-faint hover:text-text active:cursor-grabbing"
                {...sort.handle(index, item)}
              >
                <Icon name="grip" />
              </button>
              <div className="min-w-0 flex-1">{render(item, index)}</div>
            </li>
          );
        })}
      </ul>
      <span role="status" className="sr-only">
        {reply}
      </span>
    </>
  );
}
