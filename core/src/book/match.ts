// Owns matching: price, then sequence, the maker's price, and what happens when an owner would meet himself.
// Writes what it did as steps; settles nothing. Makers that are done leave their queue here and keep their slot
// until whoever settles gives it back.
import {
  type BookViews,
  emptyLevel,
  hiddenLots,
  R_BUDGET,
  R_LOTS,
  R_SEQUENCE,
  R_UNIT,
  refillIceberg,
  S_DONE,
  STEP_DEPTH,
  STEP_PREVENTED,
  STEP_REFILL,
  STEP_SHIFT,
  STEP_TRADE,
  T_ASK,
  T_BID,
  TOP_SHIFT,
} from "./book.ts";
import { type Ladder, LEVEL_SHIFT, LEVEL_WORDS } from "./ladder.ts";
import {
  FLAG_ICEBERG,
  FLAG_RESTING,
  FLAG_SELL,
  O_FLAGS,
  O_GROUP,
  O_NEXT,
  O_PREV,
  OF_FILLED,
  OF_LOTS,
  OF_SEQUENCE,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
  STP_DECREMENT,
  STP_EXPIRE_BOTH,
  STP_EXPIRE_MAKER,
  STP_EXPIRE_TAKER,
  STP_NONE,
} from "./orders.ts";

/** How a match left the taker. */
export const TAKER_OPEN = 0;
/** A prevented self-trade ends the taker's rest. */
export const TAKER_PREVENTED = 1;
/** A maker of the books' pauseMask is next: settle what was done, then match again. */
export const TAKER_PAUSED = 2;

/**
 * Matches against the other side up to `limit`. R_LOTS holds the taker's lots and is left with what is open; with
 * `inQuote` R_BUDGET does so, of quote units to spend at R_UNIT units per tick and lot, and R_LOTS means nothing.
 * R_SEQUENCE is the command's sequence, given to iceberg slices that go to the back.
 */
export function matchTaker(
  books: BookViews,
  market: number,
  sell: number,
  limit: number,
  group: number,
  mode: number,
  inQuote: boolean,
): number {
  const { owner, registers } = books;
  const orders = books.orderWords;
  const lotsOf = books.orderDoubles;
  const levels = books.levelWords;
  const levelDoubles = books.levelDoubles;
  const tops = books.topWords;
  const topAt = (market << TOP_SHIFT) | (sell !== 0 ? T_BID : T_ASK);
  const ladder = books.ladders[market] as Ladder;
  const pauseMask = owner.pauseMask;
  let left = registers[R_LOTS] as number;
  let outcome = TAKER_OPEN;
  let best = tops[topAt] as number;
  while (best !== 0 && (sell !== 0 ? best >= limit : best <= limit)) {
    const level = ladder.levelAt(best);
    const shownBefore = levelDoubles[(level << 1) | 1] as number;
    let shown = shownBefore;
    let maker = levels[level << LEVEL_SHIFT] as number;
    if (inQuote) left = Math.floor((registers[R_BUDGET] as number) / (best * (registers[R_UNIT] as number)));
    while (maker !== 0 && left > 0) {
      const base = maker << ORDER_SHIFT;
      const flags = orders[base | O_FLAGS] as number;
      if ((flags & pauseMask) !== 0 && owner.stepCount !== 0) {
        outcome = TAKER_PAUSED;
        break;
      }
      const makerDouble = maker << ORDER_DOUBLE_SHIFT;
      const makerLots = lotsOf[makerDouble | OF_LOTS] as number;
      const lots = left < makerLots ? left : makerLots;
      const own = orders[base | O_GROUP] === group && mode !== STP_NONE;
      let done = lots === makerLots ? 1 : 0;
      if (own) {
        if (mode === STP_EXPIRE_MAKER || mode === STP_EXPIRE_BOTH) done = 1;
        else if (mode === STP_EXPIRE_TAKER) done = 0;
        owner.addStep(STEP_PREVENTED, maker, best, done, lots);
        if (mode === STP_EXPIRE_TAKER) {
          outcome = TAKER_PREVENTED;
          break;
        }
      }
      if (!own || mode === STP_DECREMENT) {
        left -= lots;
        if (inQuote) {
          registers[R_BUDGET] = (registers[R_BUDGET] as number) - lots * best * (registers[R_UNIT] as number);
        }
        shown -= lots;
        lotsOf[makerDouble | OF_LOTS] = makerLots - lots;
      } else {
        shown -= makerLots;
      }
      const stepAt = owner.stepCount;
      if (!own) {
        lotsOf[makerDouble | OF_FILLED] = (lotsOf[makerDouble | OF_FILLED] as number) + lots;
        owner.addStep(STEP_TRADE, maker, best, done, lots);
      }
      if (done === 0) break;
      const slice = (flags & FLAG_ICEBERG) !== 0 && (!own || mode === STP_DECREMENT) ? refillIceberg(owner, maker) : 0;
      if (slice === 0) {
        // The maker leaves the front of the queue.
        orders[base | O_FLAGS] = flags & ~FLAG_RESTING;
        maker = orders[base | O_NEXT] as number;
        levels[level << LEVEL_SHIFT] = maker;
        if (maker !== 0) orders[(maker << ORDER_SHIFT) | O_PREV] = 0;
        else levels[(level << LEVEL_SHIFT) + 1] = 0;
      } else {
        // Not done after all: the hidden part lives on.
        owner.steps[((own ? stepAt - 1 : stepAt) << STEP_SHIFT) + S_DONE] = 0;
        showSlice(books, level, maker, slice);
        shown += slice;
        owner.addStep(STEP_REFILL, maker, best, 0, slice);
        maker = levels[level << LEVEL_SHIFT] as number;
      }
      if (own && mode === STP_EXPIRE_BOTH) {
        outcome = TAKER_PREVENTED;
        break;
      }
    }
    if (shown !== shownBefore) {
      levelDoubles[(level << 1) | 1] = shown;
      owner.addStep(STEP_DEPTH, 0, best, 0, shown);
    }
    if (maker !== 0 || outcome !== TAKER_OPEN) {
      if (levels[level << LEVEL_SHIFT] === 0) emptyLevel(books, market, level, best, sell !== 0 ? 0 : FLAG_SELL);
      break;
    }
    emptyLevel(books, market, level, best, sell !== 0 ? 0 : FLAG_SELL);
    if (left === 0 && !inQuote) break;
    best = tops[topAt] as number;
  }
  registers[R_LOTS] = left;
  return outcome;
}

