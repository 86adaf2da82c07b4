// Owns the order record: one 64-byte line for everything an ordinary order needs, and a second record ("extra")
// only for orders that are more than that. Knows nothing of money.
import type { Begin, Double, Word } from "../memory/record.ts";
import { Table } from "../memory/table.ts";

export const ORDER_WORDS = 16;
export const ORDER_SHIFT = 4;
export const ORDER_DOUBLE_SHIFT = 3;
export function atOrder(order: number): Begin<"order"> {
  return order << ORDER_SHIFT;
}
/** Queue links; a free record that waits to be taken chains through O_NEXT. */
export const O_NEXT: Word<"order"> = 0;
export const O_PREV: Word<"order"> = 1;
export const O_PRICE: Word<"order"> = 2;
/** Index of the level in the pool, so that a cancel needs no price search. */
export const O_LEVEL: Word<"order"> = 3;
export const O_ACCOUNT_MARKET: Word<"order"> = 4;
/** Low 16 bits as in the events' flag word plus the state bits below; market number in the high 16. */
export const O_FLAGS: Word<"order"> = 5;
export const O_GENERATION: Word<"order"> = 6;
export const O_EXTRA: Word<"order"> = 7;
/** Visible lots still open; of a conditional order its whole quantity. */
export const OF_LOTS: Double<"order"> = 4;
export const OF_FILLED: Double<"order"> = 5;
/** The sequence that gave it its place in the queue. */
export const OF_SEQUENCE: Double<"order"> = 6;
/** Place in the account market's open orders. */
export const O_OPEN_PLACE: Word<"order"> = 14;
/** Self-trade group. */
export const O_GROUP: Word<"order"> = 15;

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
export const EXTRA_DOUBLE_SHIFT = 4;
export function atExtra(extra: number): Begin<"extra"> {
  return extra << EXTRA_SHIFT;
}
/** Perpetuals: the position an order belongs to (split layout, take-profit, stop-loss). */
export const X_POSITION: Word<"extra"> = 1;
/** Slot of the order list it belongs to, and which leg it is. */
export const X_LIST: Word<"extra"> = 2;
export const X_LEG: Word<"extra"> = 3;
/** Place in the timer heap, 0 for none. */
export const X_TIMER: Word<"extra"> = 4;
/** Conditional: type, source, direction, trigger, callback, best price seen, price before the trigger moved. */
export const X_CONDITIONAL: Word<"extra"> = 5;
export const X_SOURCE: Word<"extra"> = 6;
export const X_DIRECTION: Word<"extra"> = 7;
export const X_TRIGGER: Word<"extra"> = 8;
export const X_CALLBACK: Word<"extra"> = 9;
export const X_PEAK: Word<"extra"> = 10;
export const X_ROLE: Word<"extra"> = 11;
/** List: entry, profit and stop slots. Slicer: intervals left and slice number. */
export const X_ENTRY: Word<"extra"> = 12;
export const X_PROFIT: Word<"extra"> = 13;
export const X_STOP: Word<"extra"> = 14;
export const X_STOP_PRICE: Word<"extra"> = 15;
export const X_SLIPPAGE: Word<"extra"> = 16;
export const X_PROFIT_PRICE: Word<"extra"> = 17;
export const X_INTERVALS: Word<"extra"> = 18;
export const X_INTERVAL_MS: Word<"extra"> = 19;
export const X_SLICE: Word<"extra"> = 20;
export const X_MARKET: Word<"extra"> = 21;
/** Perpetual plans: the other of a pair, what firing means, and the position's generation. */
export const X_PAIR: Word<"extra"> = 12;
export const X_STOP_KIND: Word<"extra"> = 13;
export const X_POSITION_GENERATION: Word<"extra"> = 18;
/**
 * Doubles. Of a follower's stop: the command with which the leader set the one it mirrors. Of a stop that was moved in any
 * other book: the command it was first set with, by which mirrors know it.
 */
export const XF_MIRRORS: Double<"extra"> = 10;
/** Hidden lots and slice of an iceberg. */
export const XF_HIDDEN: Double<"extra"> = 11;
export const XF_SLICE: Double<"extra"> = 12;
/** When a timer fires. */
export const XF_TIME: Double<"extra"> = 13;
/** Units held beyond what price and lots explain: fee reserve, stop leg's surplus, quote budget. */
export const XF_HELD: Double<"extra"> = 14;
/** List: lots its exits may still be armed for, in units received. Slicer: lots left. */
export const XF_LEFT: Double<"extra"> = 15;

export const ROLE_LIST = 1;
export const ROLE_TWAP = 2;
export const ROLE_DEAD_MAN = 3;

export const GENERATION_MAX = 0x1fffffff;

/** Words of the one record of `rounds`: the slot to look at next, how many this round has given out, its generation. */
const RD_NEXT = 1;
const RD_GIVEN = 2;
const RD_GENERATION = 3;
const ROUND_WORDS = 4;
/** Slots made ready together. */
const BATCH = 256;
/** No slot is used again before there are so many: a round uses up one generation of all. */
const ROUND_MIN = 1_024;
/** A round that gives out less than this part of the slots adds new ones, so that looking for free ones stays cheap. */
const GIVEN_PART = 8;
/** Slots looked at for one batch; as long a run of live orders is left for later. */
const LOOK_MAX = 4_096;

/**
 * Ids grow with time. Slots are given out from the lowest to the highest and then again from the lowest under the next
 * generation, which stands above the slot in an id. Free ones are found on the way, a batch at a time, and wait in the
 * free chain with their generation already set: whoever takes the chain's head has the next id.
 */
