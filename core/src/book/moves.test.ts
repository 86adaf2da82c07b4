// The book's moves beside two plain lists: who is met, in which order, for how many lots, and what stands after it. Once by
// by moves on tables that grow, once on views of tables that do not.
import { createRandom, type Random } from "@clockwork/kit/random";
import { describe, expect, it } from "vitest";
import * as book from "./book.ts";
import { LEVEL_SHIFT } from "./ladder.ts";
import { canFillWhole, matchTaker, TAKER_OPEN, TAKER_PAUSED, TAKER_PREVENTED } from "./match.ts";
import { NaiveBook, type NaiveOrder, type NaiveStep, type NaiveTaker } from "./naive-book-fixture.ts";
import * as order from "./orders.ts";

const OUTCOMES = { [TAKER_OPEN]: "open", [TAKER_PREVENTED]: "prevented", [TAKER_PAUSED]: "paused" };
const KINDS: Readonly<Record<number, NaiveStep[0]>> = {
  [book.STEP_TRADE]: "trade",
  [book.STEP_PREVENTED]: "prevented",
  [book.STEP_DEPTH]: "depth",
  [book.STEP_REFILL]: "refill",
};
const MODES = [
  order.STP_EXPIRE_TAKER,
  order.STP_EXPIRE_MAKER,
  order.STP_EXPIRE_BOTH,
  order.STP_DECREMENT,
  order.STP_NONE,
] as const;
/** The last has the first record behind the tables' first size. */
const MARKETS = [1, 2, 9] as const;
const ICEBERG = order.FLAG_ICEBERG;

/** Prices around the edge of a page, around one where the directory grows, and anywhere. */
function priceIn(market: number, random: Random): number {
  if (market === 1) return random.between(1_018, 1_030);
  if (market === 2) return random.between(32_762, 32_775);
  return random.chance(2, 3) ? random.between(60_000, 60_006) : random.between(1, 2 ** 30 - 1);
}

class ReferenceModel {
  readonly random: Random;
  readonly books: book.Books;
  readonly naive = new Map(MARKETS.map((market) => [market, new NaiveBook()]));
  /** The books as they are, or their views as they were. */
  readonly views: book.BookViews;
  sequence = 0;

  constructor(seed: number, isBound: boolean) {
    this.random = createRandom(seed);
    this.books = isBound ? new book.Books(4_096, 64) : new book.Books(1, 1);
    for (let market = 1; market <= 9; market++) this.books.open(market);
    if (isBound) {
      for (const pool of [this.books.pool.levels, this.books.pool.bits]) pool.grow(64);
    }
    this.views = isBound ? book.takeBookViews(this.books) : this.books;
  }

  list(market: number): NaiveBook {
    return this.naive.get(market as 1) as NaiveBook;
  }

  /** A new order behind those of its price. */
  rest(market: number, sell: boolean, price: number, lots: number): void {
    const { books, random } = this;
    const isIceberg = random.chance(1, 5);
    const [hidden, slice] = isIceberg ? [random.below(12), lots] : [0, 0];
    const flags = (isIceberg ? ICEBERG : 0) | (random.chance(1, 4) ? order.FLAG_REDUCE_ONLY : 0);
    const slot = books.orders.take();
    const made = { slot, sell, price, lots, filled: random.below(3), hidden, slice, group: random.below(4), flags };
    const at = slot << order.ORDER_SHIFT;
    books.orderWords[at | order.O_FLAGS] = (market << 16) | order.FLAG_LIVE | (sell ? order.FLAG_SELL : 0) | flags;
    books.orderWords[at | order.O_GROUP] = made.group;
    const double = slot << order.ORDER_DOUBLE_SHIFT;
    books.orderDoubles[double | order.OF_LOTS] = lots;
    books.orderDoubles[double | order.OF_FILLED] = made.filled;
    books.orderDoubles[double | order.OF_SEQUENCE] = this.sequence;
    if (isIceberg) {
      const extra = books.orders.extra(slot) << order.EXTRA_DOUBLE_SHIFT;
      books.orders.extras.f64[extra | order.XF_SLICE] = slice;
      book.setHiddenLots(books, slot, hidden);
    }
    const level = books.ladder(market).reserve(price);
    book.restOrder(this.views, market, slot, price, level);
    this.list(market).rest({ ...made, sequence: this.sequence });
  }

  remove(market: number, maker: NaiveOrder): void {
    book.removeOrder(this.views, market, maker.slot);
    expect(
      (this.books.orderWords[(maker.slot << order.ORDER_SHIFT) | order.O_FLAGS] as number) & order.FLAG_RESTING,
    ).toBe(0);
    this.books.orders.give(maker.slot);
    this.list(market).remove(maker);
  }

