// Lays weights out as rectangles that fill a box, as square as they can be: the squarified treemap. Pure.

export interface Tile {
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Area {
  readonly index: number;
  readonly area: number;
}

/** The worst ratio of sides in a row of areas laid along a side. */
function worstRatio(row: readonly Area[], side: number): number {
  const sum = row.reduce((total, { area }) => total + area, 0);
  const largest = Math.max(...row.map(({ area }) => area));
  const smallest = Math.min(...row.map(({ area }) => area));
  const square = side * side;
  return Math.max((square * largest) / (sum * sum), (sum * sum) / (square * smallest));
}

/** Places a row along the shorter side of the box; answers the tiles and what is left of the box. */
function layRow(row: readonly Area[], box: Box): { readonly tiles: readonly Tile[]; readonly rest: Box } {
  const sum = row.reduce((total, { area }) => total + area, 0);
  const isWide = box.width >= box.height;
  const thickness = sum / (isWide ? box.height : box.width);
  let along = isWide ? box.y : box.x;
  const tiles = row.map(({ index, area }) => {
    const length = area / thickness;
    const tile = isWide
      ? { index, x: box.x, y: along, width: thickness, height: length }
      : { index, x: along, y: box.y, width: length, height: thickness };
    along += length;
    return tile;
  });
  const rest = isWide
    ? { ...box, x: box.x + thickness, width: Math.max(0, box.width - thickness) }
    : { ...box, y: box.y + thickness, height: Math.max(0, box.height - thickness) };
  return { tiles, rest };
}

/** Tiles in the order of their size, largest first; weights of zero and below get none. */
export function layTiles(weights: readonly number[], width: number, height: number): readonly Tile[] {
  const total = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0);
  if (total <= 0 || width <= 0 || height <= 0) return [];
  const areas = weights
    .map((weight, index) => ({ index, area: (Math.max(0, weight) / total) * width * height }))
    .filter(({ area }) => area > 0)
    .sort((left, right) => right.area - left.area || left.index - right.index);
  const tiles: Tile[] = [];
  let box: Box = { x: 0, y: 0, width, height };
  let row: Area[] = [];
  for (const area of areas) {
    const side = Math.min(box.width, box.height);
    if (row.length > 0 && worstRatio([...row, area], side) > worstRatio(row, side)) {
      const laid = layRow(row, box);
      tiles.push(...laid.tiles);
      box = laid.rest;
      row = [];
    }
    row.push(area);
  }
  if (row.length > 0) tiles.push(...layRow(row, box).tiles);
  return tiles;
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
