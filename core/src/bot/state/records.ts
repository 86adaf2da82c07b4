// Owns the records of grid bots: terms and figures of each, its cells, and the prices at which it must be looked at. Holds
// no rule.
import type { Double, Word } from "../../memory/record.ts";
import { Records } from "../../memory/records.ts";
import { Table } from "../../memory/table.ts";
import { REBALANCER_WORDS } from "./rebalancers.ts";

export const BO_ACCOUNT_MARKET: Word<"bot"> = 3;
export const BO_KIND: Word<"bot"> = 4;
/** Place among the reasons, +1 so that 0 means none. */
export const BO_REASON: Word<"bot"> = 9;
/** Where the first price was: 0 not known, 1 below the trigger, 2 not below. */
export const BO_TRIGGER_SIDE: Word<"bot"> = 10;
/** Prices in ticks, 0 for none. */
export const BO_TRIGGER: Word<"bot"> = 11;
export const BO_STOP_ABOVE: Word<"bot"> = 12;
export const BO_STOP_BELOW: Word<"bot"> = 13;
export const BO_TRAIL_UP: Word<"bot"> = 14;
export const BO_TRAIL_DOWN: Word<"bot"> = 15;
export const BO_TRAIL_OVER: Word<"bot"> = 16;
/** Coins stay coins when it ends by itself. */
export const BO_KEEPS: Word<"bot"> = 17;
export const BO_LEVERAGE: Word<"bot"> = 18;
/** Where the money came from and goes back to. */
export const BO_SOURCE: Word<"bot"> = 19;
/** Prices it is looked at, and its places in the two heaps. */
export const BO_LOOKS: Word<"bot"> = 20;
export const BO_PLACES: Word<"bot"> = 22;
export const BO_DEADLINE: Word<"bot"> = 24;
/** All that a fill reads and writes lies in 64 bytes: a sweep goes through the bots of a price, each of them out of the cache. */
export const BOF_LOTS: Double<"bot"> = 16;
export const BOF_PAIRS: Double<"bot"> = 17;
export const BOF_PROFIT: Double<"bot"> = 18;
export const BOF_FEES: Double<"bot"> = 19;
/** How many cells it has, and the record of the lowest; one more record holds the highest line. */
export const BO_CELLS: Word<"bot"> = 40;
export const BO_FIRST: Word<"bot"> = 41;
export const BO_STATUS: Word<"bot"> = 42;
/** Its lowest and its highest line, as the cells have them. */
export const BO_BOTTOM: Word<"bot"> = 43;
export const BO_TOP: Word<"bot"> = 44;
export const BO_MARKET: Word<"bot"> = 45;
/** The bot's own book. */
export const BO_ACCOUNT: Word<"bot"> = 46;
export const BO_SPACING: Word<"bot"> = 47;
/** Of an infinity grid: its lowest line and the price it was made at, cells between them, number of the lowest line now. */
export const BO_LATTICE_LOW: Word<"bot"> = 25;
export const BO_LATTICE_HIGH: Word<"bot"> = 26;
export const BO_LATTICE_CELLS: Word<"bot"> = 27;
export const BO_LATTICE_INDEX: Word<"bot"> = 28;
/** A trailing exit: how far back of the best price, and that price; 0 for none. */
export const BO_EXIT: Word<"bot"> = 29;
export const BO_BEST: Word<"bot"> = 30;
/** Milliseconds until orders that were not taken are sent again: longer each time, 0 while none is missing. */
export const BO_RETRY: Word<"bot"> = 31;
export const BOF_BASE_LOTS: Double<"bot"> = 24;
/** What was put in: quote units, and coins at the price of the start; margin added and taken out counts. */
export const BOF_INVESTED: Double<"bot"> = 25;
export const BOF_TAKEN: Double<"bot"> = 26;
export const BOF_ENDS: Double<"bot"> = 27;
export const BOF_DEADLINE_AT: Double<"bot"> = 28;
/** When they are sent again, 0 for never. */
export const BOF_RETRY_AT: Double<"bot"> = 29;
/** Of the null record: how many bots wait for a price. */
export const BO_WATCHED: Word<"bot"> = 1;

