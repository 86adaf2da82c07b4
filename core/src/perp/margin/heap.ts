// Owns the order in which a moving mark reaches positions: per market two heaps of longs (highest price first) and two of
// shorts (lowest first), one for margins that may be used up and one for warnings. A key may be too early, never too
// late: whoever comes up is looked at exactly and put back. Only finds; what follows is not its business.

import { atMarket, M_MARK } from "../../market/markets.ts";
import { getWord } from "../../memory/record.ts";
import type { Table } from "../../memory/table.ts";
import type { Core } from "../../state/core.ts";
import {
  LOOK_END,
  LOOK_WARN,
  type Perps,
  PO_KEY,
  PO_PLACE,
  PO_WARN_KEY,
  PO_WARN_PLACE,
  POF_LOTS,
} from "../state/records.ts";

/** Entry n of a heap is record n: word 0 the position, word 1 its key, which the position has too. */
const STRIDE = 2;

function isBefore(side: number, keyA: number, a: number, keyB: number, b: number): boolean {
  if (keyA === keyB) return a < b;
  return side === 0 ? keyA > keyB : keyA < keyB;
}

function placeWord(look: number): number {
  return look === LOOK_END ? PO_PLACE : PO_WARN_PLACE;
}

function put(perps: Perps, heap: Table, look: number, at: number, position: number, key: number): void {
  heap.i32[at * STRIDE] = position;
  heap.i32[at * STRIDE + 1] = key;
  perps.setPosition(position, placeWord(look), at);
}

/** Lets an entry find its place, upward first. Each entry has four below it: 4n − 2 to 4n + 1. */
function settle(perps: Perps, heap: Table, side: number, look: number, from: number): void {
  const words = heap.i32;
  const { count } = heap;
  const position = words[from * STRIDE] as number;
  const key = words[from * STRIDE + 1] as number;
  let at = from;
  while (at > 1) {
    const up = (at + 2) >> 2;
    const above = words[up * STRIDE] as number;
    const aboveKey = words[up * STRIDE + 1] as number;
    if (!isBefore(side, key, position, aboveKey, above)) break;
    put(perps, heap, look, at, above, aboveKey);
    at = up;
  }
  for (let first = at * 4 - 2; first < count; first = at * 4 - 2) {
    let best = first;
    let below = words[first * STRIDE] as number;
    let belowKey = words[first * STRIDE + 1] as number;
    const end = first + 4 < count ? first + 4 : count;
    for (let other = first + 1; other < end; other++) {
      const one = words[other * STRIDE] as number;
      const oneKey = words[other * STRIDE + 1] as number;
      if (!isBefore(side, oneKey, one, belowKey, below)) continue;
      best = other;
      below = one;
      belowKey = oneKey;
    }
    if (!isBefore(side, belowKey, below, key, position)) break;
    put(perps, heap, look, at, below, belowKey);
    at = best;
  }
  put(perps, heap, look, at, position, key);
}

/** The side of the heap a position is in; one that is flat or turned is found in either. */
function sideIn(perps: Perps, market: number, look: number, position: number, at: number): number {
  const long = perps.heap(market, 0, look);
  return at < long.count && long.i32[at * STRIDE] === position ? 0 : 1;
}

/** Whether a key may stay for a new one: it comes earlier, and not before half of the way. Saves most moves in a heap. */
function isNearEnough(core: Core, market: number, side: number, key: number, ticks: number): boolean {
  const mark = getWord(core.markets.words, atMarket(market), M_MARK);
  const now = side === 0 ? mark - key : key - mark;
  const then = side === 0 ? mark - ticks : ticks - mark;
  return now > 0 && now <= then && now * 2 >= then;
}

/** Watches a position at a price; 0 means no price can hurt it. */
export function watch(core: Core, position: number, look: number, ticks: number): void {
  const { perps } = core;
  const market = perps.marketOf(position);
  const side = perps.positionDouble(position, POF_LOTS) > 0 ? 0 : 1;
  const heap = perps.heap(market, side, look);
  let at = perps.position(position, placeWord(look));
  if (at !== 0 && (ticks <= 0 || sideIn(perps, market, look, position, at) !== side)) {
    drop(perps, market, look, position);
    at = 0;
  }
  if (at !== 0 && isNearEnough(core, market, side, heap.i32[at * STRIDE + 1] as number, ticks)) return;
  perps.setPosition(position, look === LOOK_END ? PO_KEY : PO_WARN_KEY, Math.max(0, ticks));
  if (ticks <= 0) return;
  if (at === 0) at = heap.take();
  put(perps, heap, look, at, position, ticks);
  settle(perps, heap, side, look, at);
}

function drop(perps: Perps, market: number, look: number, position: number): void {
  const at = perps.position(position, placeWord(look));
  if (at === 0) return;
  const side = sideIn(perps, market, look, position, at);
  const heap = perps.heap(market, side, look);
  perps.setPosition(position, placeWord(look), 0);
  const last = heap.count - 1;
  const moved = heap.i32[last * STRIDE] as number;
  const key = heap.i32[last * STRIDE + 1] as number;
  heap.i32[last * STRIDE] = 0;
  heap.i32[last * STRIDE + 1] = 0;
  heap.count = last;
  if (at === last) return;
  put(perps, heap, look, at, moved, key);
  settle(perps, heap, side, look, at);
}

/** Stops watching. */
export function unwatch(core: Core, position: number): void {
  const market = core.perps.marketOf(position);
  drop(core.perps, market, LOOK_END, position);
  drop(core.perps, market, LOOK_WARN, position);
}

/** The next position a mark reaches, left in its heap; 0 when there is none. */
export function firstReached(core: Core, market: number, mark: number, look: number): number {
  const { perps } = core;
  for (let side = 0; side < 2; side++) {
    const heap = perps.heap(market, side, look);
    if (heap.count < 2) continue;
    const key = heap.i32[STRIDE + 1] as number;
    if (side === 0 ? mark <= key : mark >= key) return heap.i32[STRIDE] as number;
  }
  return 0;
}

/** The same, taken out of its heap. */
export function takeReached(core: Core, market: number, mark: number, look: number): number {
  const position = firstReached(core, market, mark, look);
  if (position !== 0) drop(core.perps, market, look, position);
  return position;
}
