// Owns the order in which a moving mark reaches positions: per market a heap of longs (highest price first) and one of
// shorts (lowest first). A key may be too early, never too late: whoever comes up is looked at exactly and put back.
// Only finds; what follows is not its business.
import type { Core } from "../machine/core.ts";
import type { Table } from "../memory/table.ts";
import { type Perps, PO_KEY, PO_PLACE, POF_LOTS } from "./state.ts";

/** Entry n of a heap is record n: word 0 the position. Keys live in the position. */
const STRIDE = 2;

function isBefore(perps: Perps, side: number, a: number, b: number): boolean {
  const keyA = perps.position(a, PO_KEY);
  const keyB = perps.position(b, PO_KEY);
  if (keyA === keyB) return a < b;
  return side === 0 ? keyA > keyB : keyA < keyB;
}

function put(perps: Perps, heap: Table, at: number, position: number): void {
  heap.i32[at * STRIDE] = position;
  perps.setPosition(position, PO_PLACE, at);
}

function rise(perps: Perps, heap: Table, side: number, from: number): void {
  let at = from;
  const position = heap.i32[at * STRIDE] as number;
  while (at > 1) {
    const above = heap.i32[(at >> 1) * STRIDE] as number;
    if (!isBefore(perps, side, position, above)) break;
    put(perps, heap, at, above);
    at >>= 1;
  }
  put(perps, heap, at, position);
}

function sink(perps: Perps, heap: Table, side: number, from: number): void {
  let at = from;
  const position = heap.i32[at * STRIDE] as number;
  for (;;) {
    let child = at * 2;
    if (child >= heap.count) break;
    const words = heap.i32;
    if (
      child + 1 < heap.count &&
      isBefore(perps, side, words[(child + 1) * STRIDE] as number, words[child * STRIDE] as number)
    )
      child++;
    const below = words[child * STRIDE] as number;
    if (!isBefore(perps, side, below, position)) break;
    put(perps, heap, at, below);
    at = child;
  }
  put(perps, heap, at, position);
}

/** 0 for a long, 1 for a short. */
function sideOf(perps: Perps, position: number): number {
  return perps.positionDouble(position, POF_LOTS) > 0 ? 0 : 1;
}

/** Watches a position at a price; 0 means no price can hurt it. */
export function watch(core: Core, position: number, ticks: number): void {
  const { perps } = core;
  unwatch(core, position);
  if (ticks <= 0) return;
  const market = perps.marketOf(position);
  const side = sideOf(perps, position);
  const heap = perps.heap(market, side);
  perps.setPosition(position, PO_KEY, ticks);
  const at = heap.take();
  put(perps, heap, at, position);
  rise(perps, heap, side, at);
}

/** Stops watching; a position that is flat or turned is found in either heap. */
export function unwatch(core: Core, position: number): void {
  const { perps } = core;
  const at = perps.position(position, PO_PLACE);
  if (at === 0) return;
  const market = perps.marketOf(position);
  const long = perps.heap(market, 0);
  const side = at < long.count && long.i32[at * STRIDE] === position ? 0 : 1;
  const heap = perps.heap(market, side);
  perps.setPosition(position, PO_PLACE, 0);
  const last = heap.count - 1;
  const moved = heap.i32[last * STRIDE] as number;
  heap.i32[last * STRIDE] = 0;
  heap.count = last;
  if (at === last) return;
  put(perps, heap, at, moved);
  rise(perps, heap, side, at);
  sink(perps, heap, side, perps.position(moved, PO_PLACE));
}

/** The next position a mark reaches, taken out of its heap; 0 when there is none. */
export function reached(core: Core, market: number, mark: number): number {
  const { perps } = core;
  for (let side = 0; side < 2; side++) {
    const heap = perps.heap(market, side);
    if (heap.count < 2) continue;
    const position = heap.i32[STRIDE] as number;
    const key = perps.position(position, PO_KEY);
    if (side === 0 ? mark <= key : mark >= key) {
      unwatch(core, position);
      return position;
    }
  }
  return 0;
}