/** Moves an iceberg at the front of its queue to the back with a fresh slice. */
function showSlice(books: BookViews, level: number, maker: number, slice: number): void {
  const orders = books.orderWords;
  const levels = books.levelWords;
  books.orderDoubles[(maker << ORDER_DOUBLE_SHIFT) | OF_LOTS] = slice;
  books.orderDoubles[(maker << ORDER_DOUBLE_SHIFT) | OF_SEQUENCE] = books.registers[R_SEQUENCE] as number;
  const at = level << LEVEL_SHIFT;
  const tail = levels[at + 1] as number;
  if (tail === maker) return;
  const base = maker << ORDER_SHIFT;
  const next = orders[base | O_NEXT] as number;
  levels[at] = next;
  orders[(next << ORDER_SHIFT) | O_PREV] = 0;
  orders[(tail << ORDER_SHIFT) | O_NEXT] = maker;
  orders[base | O_PREV] = tail;
  orders[base | O_NEXT] = 0;
  levels[at + 1] = maker;
}

/** Whether a taker of R_LOTS would be filled whole up to `limit`, his own orders in the way considered. */
export function canFillWhole(
  books: BookViews,
  market: number,
  sell: number,
  limit: number,
  group: number,
  mode: number,
): boolean {
  const orders = books.orderWords;
  const ladder = books.ladders[market] as Ladder;
  let left = books.registers[R_LOTS] as number;
  let price = books.topWords[(market << TOP_SHIFT) + (sell !== 0 ? T_BID : T_ASK)] as number;
  while (price !== 0 && (sell !== 0 ? price >= limit : price <= limit)) {
    let maker = books.levelWords[ladder.levelAt(price) * LEVEL_WORDS] as number;
    while (maker !== 0) {
      const own = orders[(maker << ORDER_SHIFT) | O_GROUP] === group && mode !== STP_NONE;
      if (own && mode !== STP_EXPIRE_MAKER) return false;
      if (!own) {
        left -= books.orderDoubles[(maker << ORDER_DOUBLE_SHIFT) | OF_LOTS] as number;
        if (((orders[(maker << ORDER_SHIFT) | O_FLAGS] as number) & FLAG_ICEBERG) !== 0)
          left -= hiddenLots(books.owner, maker);
        if (left <= 0) return true;
      }
      maker = orders[(maker << ORDER_SHIFT) | O_NEXT] as number;
    }
    price = sell !== 0 ? ladder.nextBelow(price) : ladder.nextAbove(price);
  }
  return false;
}
