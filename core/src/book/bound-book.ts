// Owns the book's three moves with every table's view bound as a constant, for plain orders: rest, remove, match.
// Does what book.ts and match.ts do; whoever binds must bind again when a table has grown (see fast/fast-paths.ts).
import {
  type Books,
  emptyLevel,
  R_LOTS,
  R_SHOWN,
  S_DONE,
  S_KIND,
  S_MAKER,
  S_PRICE,
  SF_LOTS,
  STEP_DEPTH,
  STEP_DOUBLE_SHIFT,
  STEP_SHIFT,
  STEP_TRADE,
  T_ASK,
  T_BID,
  TOP_SHIFT,
} from "./book.ts";
import { type Ladder, LEVEL_SHIFT } from "./ladder.ts";
import { TAKER_OPEN } from "./match.ts";
import {
  FLAG_ICEBERG,
  FLAG_RESTING,
  FLAG_SELL,
  O_FLAGS,
  O_GROUP,
  O_LEVEL,
  O_NEXT,
  O_PREV,
  O_PRICE,
  OF_FILLED,
  OF_LOTS,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
  STP_NONE,
} from "./orders.ts";

/** The match met an order that is not plain: matchTaker goes on from here. */
export const HANDED_OVER = -1;

export interface BoundBook {
  /** Puts an order at the back of `level`, the level of `price`; its lots must be set. */
  rest(market: number, slot: number, price: number, level: number): void;
  /** Takes a resting order out of its queue. */
  remove(market: number, slot: number): void;
  /** As matchTaker, for lots in R_LOTS; steps are added to those there are. */
  match(market: number, sell: number, limit: number, group: number, mode: number): number;
}

