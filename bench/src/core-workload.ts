// Owns the seeded flow of orders every engine is measured with: the same file of operations for all of them.
// 45 % resting limits near the touch, 40 % cancels of a random live order, 10 % marketable (half IOC, half GTC, one in
// twenty a 20× sweep), 5 % price changes; the middle walks slowly. Orders are named by ordinal, engines map their ids.
import { createRandom, type Random } from "@clockwork/kit/random";
import { createMatchEngine, type MatchEngine } from "./core-match.ts";

export const OP_PLACE = 0;
export const OP_CANCEL = 1;
export const OP_CHANGE = 2;

export interface Shape {
  readonly name: string;
  readonly symbols: number;
  readonly livePerSymbol: number;
  /** Ticks on either side of the middle that resting orders spread over. */
  readonly reach: number;
  readonly accounts: number;
  readonly timed: number;
}

export const SHAPES: readonly Shape[] = [
  { name: "base", symbols: 1, livePerSymbol: 10_000, reach: 1_100, accounts: 1_000, timed: 1_000_000 },
  { name: "deep", symbols: 1, livePerSymbol: 1_000_000, reach: 10_400, accounts: 10_000, timed: 1_000_000 },
  { name: "multi", symbols: 100, livePerSymbol: 10_000, reach: 1_100, accounts: 1_000, timed: 1_000_000 },
  { name: "multi-small", symbols: 100, livePerSymbol: 100, reach: 60, accounts: 1_000, timed: 1_000_000 },
];

export interface Workload {
  readonly shape: Shape;
  readonly count: number;
  /** Operations before this one only fill the book and are not timed. */
  readonly timedFrom: number;
  readonly kinds: Uint8Array;
  readonly symbols: Uint16Array;
  readonly sells: Uint8Array;
  readonly immediate: Uint8Array;
  readonly prices: Int32Array;
  readonly lots: Int32Array;
  /** Ordinal of the order placed, cancelled or changed. */
  readonly orders: Int32Array;
  /** Ordinals placed in all, the trades made and their hash, and a hash of the final book: what all must reach. */
  readonly placed: number;
  readonly trades: number;
  readonly tradeHash: number;
  readonly bookHash: number;
}

const MIDDLE = 100_000;
const LOTS_MAX = 100;
const SWEEP_FACTOR = 20;
const SWEEP_TICKS = 400;
const TAKE_TICKS = 30;

/** Live orders of one symbol, with removal of any by swapping in the last. */
class Live {
  readonly ordinals: number[] = [];
  readonly places: Int32Array;

  constructor(places: Int32Array) {
    this.places = places;
  }

  add(ordinal: number): void {
    this.places[ordinal] = this.ordinals.length;
    this.ordinals.push(ordinal);
  }

  remove(ordinal: number): void {
    const place = this.places[ordinal] as number;
    const last = this.ordinals.pop() as number;
    if (last === ordinal) return;
    this.ordinals[place] = last;
    this.places[last] = place;
  }
}

export function createWorkload(shape: Shape, seed = 7): Workload {
  const fill = shape.symbols * shape.livePerSymbol;
  const capacity = fill + shape.timed;
  const workload = {
    shape,
    count: capacity,
    timedFrom: fill,
    kinds: new Uint8Array(capacity),
    symbols: new Uint16Array(capacity),
    sells: new Uint8Array(capacity),
    immediate: new Uint8Array(capacity),
    prices: new Int32Array(capacity),
    lots: new Int32Array(capacity),
    orders: new Int32Array(capacity),
    placed: 0,
    trades: 0,
    tradeHash: 0,
    bookHash: 0,
  };
  const random = createRandom(seed);
  const engine = createMatchEngine(shape.symbols, capacity);
  const places = new Int32Array(capacity);
  const live = Array.from({ length: shape.symbols }, () => new Live(places));
  const middles = new Int32Array(shape.symbols).fill(MIDDLE);
  engine.onMakerDone = (symbol, ordinal) => (live[symbol] as Live).remove(ordinal);
  for (let at = 0; at < capacity; at++) {
    const symbol = at < fill ? at % shape.symbols : random.below(shape.symbols);
    if (at % 64 === 0) middles[symbol] = (middles[symbol] as number) + random.below(3) - 1;
    const resting = at < fill;
    chooseOperation(workload, at, symbol, resting, random, live[symbol] as Live, middles[symbol] as number, engine);
  }
  workload.trades = engine.trades;
  workload.tradeHash = engine.tradeHash;
  workload.bookHash = engine.bookHash();
  return workload;
}