  /** Fewer lots, or fewer hidden ones, in its place. */
  shrink(maker: NaiveOrder): void {
    if (maker.hidden > 0) {
      maker.hidden = this.random.below(maker.hidden + 1);
      book.setHiddenLots(this.books, maker.slot, maker.hidden);
    }
    maker.lots = this.random.between(1, maker.lots);
    book.shrinkOrder(this.books, maker.slot, maker.lots);
  }

  /** Matches until it is no longer only paused; answers what is left. */
  match(market: number, taker: NaiveTaker, wanted: number): number {
    const { books } = this;
    const list = this.list(market);
    const { registers } = books;
    registers[book.R_LOTS] = wanted;
    expect(canFillWhole(books, market, taker.sell ? 1 : 0, taker.limit, taker.group, taker.mode)).toBe(
      list.fillsWhole(taker, wanted),
    );
    registers[book.R_SEQUENCE] = taker.sequence;
    books.pauseMask = taker.pauses;
    if (taker.unit !== 0) [registers[book.R_BUDGET], registers[book.R_UNIT]] = [wanted, taker.unit];
    const result = taker.unit === 0 ? book.R_LOTS : book.R_BUDGET;
    for (let left = wanted; ; left = registers[result] as number) {
      const met = this.list(market)
        .side(!taker.sell)
        .map(({ slot }) => slot);
      // Little room for steps, so that it is used up everywhere, and something in it.
      books.steps = new Int32Array(book.STEP_WORDS * 2).fill(-1);
      books.stepDoubles = new Float64Array(books.steps.buffer);
      books.stepCount = 0;
      const outcome = this.#matchOnce(market, taker);
      const naive = list.match(taker, left);
      expect([OUTCOMES[outcome as 0], registers[result]]).toEqual([naive.outcome, naive.left]);
      expect(this.#steps()).toEqual(list.steps);
      let room = book.STEP_WORDS * 2;
      while (room < books.stepCount * book.STEP_WORDS) room *= 2;
      expect(books.steps.length).toBe(room);
      this.#giveBack(met, list.side(!taker.sell));
      if (outcome !== TAKER_PAUSED) return outcome === TAKER_OPEN ? naive.left : 0;
    }
  }

  #matchOnce(market: number, taker: NaiveTaker): number {
    const { sell, limit, group, mode, unit } = taker;
    const side = sell ? order.FLAG_SELL : 0;
    return matchTaker(this.views, market, side, limit, group, mode, unit !== 0);
  }