export function bindBook(books: Books): BoundBook {
  const orders = books.orderWords;
  const lotsOf = books.orderDoubles;
  const levels = books.levelWords;
  const levelDoubles = books.levelDoubles;
  const tops = books.topWords;
  const ladders = books.ladders;
  const registers = books.registers;

  function rest(market: number, slot: number, price: number, level: number): void {
    const order = slot << ORDER_SHIFT;
    const levelAt = level << LEVEL_SHIFT;
    const tail = levels[levelAt + 1] as number;
    const flags = orders[order | O_FLAGS] as number;
    const lots = lotsOf[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] as number;
    orders[order | O_FLAGS] = flags | FLAG_RESTING;
    orders[order | O_PRICE] = price;
    orders[order | O_LEVEL] = level;
    orders[order | O_NEXT] = 0;
    orders[order | O_PREV] = tail;
    levels[levelAt + 1] = slot;
    if (tail !== 0) {
      orders[(tail << ORDER_SHIFT) | O_NEXT] = slot;
      levelDoubles[(level << 1) | 1] = (levelDoubles[(level << 1) | 1] as number) + lots;
      return;
    }
    levels[levelAt] = slot;
    levelDoubles[(level << 1) | 1] = lots;
    (ladders[market] as Ladder).mark(level);
    const topAt = market << TOP_SHIFT;
    if ((flags & FLAG_SELL) !== 0) {
      const ask = tops[topAt | T_ASK] as number;
      if (ask === 0 || price < ask) tops[topAt | T_ASK] = price;
    } else if (price > (tops[topAt | T_BID] as number)) tops[topAt | T_BID] = price;
  }

  function remove(market: number, slot: number): void {
    const order = slot << ORDER_SHIFT;
    const level = orders[order | O_LEVEL] as number;
    const next = orders[order | O_NEXT] as number;
    const prev = orders[order | O_PREV] as number;
    const flags = orders[order | O_FLAGS] as number;
    const levelAt = level << LEVEL_SHIFT;
    orders[order | O_FLAGS] = flags & ~FLAG_RESTING;
    // Who its neighbours are is as good as drawn by lot, and a branch would be guessed wrong: where there is none, the
    // null record stands in, which stays zero.
    const hasNext = (next | (0 - next)) >> 31;
    const hasPrev = (prev | (0 - prev)) >> 31;
    orders[(next << ORDER_SHIFT) | O_PREV] = prev;
    orders[(prev << ORDER_SHIFT) | O_NEXT] = next;
    orders[O_PREV] = 0;
    orders[O_NEXT] = 0;
    levels[levelAt + 1] = ((levels[levelAt + 1] as number) & hasNext) | (prev & ~hasNext);
    levels[levelAt] = ((levels[levelAt] as number) & hasPrev) | (next & ~hasPrev);
    levelDoubles[(level << 1) | 1] =
      (levelDoubles[(level << 1) | 1] as number) - (lotsOf[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] as number);
    if ((next | prev) === 0) emptyLevel(books, market, level, orders[order | O_PRICE] as number, flags & FLAG_SELL);
  }

  function match(market: number, sell: number, limit: number, group: number, mode: number): number {
    const topAt = (market << TOP_SHIFT) | (sell !== 0 ? T_BID : T_ASK);
    const ladder = ladders[market] as Ladder;
    let steps = books.steps;
    let stepDoubles = books.stepDoubles;
    let step = books.stepCount;
    let left = registers[R_LOTS] as number;
    let best = tops[topAt] as number;
    // Makers the match cannot simply fill: slices to show, or what must be settled before they are met.
    const special = FLAG_ICEBERG | books.pauseMask;
    while (left > 0 && best !== 0 && (sell !== 0 ? best >= limit : best <= limit)) {
      const level = ladder.levelAt(best);
      const levelAt = level << LEVEL_SHIFT;
      const shownBefore = levelDoubles[(level << 1) | 1] as number;
      let shown = shownBefore;
      let maker = levels[levelAt] as number;
      while (maker !== 0 && left > 0) {
        const order = maker << ORDER_SHIFT;
        const flags = orders[order | O_FLAGS] as number;
        if ((flags & special) !== 0 || (orders[order | O_GROUP] === group && mode !== STP_NONE)) {
          books.stepCount = step;
          levelDoubles[(level << 1) | 1] = shown;
          registers[R_SHOWN] = shownBefore;
          registers[R_LOTS] = left;
          return HANDED_OVER;
        }
        // Room for this step and the level's own.
        if ((step + 2) << STEP_SHIFT > steps.length) {
          books.growSteps();
          steps = books.steps;
          stepDoubles = books.stepDoubles;
        }
        const orderDouble = maker << ORDER_DOUBLE_SHIFT;
        const makerLots = lotsOf[orderDouble | OF_LOTS] as number;
        const lots = left < makerLots ? left : makerLots;
        const done = lots === makerLots;
        left -= lots;
        shown -= lots;
        lotsOf[orderDouble | OF_LOTS] = makerLots - lots;
        lotsOf[orderDouble | OF_FILLED] = (lotsOf[orderDouble | OF_FILLED] as number) + lots;
        const stepAt = step << STEP_SHIFT;
        steps[stepAt + S_KIND] = STEP_TRADE;
        steps[stepAt + S_MAKER] = maker;
        steps[stepAt + S_PRICE] = best;
        steps[stepAt + S_DONE] = done ? 1 : 0;
        stepDoubles[(step << STEP_DOUBLE_SHIFT) | SF_LOTS] = lots;
        step++;
        if (!done) break;
        // The maker leaves the front of the queue.
        orders[order | O_FLAGS] = flags & ~FLAG_RESTING;
        maker = orders[order | O_NEXT] as number;
        levels[levelAt] = maker;
        if (maker !== 0) orders[(maker << ORDER_SHIFT) | O_PREV] = 0;
        else levels[levelAt + 1] = 0;
      }
      levelDoubles[(level << 1) | 1] = shown;
      const stepAt = step << STEP_SHIFT;
      steps[stepAt + S_KIND] = STEP_DEPTH;
      steps[stepAt + S_MAKER] = 0;
      steps[stepAt + S_PRICE] = best;
      steps[stepAt + S_DONE] = 0;
      stepDoubles[(step << STEP_DOUBLE_SHIFT) | SF_LOTS] = shown;
      step++;
      if (maker !== 0) break;
      emptyLevel(books, market, level, best, sell !== 0 ? 0 : FLAG_SELL);
      best = tops[topAt] as number;
    }
    books.stepCount = step;
    registers[R_LOTS] = left;
    return TAKER_OPEN;
  }

  return { rest, remove, match };
}