export class Orders {
  readonly table: Table<"order">;
  readonly extras: Table<"extra">;
  /** Empty until the first slot is taken, also after reading a state of before there were rounds. */
  readonly rounds = new Table<"round">("order-rounds", ROUND_WORDS, 2);

  constructor(capacity: number) {
    this.table = new Table("orders", ORDER_WORDS, capacity);
    this.extras = new Table("extras", EXTRA_WORDS, 64);
  }

  /** A slot whose id is higher than every one before. Its taker makes it live at once. */
  take(): number {
    const table = this.table;
    this.makeReady();
    const slot = table.freeHead;
    table.freeHead = table.i32[slot << ORDER_SHIFT] as number;
    return slot;
  }

  /** Fills the free chain where it is empty: its head is the next slot. */
  makeReady(): void {
    if (!this.hasRounds) this.#beginRounds();
    if (this.table.freeHead === 0) this.#gather();
  }

  /** Whether the free chain is one of this release: until then nobody but `take` may have its head. */
  get hasRounds(): boolean {
    return this.rounds.count > 1;
  }

  /** Before there were rounds the chain held slots as they became free: it is dropped, and a round finds them. */
  #beginRounds(): void {
    const { table, rounds } = this;
    const at = rounds.take() * ROUND_WORDS;
    let generation = 0;
    for (let slot = 1; slot < table.count; slot++) {
      generation = Math.max(generation, table.i32[(slot << ORDER_SHIFT) | O_GENERATION] as number);
    }
    table.freeHead = 0;
    rounds.i32[at + RD_NEXT] = table.count;
    rounds.i32[at + RD_GIVEN] = table.count;
    rounds.i32[at + RD_GENERATION] = Math.min(generation, GENERATION_MAX);
  }

  /** Fills the empty chain. */
  #gather(): void {
    const { table, rounds } = this;
    const at = ROUND_WORDS;
    if (rounds.i32[at + RD_NEXT] === table.count) this.#endRound();
    if (this.#findFree()) return;
    const isLongRun = (rounds.i32[at + RD_NEXT] as number) < table.count;
    this.#addNew();
    const generation = rounds.i32[at + RD_GENERATION] as number;
    // Those behind a long run of live orders are lower than the new ones: they belong to the next generation.
    if (isLongRun && generation < GENERATION_MAX) rounds.i32[at + RD_GENERATION] = generation + 1;
    else rounds.i32[at + RD_NEXT] = table.count;
  }

  /** From the lowest again, where the round was worth it. */
  #endRound(): void {
    const words = this.rounds.i32;
    const { count } = this.table;
    const generation = words[ROUND_WORDS + RD_GENERATION] as number;
    const isWorth = count > ROUND_MIN && (words[ROUND_WORDS + RD_GIVEN] as number) * GIVEN_PART >= count;
    if (!isWorth || generation >= GENERATION_MAX) return;
    words[ROUND_WORDS + RD_GENERATION] = generation + 1;
    words[ROUND_WORDS + RD_NEXT] = 1;
    words[ROUND_WORDS + RD_GIVEN] = 0;
  }

  /** Chains the next free slots of the round; false where none was met. */
  #findFree(): boolean {
    const words = this.table.i32;
    const rounds = this.rounds.i32;
    const first = rounds[ROUND_WORDS + RD_NEXT] as number;
    const end = Math.min(this.table.count, first + LOOK_MAX);
    const generation = rounds[ROUND_WORDS + RD_GENERATION] as number;
    let slot = first;
    let found = 0;
    let last = 0;
    for (; slot < end && found < BATCH; slot++) {
      const base = slot << ORDER_SHIFT;
      if (words[base | O_FLAGS] !== 0) continue;
      words[base | O_GENERATION] = generation;
      this.#chain(last, slot);
      last = slot;
      found += 1;
    }
    rounds[ROUND_WORDS + RD_NEXT] = slot;
    rounds[ROUND_WORDS + RD_GIVEN] = (rounds[ROUND_WORDS + RD_GIVEN] as number) + found;
    return found > 0;
  }

  /** A batch that was never used before, above all others. */
  #addNew(): void {
    const { table, rounds } = this;
    const generation = rounds.i32[ROUND_WORDS + RD_GENERATION] as number;
    const first = table.count;
    table.count += BATCH;
    if (table.usedWords > table.i32.length) table.grow(table.count);
    for (let slot = first; slot < table.count; slot++) {
      table.i32[(slot << ORDER_SHIFT) | O_GENERATION] = generation;
      this.#chain(slot === first ? 0 : slot - 1, slot);
    }
    rounds.i32[ROUND_WORDS + RD_GIVEN] = (rounds.i32[ROUND_WORDS + RD_GIVEN] as number) + BATCH;
  }

  /** Behind the last one, or as the chain's head. */
  #chain(last: number, slot: number): void {
    const { table } = this;
    table.i32[slot << ORDER_SHIFT] = 0;
    if (last === 0) table.freeHead = slot;
    else table.i32[last << ORDER_SHIFT] = slot;
  }

  /** Ends a slot's life: its id is dead for good, and a later round finds the slot. */
  give(slot: number): void {
    const words = this.table.i32;
    const base = slot << ORDER_SHIFT;
    const extra = words[base | O_EXTRA] as number;
    if (extra !== 0) {
      this.giveExtra(extra);
      words[base | O_EXTRA] = 0;
    }
    words[base | O_FLAGS] = 0;
    words[base | O_GENERATION] = (words[base | O_GENERATION] as number) + 1;
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

  /** The public id: slot below, generation above; higher than any before it. */
  id(slot: number): number {
    return slot + (this.table.i32[(slot << ORDER_SHIFT) | O_GENERATION] as number) * 0x1000000;
  }
}
