// Owns the order in which a moving price reaches bots: per market one heap of prices above and one of prices below. Only
// finds; what follows is not its business.
import type { Core } from "../../state/core.ts";
import { BO_LOOKS, BO_MARKET, BO_PLACES, BO_WATCHED } from "../state/records.ts";

/** Entry n of a heap is record n: the bot and its key, negative below so that the smallest is always next. */
const STRIDE = 2;

function put(core: Core, market: number, side: number, at: number, bot: number, key: number): void {
  const { i32 } = core.bots.heap(market, side);
  i32[at * STRIDE] = bot;
  i32[at * STRIDE + 1] = key;
  core.bots.bots.setWord(bot, BO_PLACES + side, at);
}

/** Lets the entry at a place find its own. Ties go by number. */
function settle(core: Core, market: number, side: number, from: number): void {
  const heap = core.bots.heap(market, side);
  const { i32, count } = heap;
  const bot = i32[from * STRIDE] as number;
  const key = i32[from * STRIDE + 1] as number;
  const isBefore = (a: number, keyA: number, b: number, keyB: number): boolean =>
    keyA < keyB || (keyA === keyB && a < b);
  let at = from;
  for (let up = at >> 1; up > 0; up = at >> 1) {
    const above = i32[up * STRIDE] as number;
    const aboveKey = i32[up * STRIDE + 1] as number;
    if (!isBefore(bot, key, above, aboveKey)) break;
    put(core, market, side, at, above, aboveKey);
    at = up;
  }
  for (let child = at * 2; child < count; child = at * 2) {
    const next = child + 1;
    const isRight =
      next < count &&
      isBefore(
        i32[next * STRIDE] as number,
        i32[next * STRIDE + 1] as number,
        i32[child * STRIDE] as number,
        i32[child * STRIDE + 1] as number,
      );
    const best = isRight ? next : child;
    const below = i32[best * STRIDE] as number;
    const belowKey = i32[best * STRIDE + 1] as number;
    if (!isBefore(below, belowKey, bot, key)) break;
    put(core, market, side, at, below, belowKey);
    at = best;
  }
  put(core, market, side, at, bot, key);
}

function drop(core: Core, bot: number, side: number): void {
  const { bots } = core.bots;
  const market = bots.word(bot, BO_MARKET);
  const at = bots.word(bot, BO_PLACES + side);
  if (at === 0) return;
  const heap = core.bots.heap(market, side);
  const last = heap.count - 1;
  const moved = heap.i32[last * STRIDE] as number;
  const key = heap.i32[last * STRIDE + 1] as number;
  heap.i32[last * STRIDE] = 0;
  heap.i32[last * STRIDE + 1] = 0;
  heap.count = last;
  bots.setWord(bot, BO_PLACES + side, 0);
  bots.setWord(bot, BO_LOOKS + side, 0);
  bots.setWord(0, BO_WATCHED, bots.word(0, BO_WATCHED) - 1);
  if (at === last) return;
  put(core, market, side, at, moved, key);
  settle(core, market, side, at);
}

export function unwatchBot(core: Core, bot: number): void {
  drop(core, bot, 0);
  drop(core, bot, 1);
}

/** Watches for a price at or above `above` and at or below `below`; 0 watches not at all. */
export function watchBot(core: Core, bot: number, above: number, below: number): void {
  unwatchBot(core, bot);
  const { bots } = core.bots;
  const market = bots.word(bot, BO_MARKET);
  for (const [side, ticks] of [above, below].entries()) {
    if (ticks === 0) continue;
    const heap = core.bots.heap(market, side);
    bots.setWord(bot, BO_LOOKS + side, ticks);
    bots.setWord(0, BO_WATCHED, bots.word(0, BO_WATCHED) + 1);
    const at = heap.take();
    put(core, market, side, at, bot, side === 0 ? ticks : 0 - ticks);
    settle(core, market, side, at);
  }
}

/** The next bot a price has reached; 0 when there is none. */
export function firstReached(core: Core, market: number, ticks: number): number {
  for (let side = 0; side < 2; side++) {
    const heap = core.bots.heap(market, side);
    if (heap.count > 1 && (heap.i32[STRIDE + 1] as number) <= (side === 0 ? ticks : 0 - ticks))
      return heap.i32[STRIDE] as number;
  }
  return 0;
}
