// Owns the core's book driven alone, without money, rules or events: what "match" measures, and what the workload is
// made with. Orders are addressed by slot, as the core's own ids are.
import {
  Books,
  R_LOTS,
  removeOrder,
  restOrder,
  S_DONE,
  S_KIND,
  S_MAKER,
  S_PRICE,
  SF_LOTS,
  STEP_DOUBLE_SHIFT,
  STEP_SHIFT,
  STEP_TRADE,
  T_ASK,
  T_BID,
  TOP_SHIFT,
  TOP_WORDS,
} from "@clockwork/core/book/book";
import { LEVEL_SHIFT } from "@clockwork/core/book/ladder";
import { matchTaker } from "@clockwork/core/book/match";
import {
  FLAG_LIVE,
  FLAG_SELL,
  O_ACCOUNT_MARKET,
  O_FLAGS,
  O_GROUP,
  O_PRICE,
  OF_FILLED,
  OF_LOTS,
  OF_SEQUENCE,
  ORDER_DOUBLE_SHIFT,
  ORDER_SHIFT,
  ORDER_WORDS,
  STP_NONE,
} from "@clockwork/core/book/orders";

export function mixHash(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ value, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  return Math.imul(mixed, 0xc2b2ae35) ^ (mixed >>> 16);
}

/** Places an order and returns its slot, 0 when nothing rests. Ends makers that are done. */
function placeInBook(
  books: Books,
  market: number,
  sell: number,
  price: number,
  lots: number,
  immediate: number,
  tag: number,
): number {
  const tops = books.topWords;
  const best = tops[(market << TOP_SHIFT) + (sell !== 0 ? T_BID : T_ASK)] as number;
  const slot = books.orders.take();
  const orders = books.orderWords;
  orders[(slot << ORDER_SHIFT) | O_FLAGS] = (market << 16) | sell | FLAG_LIVE;
  orders[(slot << ORDER_SHIFT) | O_ACCOUNT_MARKET] = tag;
  orders[(slot << ORDER_SHIFT) | O_GROUP] = 0;
  const f64 = books.orderDoubles;
  f64[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] = lots;
  f64[(slot << ORDER_DOUBLE_SHIFT) | OF_FILLED] = 0;
  f64[(slot << ORDER_DOUBLE_SHIFT) | OF_SEQUENCE] = 0;
  books.stepCount = 0;
  if (best !== 0 && (sell !== 0 ? best >= price : best <= price)) {
    books.registers[R_LOTS] = lots;
    matchTaker(books, market, sell, price, 0, STP_NONE, false);
    const left = books.registers[R_LOTS] as number;
    if (left === 0 || immediate !== 0) {
      books.orders.give(slot);
      return 0;
    }
    f64[(slot << ORDER_DOUBLE_SHIFT) | OF_LOTS] = left;
  } else if (immediate !== 0) {
    books.orders.give(slot);
    return 0;
  }
  restOrder(books, market, slot, price, books.ladder(market).reserve(price));
  return slot;
}

/** Releases the slots of makers the last placement finished; returns its trades. */
export function giveMakers(books: Books): number {
  let trades = 0;
  for (let step = 0; step < books.stepCount; step++) {
    if (books.steps[(step << STEP_SHIFT) | S_KIND] !== STEP_TRADE) continue;
    trades++;
    if (books.steps[(step << STEP_SHIFT) | S_DONE] === 1)
      books.orders.give(books.steps[(step << STEP_SHIFT) | S_MAKER] as number);
  }
  return trades;
}

function changeInBook(books: Books, market: number, slot: number, price: number): void {
  removeOrder(books, market, slot);
  restOrder(books, market, slot, price, books.ladder(market).reserve(price));
}

