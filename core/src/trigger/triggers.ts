// Owns the waiting places of conditional orders: per market and source a ladder of rising and one of falling
// triggers, and a list of trailing stops. Only finds which are due; what firing means is not its business.

import { Ladder, LEVEL_SHIFT, LevelPool } from "../book/ladder.ts";
import {
  atOrder,
  EXTRA_WORDS,
  FLAG_SELL,
  O_EXTRA,
  O_FLAGS,
  O_LEVEL,
  O_NEXT,
  O_PREV,
  type Orders,
  X_CALLBACK,
  X_CONDITIONAL,
  X_DIRECTION,
  X_PEAK,
  X_SOURCE,
  X_TRIGGER,
} from "../book/orders.ts";
import { getWord, setWord } from "../memory/record.ts";
import { Table } from "../memory/table.ts";

export const CONDITIONAL_STOP_LIMIT = 0;
export const CONDITIONAL_STOP_MARKET = 1;
export const CONDITIONAL_TRAILING = 2;
export const DIRECTION_RISES = 0;

/** Per market: lowest rising trigger by source, highest falling trigger by source, first and last trailing stop. */
const TOP_WORDS = 12;
const FALLS = 3;
const TRAIL_HEAD = 6;
const TRAIL_TAIL = 9;
const SOURCES = 3;
/** Stands in O_LEVEL of a trailing stop, which has no level. */
const TRAILING_LEVEL = -1;

export class Triggers {
  readonly orders: Orders;
  readonly pool = new LevelPool("trigger", 2);
  readonly tops = new Table("trigger-tops", TOP_WORDS, 8);
  readonly #ladders: Ladder[][] = [];
  /** Ids due now, in firing order; ids, because a slot may change hands before its turn. Empty between commands. */
  readonly due: number[] = [];
  /** Trailing stops that began to follow in the last scan. */
  readonly activated: number[] = [];
  /** Trailing stops whose best price moved in the last scan. */
  readonly moved: number[] = [];

  constructor(orders: Orders) {
    this.orders = orders;
  }

  open(market: number): void {
    while (this.tops.count <= market) this.tops.take();
    const ladders: Ladder[] = [];
    for (let i = 0; i < SOURCES * 2; i++) ladders.push(new Ladder(`trigger-${market}-${i}`, this.pool));
    this.#ladders[market] = ladders;
  }

  /** Forgets every market's ladders, before another state is loaded. */
  close(): void {
    this.#ladders.length = 0;
  }

  tables(): readonly Table[] {
    return [this.pool.levels, this.pool.bits, this.tops];
  }

  marketTables(market: number): readonly Table[] {
    return (this.#ladders[market] ?? []).flatMap((ladder) => ladder.tables());
  }

  #ladder(market: number, side: number): Ladder {
    return (this.#ladders[market] as Ladder[])[side] as Ladder;
  }

  #extra(slot: number, word: number): number {
    return this.orders.extras.i32[this.#extraAt(slot) + word] as number;
  }

  #extraAt(slot: number): number {
    return getWord(this.orders.table.i32, atOrder(slot), O_EXTRA) * EXTRA_WORDS;
  }

  add(market: number, slot: number): void {
    if (this.#extra(slot, X_CONDITIONAL) === CONDITIONAL_TRAILING) this.#addTrailing(market, slot);
    else this.#addFixed(market, slot);
  }

  #addFixed(market: number, slot: number): void {
    const source = this.#extra(slot, X_SOURCE);
    const falls = this.#extra(slot, X_DIRECTION) !== DIRECTION_RISES;
    const side = falls ? FALLS + source : source;
    const price = this.#extra(slot, X_TRIGGER);
    const ladder = this.#ladder(market, side);
    const level = ladder.reserve(price);
    const levels = this.pool.levels.i32;
    const words = this.orders.table.i32;
    const tail = levels[(level << LEVEL_SHIFT) + 1] as number;
    setWord(words, atOrder(slot), O_LEVEL, level);
    setWord(words, atOrder(slot), O_NEXT, 0);
    setWord(words, atOrder(slot), O_PREV, tail);
    levels[(level << LEVEL_SHIFT) + 1] = slot;
    if (tail !== 0) {
      setWord(words, atOrder(tail), O_NEXT, slot);
      return;
    }
    levels[level << LEVEL_SHIFT] = slot;
    ladder.mark(level);
    const at = market * TOP_WORDS + side;
    const top = this.tops.i32[at] as number;
    if (top === 0 || (falls ? price > top : price < top)) this.tops.i32[at] = price;
  }