type Draft = { -readonly [K in keyof Workload]: Workload[K] };

function chooseOperation(
  draft: Draft,
  at: number,
  symbol: number,
  resting: boolean,
  random: Random,
  live: Live,
  middle: number,
  engine: MatchEngine,
): void {
  const { shape } = draft;
  draft.symbols[at] = symbol;
  let dice = resting ? 0 : random.below(100);
  // Keeps the number of live orders at the shape's target.
  const level = live.ordinals.length / shape.livePerSymbol;
  if (!resting && dice < 85) dice = random.below(8_500) < 4_500 + (1 - level) * 50_000 ? 0 : 50;
  if (live.ordinals.length === 0) dice = 0;
  if (dice < 45) place(draft, at, symbol, random, middle, live, engine, false);
  else if (dice < 85) {
    const ordinal = live.ordinals[random.below(live.ordinals.length)] as number;
    draft.kinds[at] = OP_CANCEL;
    draft.orders[at] = ordinal;
    live.remove(ordinal);
    engine.cancel(symbol, ordinal);
  } else if (dice < 95) place(draft, at, symbol, random, middle, live, engine, true);
  else change(draft, at, symbol, random, middle, live, engine);
}

/** Denser near the touch: the product of two even draws. */
function offset(random: Random, reach: number): number {
  return 1 + Math.floor((random.below(reach) * random.below(reach)) / reach);
}

function place(
  draft: Draft,
  at: number,
  symbol: number,
  random: Random,
  middle: number,
  live: Live,
  engine: MatchEngine,
  takes: boolean,
): void {
  const ordinal = draft.placed++;
  const sell = random.below(2);
  let lots = 1 + random.below(LOTS_MAX);
  let price = middle + (sell === 1 ? 1 : -1) * offset(random, draft.shape.reach);
  let immediate = 0;
  if (takes) {
    const sweep = random.chance(1, 20);
    immediate = random.below(2);
    lots = Math.ceil(lots / 2);
    if (sweep) lots *= SWEEP_FACTOR;
    const best = sell === 1 ? engine.bestBid(symbol) : engine.bestAsk(symbol);
    const from = best === 0 ? middle : best;
    price = from + (sell === 1 ? -1 : 1) * (sweep ? SWEEP_TICKS : TAKE_TICKS);
  } else {
    // A resting order remains on its side of the touch.
    const opposite = sell === 1 ? engine.bestBid(symbol) : engine.bestAsk(symbol);
    if (opposite !== 0 && (sell === 1 ? price <= opposite : price >= opposite))
      price = opposite + (sell === 1 ? 1 : -1);
  }
  draft.kinds[at] = OP_PLACE;
  draft.sells[at] = sell;
  draft.immediate[at] = immediate;
  draft.prices[at] = price;
  draft.lots[at] = lots;
  draft.orders[at] = ordinal;
  if (engine.place(symbol, ordinal, sell, price, lots, immediate)) live.add(ordinal);
}

function change(
  draft: Draft,
  at: number,
  symbol: number,
  random: Random,
  middle: number,
  live: Live,
  engine: MatchEngine,
): void {
  const ordinal = live.ordinals[random.below(live.ordinals.length)] as number;
  const sell = engine.isSell(ordinal) ? 1 : 0;
  let price = middle + (sell === 1 ? 1 : -1) * offset(random, draft.shape.reach);
  const opposite = sell === 1 ? engine.bestBid(symbol) : engine.bestAsk(symbol);
  if (opposite !== 0 && (sell === 1 ? price <= opposite : price >= opposite)) price = opposite + (sell === 1 ? 1 : -1);
  if (price === engine.priceOf(ordinal)) price += sell === 1 ? 1 : -1;
  draft.kinds[at] = OP_CHANGE;
  draft.sells[at] = sell;
  draft.prices[at] = price;
  draft.orders[at] = ordinal;
  engine.change(symbol, ordinal, price);
}