export interface MatchEngine {
  readonly trades: number;
  readonly tradeHash: number;
  onMakerDone: (symbol: number, ordinal: number) => void;
  place(symbol: number, ordinal: number, sell: number, price: number, lots: number, immediate: number): boolean;
  cancel(symbol: number, ordinal: number): void;
  change(symbol: number, ordinal: number, price: number): void;
  bestBid(symbol: number): number;
  bestAsk(symbol: number): number;
  isSell(ordinal: number): boolean;
  priceOf(ordinal: number): number;
  slotOf(ordinal: number): number;
  bookHash(): number;
}

/** The book behind ordinals, for making and checking workloads. */
export function createMatchEngine(symbols: number, orders: number): MatchEngine {
  const books = new Books(1024, 8);
  for (let symbol = 0; symbol < symbols; symbol++) books.open(symbol + 1);
  const slots = new Int32Array(orders);
  let trades = 0;
  let tradeHash = 0;
  const take = (taker: number, symbol: number): void => {
    for (let step = 0; step < books.stepCount; step++) {
      const at = step << STEP_SHIFT;
      if (books.steps[at + S_KIND] !== STEP_TRADE) continue;
      const maker = books.steps[at + S_MAKER] as number;
      const ordinal = books.orderWords[(maker << ORDER_SHIFT) | O_ACCOUNT_MARKET] as number;
      trades++;
      tradeHash = hashTrade(
        tradeHash,
        taker,
        ordinal,
        books.steps[at + S_PRICE] as number,
        books.stepDoubles[(step << STEP_DOUBLE_SHIFT) | SF_LOTS] as number,
      );
      if (books.steps[at + S_DONE] === 1) engine.onMakerDone(symbol, ordinal);
    }
    giveMakers(books);
  };
  const engine = {
    get trades() {
      return trades;
    },
    get tradeHash() {
      return tradeHash;
    },
    onMakerDone: (_symbol: number, _ordinal: number): void => {},
    place(symbol: number, ordinal: number, sell: number, price: number, lots: number, immediate: number): boolean {
      const slot = placeInBook(books, symbol + 1, sell, price, lots, immediate, ordinal);
      slots[ordinal] = slot;
      take(ordinal, symbol);
      return slot !== 0;
    },
    cancel(symbol: number, ordinal: number): void {
      removeOrder(books, symbol + 1, slots[ordinal] as number);
      books.orders.give(slots[ordinal] as number);
    },
    change(symbol: number, ordinal: number, price: number): void {
      changeInBook(books, symbol + 1, slots[ordinal] as number, price);
    },
    bestBid: (symbol: number): number => books.topWords[(symbol + 1) * TOP_WORDS + T_BID] as number,
    bestAsk: (symbol: number): number => books.topWords[(symbol + 1) * TOP_WORDS + T_ASK] as number,
    isSell: (ordinal: number): boolean =>
      ((books.orderWords[(slots[ordinal] as number) * ORDER_WORDS + O_FLAGS] as number) & FLAG_SELL) !== 0,
    priceOf: (ordinal: number): number =>
      books.orderWords[(slots[ordinal] as number) * ORDER_WORDS + O_PRICE] as number,
    slotOf: (ordinal: number): number => slots[ordinal] as number,
    bookHash: (): number => hashBooks(books, symbols),
  };
  return engine;
}

export function hashTrade(hash: number, taker: number, maker: number, price: number, lots: number): number {
  return mixHash(mixHash(mixHash(mixHash(hash, taker), maker), price), lots);
}

/** Every level of every symbol, lowest price first: price and lots. */
export function hashBooks(books: Books, symbols: number): number {
  let hash = 0;
  for (let market = 1; market <= symbols; market++) {
    const ladder = books.ladder(market);
    for (let price = ladder.nextAbove(0); price !== 0; price = ladder.nextAbove(price)) {
      const level = ladder.levelAt(price);
      hash = mixHash(mixHash(hash, price), books.levelDoubles[(level << LEVEL_SHIFT) / 2 + 1] as number);
    }
  }
  return hash;
}
