// Owns the order record: one 64-byte line for everything an ordinary order needs, and a second record ("extra")
// only for orders that are more than that. Knows nothing of money.
import { Table } from "../memory/table.ts";

export const ORDER_WORDS = 16;
export const ORDER_SHIFT = 4;
export const ORDER_DOUBLE_SHIFT = 3;
/** Queue links; a free record chains through O_NEXT. */
export const O_NEXT = 0;
export const O_PREV = 1;
export const O_PRICE = 2;
/** Index of the level in the pool, so that a cancel needs no price search. */
export const O_LEVEL = 3;
export const O_ACCOUNT_MARKET = 4;
/** Low 16 bits as in the events' flag word plus the state bits below; market number in the high 16. */
export const O_FLAGS = 5;
export const O_GENERATION = 6;
export const O_EXTRA = 7;
/** Visible lots still open; of a conditional order its whole quantity. */
export const OF_LOTS = 4;
export const OF_FILLED = 5;
/** The sequence that gave it its place in the queue. */
export const OF_SEQUENCE = 6;
/** Place in the account market's open orders. */
export const O_OPEN_PLACE = 14;
/** Self-trade group. */
export const O_GROUP = 15;

export const FLAG_SELL = 1;
export const FLAG_MARKET = 1 << 1;
export const TIF_SHIFT = 2;
export const POST_ONLY_SHIFT = 4;
export const STP_SHIFT = 6;
export const FLAG_REDUCE_ONLY = 1 << 9;
export const FLAG_ICEBERG = 1 << 10;
export const FLAG_IN_QUOTE = 1 << 11;
export const FLAG_CONDITIONAL = 1 << 12;
/** Not an order but a slot that lends its id: a list, a slicer or a dead-man's switch; see X_ROLE. */
export const FLAG_ROLE = 1 << 13;
export const FLAG_RESTING = 1 << 14;
export const FLAG_LIVE = 1 << 15;
/** What events show of the flags. */
export const EVENT_FLAGS = 0x1fff;

export const TIF_GTC = 0;
export const TIF_IOC = 1;
export const TIF_FOK = 2;
export const TIF_GTD = 3;

export const STP_EXPIRE_TAKER = 0;
export const STP_EXPIRE_MAKER = 1;
export const STP_EXPIRE_BOTH = 2;
export const STP_DECREMENT = 3;
export const STP_NONE = 4;

export const EXTRA_WORDS = 32;
export const EXTRA_SHIFT = 5;
export const EXTRA_DOUBLES = 16;
export const EXTRA_DOUBLE_SHIFT = 4;
/** Perpetuals: the position an order belongs to (split layout, take-profit, stop-loss). */
export const X_POSITION = 1;
/** Slot of the order list it belongs to, and which leg it is. */
export const X_LIST = 2;
export const X_LEG = 3;
/** Place in the timer heap, 0 for none. */
export const X_TIMER = 4;
/** Conditional: type, source, direction, trigger, callback, best price seen, price before the trigger moved. */
export const X_CONDITIONAL = 5;
export const X_SOURCE = 6;
export const X_DIRECTION = 7;
export const X_TRIGGER = 8;
export const X_CALLBACK = 9;
export const X_PEAK = 10;
export const X_ROLE = 11;
/** List: entry, profit and stop slots. Slicer: intervals left and slice number. */
export const X_ENTRY = 12;
export const X_PROFIT = 13;
export const X_STOP = 14;
export const X_STOP_PRICE = 15;
export const X_SLIPPAGE = 16;
export const X_PROFIT_PRICE = 17;
export const X_INTERVALS = 18;
export const X_INTERVAL_MS = 19;
export const X_SLICE = 20;
export const X_MARKET = 21;
/** Perpetual plans: the other of a pair, what firing means, and the position's generation. */
export const X_PAIR = 12;
export const X_STOP_KIND = 13;
export const X_POSITION_GENERATION = 18;
/**
 * Doubles. Of a follower's stop: the command with which the leader set the one it mirrors. Of a stop that was moved in any
 * other book: the command it was first set with, by which mirrors know it.
 */
export const XF_MIRRORS = 10;
/** Hidden lots and slice of an iceberg. */
export const XF_HIDDEN = 11;
export const XF_SLICE = 12;
/** When a timer fires. */
export const XF_TIME = 13;
/** Units held beyond what price and lots explain: fee reserve, stop leg's surplus, quote budget. */
export const XF_HELD = 14;
/** List: lots its exits may still be armed for, in units received. Slicer: lots left. */
export const XF_LEFT = 15;

export const ROLE_LIST = 1;
export const ROLE_TWAP = 2;
export const ROLE_DEAD_MAN = 3;

export const GENERATION_MAX = 0x1fffffff;

export class Orders {
  readonly table: Table;
  readonly extras: Table;

  constructor(capacity: number) {
    this.table = new Table("orders", ORDER_WORDS, capacity);
    this.extras = new Table("extras", EXTRA_WORDS, 64);
  }

  /** A live slot whose id was never used before. */
  take(): number {
    const table = this.table;
    const free = table.freeHead;
    if (free === 0) return table.take();
    table.freeHead = table.i32[free << ORDER_SHIFT] as number;
    return free;
  }

  /** Ends a slot's life: its id is dead for good. A slot whose generations are used up is never reused. */
  give(slot: number): void {
    const words = this.table.i32;
    const base = slot << ORDER_SHIFT;
    const extra = words[base | O_EXTRA] as number;
    if (extra !== 0) {
      this.giveExtra(extra);
      words[base | O_EXTRA] = 0;
    }
    words[base | O_FLAGS] = 0;
    const generation = (words[base | O_GENERATION] as number) + 1;
    words[base | O_GENERATION] = generation;
    if (generation > GENERATION_MAX) return;
    words[base] = this.table.freeHead;
    this.table.freeHead = slot;
  }

  /** The order's extra record, made when it has none. */
  extra(slot: number): number {
    const base = slot << ORDER_SHIFT;
    const present = this.table.i32[base | O_EXTRA] as number;
    if (present !== 0) return present;
    const record = this.extras.take();
    this.extras.i32.fill(0, record << EXTRA_SHIFT, (record + 1) * EXTRA_WORDS);
    this.table.i32[base | O_EXTRA] = record;
    return record;
  }

  giveExtra(record: number): void {
    this.extras.i32.fill(0, record << EXTRA_SHIFT, (record + 1) * EXTRA_WORDS);
    this.extras.give(record);
  }

  /** The public id: slot below, generation above. */
  id(slot: number): number {
    return slot + (this.table.i32[(slot << ORDER_SHIFT) | O_GENERATION] as number) * 0x1000000;
  }
}
