// Lays weights out as rectangles that fill a box, as square as they can be, and finds the way from one to the next. Pure.
import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";

export interface Tile {
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Weight {
  readonly index: number;
  readonly weight: number;
  readonly children?: readonly Weight[];
}

/** Rows as near to squares as they come; the library's own measure is the golden ratio. */
const squares = treemapSquarify.ratio(1);

/** Tiles in the order of their size, largest first; weights of zero and below get none. */
export function arrangeTiles(weights: readonly number[], width: number, height: number): readonly Tile[] {
  const children = weights.map((weight, index) => ({ index, weight })).filter(({ weight }) => weight > 0);
  if (children.length === 0 || width <= 0 || height <= 0) return [];
  const root = hierarchy<Weight>({ index: -1, weight: 0, children }, (node) => node.children)
    .sum(({ weight }) => weight)
    .sort((left, right) => (right.value ?? 0) - (left.value ?? 0) || left.data.index - right.data.index);
  return treemap<Weight>()
    .tile(squares)
    .size([width, height])(root)
    .leaves()
    .map(({ data, x0, y0, x1, y1 }) => ({ index: data.index, x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
}

export type Direction = "left" | "right" | "up" | "down";

/** The nearest tile in a direction, for moving by arrow keys; nothing at the edge. */
export function findNeighbour(tiles: readonly Tile[], from: Tile, direction: Direction): Tile | undefined {
  const middle = (tile: Tile) => ({ x: tile.x + tile.width / 2, y: tile.y + tile.height / 2 });
  const start = middle(from);
  let best: Tile | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const tile of tiles) {
    if (tile.index === from.index) continue;
    const { x, y } = middle(tile);
    const isAcross = direction === "left" || direction === "right";
    const ahead = (isAcross ? x - start.x : y - start.y) * (direction === "left" || direction === "up" ? -1 : 1);
    if (ahead <= 0.5) continue;
    const aside = Math.abs(isAcross ? y - start.y : x - start.x);
    const cost = ahead + aside * 2;
    if (cost < bestCost) {
      best = tile;
      bestCost = cost;
    }
  }
  return best;
}