/** A cell: its lower line, the order's slot with two flags above it, its generation, the second its earlier order was filled. */
export const CE_LOW: Word<"botCell"> = 0;
export const CE_ORDER: Word<"botCell"> = 1;
export const CE_GENERATION: Word<"botCell"> = 2;
export const CE_HALF_SECOND: Word<"botCell"> = 3;
export const CEF_FILLED: Double<"botCell"> = 2;
export const CEF_FLOW: Double<"botCell"> = 3;
export const CE_SELLS = 0x40000000;
export const CE_HALF = 0x20000000;
/** Its order was refused, or ended where it met another of the owner's: it is sent again. One withdrawn by hand is not. */
export const CE_MISSING = 0x10000000;
export const CE_SLOT = 0xffffff;

const HEAP_WORDS = 2;
/** Runs of cells are a multiple of this long. */
const RUN_CELLS = 8;
const RUN_CLASSES = 32;

/** Subjects of a follow-up that are no line: look at the price it has as its value. */
export const LOOK = 0;
/** Values of a look that are no price: at what time it is, at a liquidation, at the end of its market. */
export const LOOK_CLOCK = 0;
export const LOOK_LIQUIDATED = -1;
export const LOOK_DELISTED = -2;
/** Value of a cell's follow-up: it is sent again, and another refusal is not told. */
export const AGAIN = 1;

const FRESH_NUMBERS = 3;

/** Bot, subject and value of follow-ups, in an array that is used again: a sweep notes thousands. */
export class FreshList {
  #numbers = new Float64Array(FRESH_NUMBERS * 64);
  length = 0;

  push(bot: number, subject: number, value: number): void {
    const at = this.length * FRESH_NUMBERS;
    if (at === this.#numbers.length) {
      const more = new Float64Array(at * 2);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    this.#numbers[at] = bot;
    this.#numbers[at + 1] = subject;
    this.#numbers[at + 2] = value;
    this.length++;
  }

  /** Which of the three numbers of an entry: 0 bot, 1 subject, 2 value. */
  at(entry: number, which: number): number {
    return this.#numbers[entry * FRESH_NUMBERS + which] as number;
  }

  clear(): void {
    this.length = 0;
  }
}

export class Bots {
  readonly bots = new Records<"bot">("bots", 64);
  readonly cells = new Records<"botCell">("bot-cells", 8);
  /** Free runs of cells: word n heads the chain of those of n × 8 cells. */
  readonly runs = new Table("bot-runs", RUN_CLASSES, 2);
  readonly rebalancers = new Records<"rebalancer">("rebalancers", REBALANCER_WORDS);
  readonly #heaps: Table[][] = [];

  /** What is to be done for bots in this command. Scratch, as all that follows. */
  readonly fresh = new FreshList();
  /** Set while a bot sends an order; by hand nobody may trade in its book. */
  isPlacing = false;
  /** Set while it trades outside of its cells: start, trail, end. Their fees add up here. */
  isOutside = false;
  outsideFees = 0;

  open(market: number): void {
    this.#heaps[market] = [new Table(`bots-${market}-0`, HEAP_WORDS, 8), new Table(`bots-${market}-1`, HEAP_WORDS, 8)];
  }

  close(): void {
    this.#heaps.length = 0;
    this.fresh.clear();
  }

  /** 0: prices above, the lowest first; 1: prices below, the highest first. */
  heap(market: number, side: number): Table {
    return (this.#heaps[market] as Table[])[side] as Table;
  }

  tables(): readonly Table[] {
    return [this.bots.table, this.cells.table, this.runs, this.rebalancers.table];
  }

  marketTables(market: number): readonly Table[] {
    return this.#heaps[market] ?? [];
  }

  /** Records for so many cells and the highest line, all zero. */
  takeRun(cells: number): number {
    const { table } = this.cells;
    const size = Math.ceil((cells + 1) / RUN_CELLS);
    const free = this.runs.i32[size] as number;
    let first = free;
    if (free !== 0) this.runs.i32[size] = table.i32[free * table.stride] as number;
    else {
      first = table.count;
      table.count += size * RUN_CELLS;
      if (table.count * table.stride > table.i32.length) table.grow(table.count);
    }
    table.i32.fill(0, first * table.stride, (first + size * RUN_CELLS) * table.stride);
    return first;
  }

  giveRun(first: number, cells: number): void {
    const { table } = this.cells;
    const size = Math.ceil((cells + 1) / RUN_CELLS);
    table.i32[first * table.stride] = this.runs.i32[size] as number;
    this.runs.i32[size] = first;
  }
}
