// Live examples of drag sorting: a list and a row, by pointer and by keys.

import { useState } from "react";
import { CoinGlyph } from "../coin-glyph.tsx";
import { DragSort } from "../drag-sort.tsx";

const PANELS = ["Order book", "Chart", "Trades", "Order form", "Positions"] as const;

/** Drag by the grip, or focus it: Space lifts, arrows move, Space drops, Esc puts everything back. */
export function SortList() {
  const [panels, setPanels] = useState<readonly string[]>(PANELS);
  return (
    <DragSort
      label="Panels"
      items={panels}
      itemKey={(panel) => panel}
      itemName={(panel) => panel}
      onReorder={setPanels}
      render={(panel, index) => (
        <span className="flex justify-between">
          {panel}
          <span className="figures text-muted">{index + 1}</span>
        </span>
      )}
      className="w-80 max-w-full"
    />
  );
}

/** The same along a row. */
export function SortRow() {
  const [codes, setCodes] = useState<readonly string[]>(["BTC", "ETH", "SOL", "XRP"]);
  return (
    <DragSort
      label="Favourites"
      axis="x"
      items={codes}
      itemKey={(code) => code}
      itemName={(code) => code}
      onReorder={setCodes}
      render={(code) => (
        <span className="flex items-center gap-2 font-medium">
          <CoinGlyph code={code} size={20} />
          {code}
        </span>
      )}
      className="flex-wrap"
    />
  );
}