  #addTrailing(market: number, slot: number): void {
    const at = market * TOP_WORDS + this.#extra(slot, X_SOURCE);
    const words = this.orders.table.i32;
    const tail = this.tops.i32[at + TRAIL_TAIL] as number;
    setWord(words, atOrder(slot), O_LEVEL, TRAILING_LEVEL);
    setWord(words, atOrder(slot), O_NEXT, 0);
    setWord(words, atOrder(slot), O_PREV, tail);
    if (tail !== 0) setWord(words, atOrder(tail), O_NEXT, slot);
    else this.tops.i32[at + TRAIL_HEAD] = slot;
    this.tops.i32[at + TRAIL_TAIL] = slot;
  }

  /** Takes a conditional order out of its waiting place; one that is already due has none. */
  remove(market: number, slot: number): void {
    const words = this.orders.table.i32;
    const base = atOrder(slot);
    const level = getWord(words, base, O_LEVEL);
    if (level === 0) return;
    const next = getWord(words, base, O_NEXT);
    const prev = getWord(words, base, O_PREV);
    setWord(words, base, O_LEVEL, 0);
    if (next !== 0) setWord(words, atOrder(next), O_PREV, prev);
    if (prev !== 0) setWord(words, atOrder(prev), O_NEXT, next);
    const source = this.#extra(slot, X_SOURCE);
    if (level === TRAILING_LEVEL) {
      const at = market * TOP_WORDS + source;
      if (next === 0) this.tops.i32[at + TRAIL_TAIL] = prev;
      if (prev === 0) this.tops.i32[at + TRAIL_HEAD] = next;
      return;
    }
    const levels = this.pool.levels.i32;
    if (next === 0) levels[(level << LEVEL_SHIFT) + 1] = prev;
    if (prev === 0) levels[level << LEVEL_SHIFT] = next;
    if (next === 0 && prev === 0) this.#empty(market, slot, level, source);
  }

  #empty(market: number, slot: number, level: number, source: number): void {
    const falls = this.#extra(slot, X_DIRECTION) !== DIRECTION_RISES;
    const side = falls ? FALLS + source : source;
    const price = this.#extra(slot, X_TRIGGER);
    const ladder = this.#ladder(market, side);
    const at = market * TOP_WORDS + side;
    if (this.tops.i32[at] === price) this.tops.i32[at] = falls ? ladder.nextBelow(price) : ladder.nextAbove(price);
    ladder.clear(level, price);
  }

  /** Whether a price of a source can concern anything at all; cheap enough to ask after every trade. */
  concerns(market: number, source: number, price: number): boolean {
    const tops = this.tops.i32;
    const at = market * TOP_WORDS + source;
    const rises = tops[at] as number;
    return (rises !== 0 && rises <= price) || (tops[at + FALLS] as number) >= price || tops[at + TRAIL_HEAD] !== 0;
  }

  /** Moves everything a price makes due to `due`: nearest trigger to the old price first, then sequence. */
  collect(market: number, source: number, price: number): void {
    const tops = this.tops.i32;
    const at = market * TOP_WORDS + source;
    for (let rises = tops[at] as number; rises !== 0 && rises <= price; rises = tops[at] as number) {
      this.#collectLevel(market, source, rises);
    }
    for (let falls = tops[at + FALLS] as number; falls >= price && falls !== 0; falls = tops[at + FALLS] as number) {
      this.#collectLevel(market, FALLS + source, falls);
    }
    let slot = tops[at + TRAIL_HEAD] as number;
    while (slot !== 0) {
      const next = getWord(this.orders.table.i32, atOrder(slot), O_NEXT);
      if (this.#follow(slot, price)) {
        this.remove(market, slot);
        this.due.push(this.orders.id(slot));
      }
      slot = next;
    }
  }

  #collectLevel(market: number, side: number, price: number): void {
    const level = this.#ladder(market, side).levelAt(price);
    let slot = this.pool.levels.i32[level << LEVEL_SHIFT] as number;
    while (slot !== 0) {
      const next = getWord(this.orders.table.i32, atOrder(slot), O_NEXT);
      this.remove(market, slot);
      this.due.push(this.orders.id(slot));
      slot = next;
    }
  }

  #move(slot: number, price: number): void {
    setWord(this.orders.extras.i32, this.#extraAt(slot), X_PEAK, price);
    this.moved.push(slot);
  }

  /** Moves a trailing stop's peak or trough; true when the price has come back by the callback. */
  #follow(slot: number, price: number): boolean {
    const extras = this.orders.extras.i32;
    const at = this.#extraAt(slot);
    const sell = (getWord(this.orders.table.i32, atOrder(slot), O_FLAGS) & FLAG_SELL) !== 0;
    const peak = getWord(extras, at, X_PEAK);
    if (peak === 0) {
      const activation = getWord(extras, at, X_TRIGGER);
      if (sell ? price < activation : price > activation) return false;
      setWord(extras, at, X_PEAK, price);
      this.activated.push(slot);
      return false;
    }
    const callback = getWord(extras, at, X_CALLBACK);
    if (sell) {
      if (price > peak) this.#move(slot, price);
      return price * 10_000 <= peak * (10_000 - callback);
    }
    if (price < peak) this.#move(slot, price);
    return price * 10_000 >= peak * (10_000 + callback);
  }
}
