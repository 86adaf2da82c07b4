// Showing, hiding and moving panels: only needed while arranging the terminal, so not part of the first load.
import { type ColumnIndex, type Columns, type Layout, levelShares, mapColumns, type PanelId } from "./layout-model.ts";

const HOME: Readonly<Record<PanelId, ColumnIndex>> = { book: 0, chart: 1, orders: 1, form: 2 };

export function findPanel(layout: Layout, panel: PanelId): { column: ColumnIndex; index: number } | undefined {
  for (const column of [0, 1, 2] as const) {
    const index = layout.columns[column].findIndex((placed) => placed.panel === panel);
    if (index !== -1) return { column, index };
  }
  return undefined;
}

function takeOut(columns: Columns, panel: PanelId): Columns {
  return mapColumns(columns, (stack) => levelShares(stack.filter((placed) => placed.panel !== panel)));
}

export function hidePanel(layout: Layout, panel: PanelId): Layout {
  return { ...layout, columns: takeOut(layout.columns, panel) };
}

/** Puts a panel at a place in a column, wherever it was before. */
export function movePanel(layout: Layout, panel: PanelId, column: ColumnIndex, index: number): Layout {
  const without = takeOut(layout.columns, panel);
  const columns = mapColumns(without, (stack, at) => {
    if (at !== column) return stack;
    const place = Math.max(0, Math.min(index, stack.length));
    const share = Math.round(1000 / (stack.length + 1));
    return levelShares([...stack.slice(0, place), { panel, share }, ...stack.slice(place)]);
  });
  return { ...layout, columns };
}

export function showPanel(layout: Layout, panel: PanelId): Layout {
  if (findPanel(layout, panel) !== undefined) return layout;
  const column = HOME[panel];
  return movePanel(layout, panel, column, panel === "chart" ? 0 : layout.columns[column].length);
}

export type Direction = "left" | "right" | "up" | "down";

/** One step in a direction; at the edge nothing happens. */
export function stepPanel(layout: Layout, panel: PanelId, direction: Direction): Layout {
  const at = findPanel(layout, panel);
  if (at === undefined) return layout;
  if (direction === "up" || direction === "down") {
    const index = at.index + (direction === "up" ? -1 : 1);
    if (index < 0 || index >= layout.columns[at.column].length) return layout;
    return swapIn(layout, at.column, at.index, index);
  }
  const column = at.column + (direction === "left" ? -1 : 1);
  return column < 0 || column > 2 ? layout : movePanel(layout, panel, column as ColumnIndex, at.index);
}

function swapIn(layout: Layout, column: ColumnIndex, from: number, to: number): Layout {
  const columns = mapColumns(layout.columns, (stack, at) => {
    if (at !== column) return stack;
    const swapped = [...stack];
    const [first, second] = [stack[from], stack[to]];
    if (first !== undefined && second !== undefined) {
      swapped[from] = second;
      swapped[to] = first;
    }
    return swapped;
  });
  return { ...layout, columns };
}
