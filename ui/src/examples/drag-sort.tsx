// Live examples of drag sorting: a list and a row, by pointer and by keys.
import { useState } from "react";
import { DragSort } from "../drag-sort.tsx";

const itself = (item: string): string => item;

/** A list. Drag by the grip. By keyboard: Space lifts, arrows move, Space drops, Escape puts everything back. */
export function SortList() {
  const [panels, setPanels] = useState(["Order book", "Chart", "Trades", "Order form", "Positions"]);
  return (
    <DragSort
      label="Panels"
      items={panels}
      itemKey={itself}
      itemName={itself}
      onReorder={(next) => setPanels([...next])}
      render={(panel, index) => `${index + 1} ${panel}`}
      className="w-80 max-w-full"
    />
  );
}

const same = (code: string): string => code;

/** A row. The same along a line. */
export function SortRow() {
  const [codes, setCodes] = useState<readonly string[]>(["BTC", "ETH", "SOL", "XRP"]);
  const keys = { itemKey: same, itemName: same, render: same };
  return <DragSort label="Favourites" axis="x" items={codes} onReorder={setCodes} {...keys} className="flex-wrap" />;
}