  #steps(): NaiveStep[] {
    const { steps, stepDoubles, stepCount } = this.books;
    return Array.from({ length: stepCount }, (_, step) => {
      const at = step << book.STEP_SHIFT;
      const word = (field: number): number => steps[at + field] as number;
      const lots = stepDoubles[(step << book.STEP_DOUBLE_SHIFT) | book.SF_LOTS] as number;
      const kind = KINDS[word(book.S_KIND)] as NaiveStep[0];
      return [kind, word(book.S_MAKER), word(book.S_PRICE), word(book.S_DONE) as 0, lots];
    });
  }

  /** Whoever is no longer in the queue has left it for good. */
  #giveBack(met: readonly number[], queue: readonly NaiveOrder[]): void {
    const still = new Set(queue.map(({ slot }) => slot));
    for (const slot of met) {
      if (still.has(slot)) continue;
      expect((this.books.orderWords[(slot << order.ORDER_SHIFT) | order.O_FLAGS] as number) & order.FLAG_RESTING).toBe(
        0,
      );
      this.books.orders.give(slot);
    }
  }

  /** One command of anybody's; answers its market. */
  step(): number {
    const { random } = this;
    const market = random.pick(MARKETS);
    const list = this.list(market);
    this.sequence++;
    const resting = [...list.bids, ...list.asks];
    const any = resting.length === 0 ? undefined : random.pick(resting);
    const sell = random.chance(1, 2);
    const limit = priceIn(market, random);
    if (any !== undefined && random.chance(1, 5)) this.remove(market, any);
    else if (any !== undefined && random.chance(1, 8)) this.shrink(any);
    else if (list.crosses(sell, limit) || random.chance(1, 6)) {
      const isInQuote = random.chance(1, 4);
      const [unit, lots] = [isInQuote ? random.between(1, 3) : 0, random.between(1, random.pick([3, 10, 60]))];
      const cost = Math.max(1, unit * list.best(!sell));
      const taker = {
        sell,
        limit,
        unit,
        sequence: this.sequence,
        group: random.below(4),
        mode: random.pick(MODES),
        pauses: random.chance(1, 3) ? order.FLAG_REDUCE_ONLY : 0,
      };
      const left = this.match(market, taker, unit === 0 ? lots : cost * lots + random.below(cost));
      if (left > 0 && unit === 0 && !list.crosses(sell, limit)) this.rest(market, sell, limit, left);
    } else this.rest(market, sell, limit, random.between(1, 9));
    return market;
  }

  /** A market's best prices, levels and queues as the lists say. */
  check(market: number): void {
    const { books } = this;
    const list = this.list(market);
    const ladder = books.ladder(market);
    const prices: number[] = [];
    for (let at = ladder.nextAbove(0); at !== 0; at = ladder.nextAbove(at)) prices.push(at);
    const all = [...list.bids.toReversed(), ...list.asks];
    const levels = [...new Set(all.map(({ price }) => price))];
    const top = market << book.TOP_SHIFT;
    const tops = [books.topWords[top | book.T_BID], books.topWords[top | book.T_ASK]];
    const found = [tops, prices, all.map((one) => this.#found(one)), levels.map((price) => this.#level(market, price))];
    const wanted = [
      [list.best(false), list.best(true)],
      levels,
      all.map((one) => this.#wanted(market, one)),
      levels.map((price) => {
        const queue = all.filter((one) => one.price === price);
        // Of buys the youngest comes first here.
        const slots = [...(queue[0]?.sell === true ? queue : queue.toReversed())].map(({ slot }) => slot);
        return [slots[0], slots.at(-1), list.shown(queue[0]?.sell === true, price)];
      }),
    ];
    // As texts, because comparing so many lists takes long.
    expect(JSON.stringify(found)).toBe(JSON.stringify(wanted));
    expect(books.orderWords.subarray(0, order.ORDER_WORDS).some((word) => word !== 0)).toBe(false);
  }

  #level(market: number, price: number): unknown[] {
    const { levelWords, ladders } = this.books;
    const level = ladders[market]?.levelAt(price) as number;
    return [
      levelWords[level << LEVEL_SHIFT],
      levelWords[(level << LEVEL_SHIFT) + 1],
      book.levelLots(this.books, level),
    ];
  }

  /** What the records say of an order. */
  #found({ slot, flags }: NaiveOrder): unknown[] {
    const { books } = this;
    const [at, double] = [slot << order.ORDER_SHIFT, slot << order.ORDER_DOUBLE_SHIFT];
    return [
      ...[order.O_PREV, order.O_NEXT, order.O_PRICE, order.O_LEVEL, order.O_FLAGS].map(
        (word) => books.orderWords[at | word],
      ),
      ...[order.OF_LOTS, order.OF_FILLED, order.OF_SEQUENCE].map((field) => books.orderDoubles[double | field]),
      ...[book.openLots(books, slot), (flags & ICEBERG) === 0 ? 0 : book.hiddenLots(books, slot)],
    ];
  }

  #wanted(market: number, one: NaiveOrder): unknown[] {
    const { sell, price, lots, filled, sequence, hidden, flags } = one;
    const queue = this.list(market).side(sell);
    const place = queue.indexOf(one);
    const [before, after] = [queue[place - 1], queue[place + 1]].map((other) =>
      other?.price === price ? other.slot : 0,
    );
    const marks = order.FLAG_LIVE | order.FLAG_RESTING | (sell ? order.FLAG_SELL : 0);
    const level = this.books.ladder(market).levelAt(price);
    return [before, after, price, level, (market << 16) | marks | flags, lots, filled, sequence, lots + hidden, hidden];
  }
}

describe("the moves of a book", () => {
  it.each([
    [1, false],
    [2, true],
  ])("[BOOK-5] meet and leave what two plain lists say, seed %i, bound to their tables: %s", (seed, isBound) => {
    const reference = new ReferenceModel(seed, isBound);
    for (let step = 0; step < 1_200; step++) {
      reference.check(reference.step());
    }
  });

  it.each([
    [0, false],
    [0, true],
    [1_022, false],
    [1_022, true],
  ])(
    "[BOOK-2] let three of a queue leave it in any order, the first slot among them, after %i others, bound: %s",
    (others, isBound) => {
      for (const leaving of ["012", "021", "102", "120", "201", "210"]) {
        const reference = new ReferenceModel(3, isBound);
        const { orders } = reference.books;
        for (let i = 0; i < others; i++) orders.give(orders.take());
        for (let i = 0; i < 3; i++) reference.rest(1, false, 1_024, i + 1);
        const all = [...reference.list(1).bids];
        expect(all.map(({ slot }) => slot)).toContain(1);
        for (const place of leaving) {
          reference.remove(1, all[Number(place)] as NaiveOrder);
          reference.check(1);
        }
      }
    },
  );

  it("[BOOK-8] tell no depth where the first order of all changes nothing", () => {
    const reference = new ReferenceModel(4, false);
    reference.rest(1, false, 1_024, 7);
    const { group } = reference.list(1).bids[0] as NaiveOrder;
    const mode = order.STP_EXPIRE_TAKER;
    reference.match(1, { sell: true, limit: 1_024, group, mode, sequence: 1, pauses: 0, unit: 0 }, 3);
    reference.check(1);
  });
});
