// Market data of every market, folded from the core's committed events, read straight from their bytes: books, the last
// trades, candles. Must count every trade once, however events are cut into batches and wherever a restart begins.

import type { Listing } from "@clockwork/core/inspect/listing";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import { MARKET_STATUSES } from "@clockwork/core/protocol/names";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@clockwork/kit/time";
import { BookProjector } from "./book-projector.ts";
import { addTrade, type Bar, openBar, SPANS_MS } from "./candle-rules.ts";
import type { MarketPair } from "./needs.ts";
import type { MarketChanges, PairRow, StoredBar, TradeRow } from "./store.ts";
import { averageFloor } from "./ticker-rules.ts";

/** Events of consecutive commands as the engine hands them out. */
export interface EventBytes {
  readonly lastSequence: number;
  readonly timeBeforeMs: number;
  readonly bytes: Uint8Array;
}

export const TRADES_KEPT = 500;
/** Bars of each span in memory: 20 minutes of seconds, 25 hours of minutes, 62 days of hours. */
export const BARS_KEPT: Readonly<Record<number, number>> = { [SECOND_MS]: 1_200, [MINUTE_MS]: 1_500, [HOUR_MS]: 1_500 };

const CLOCK = EVENTS.clock.kind;
const TRADE = EVENTS.trade.kind;
const DEPTH = EVENTS.depth.kind;
const LISTED = EVENTS.marketListed.kind;
const STATUS = EVENTS.marketStatus.kind;
const SPOT = 0;

/** One market. */
export class MarketState {
  readonly market: number;
  readonly tickLotUnits: number;
  readonly listedAtMs: number;
  readonly book = new BookProjector();
  /** Newest last. */
  trades: TradeRow[] = [];
  lastTicks = 0;
  readonly #bars = new Map<number, Bar[]>(SPANS_MS.map((spanMs) => [spanMs, []]));
  readonly #dirty = new Map<Bar, number>();
  #fresh: TradeRow[] = [];
  #averageTicks: number | undefined;

  constructor(row: PairRow) {
    this.market = row.market;
    this.tickLotUnits = row.tick_lot_units;
    this.listedAtMs = row.listed_at_ms;
  }

  /** Oldest first; a time without trades has none. */
  bars(spanMs: number): readonly Bar[] {
    return this.#bars.get(spanMs) ?? [];
  }

  get lastNumber(): number {
    return this.trades.at(-1)?.number ?? 0;
  }

  /** The average the price band hangs on; in a quiet time the last there was. */
  readAverage(nowMs: number): number | undefined {
    this.#averageTicks = averageFloor(this.bars(SECOND_MS), this.tickLotUnits, nowMs) ?? this.#averageTicks;
    return this.#averageTicks;
  }

  loadBars(spanMs: number, bars: Bar[]): void {
    this.#bars.set(spanMs, bars);
    const last = bars.at(-1);
    if (last !== undefined) this.lastTicks = last.close;
  }

  addTrade(trade: TradeRow): void {
    const { price, lots, time_ms: timeMs } = trade;
    const quoteUnits = BigInt(price) * BigInt(lots) * BigInt(this.tickLotUnits);
    for (const spanMs of SPANS_MS) addTrade(this.#barAt(spanMs, timeMs, price), price, lots, quoteUnits);
    this.lastTicks = price;
    this.trades.push(trade);
    this.#fresh.push(trade);
    if (this.trades.length > TRADES_KEPT * 2) this.trades = this.trades.slice(-TRADES_KEPT);
  }

  #barAt(spanMs: number, timeMs: number, price: number): Bar {
    const bars = this.#bars.get(spanMs) as Bar[];
    const startMs = timeMs - (timeMs % spanMs);
    let bar = bars.at(-1);
    if (bar === undefined || bar.timeMs < startMs) {
      bar = openBar(startMs, price);
      bars.push(bar);
      const kept = BARS_KEPT[spanMs] ?? 0;
      if (bars.length > kept + kept / 4) bars.splice(0, bars.length - kept);
    }
    // An hour that began with generated minutes and went on with trades is no generated hour.
    bar.isGenerated = false;
    this.#dirty.set(bar, spanMs);
    return bar;
  }

  get hasChanges(): boolean {
    return this.#dirty.size > 0;
  }

  /** What is not stored yet, as it is now. */
  takeChanges(): { readonly bars: readonly StoredBar[]; readonly trades: readonly TradeRow[] } {
    const bars = [...this.#dirty].map(([bar, spanMs]) => ({ market: this.market, spanMs, bar: { ...bar } }));
    const trades = this.#fresh;
    this.#dirty.clear();
    this.#fresh = [];
    return { bars, trades };
  }
}

export interface FoldResult {
  /** Markets whose book or trades changed. */
  readonly changed: ReadonlySet<number>;
  readonly statuses: readonly { readonly market: number; readonly status: string }[];
  /** A market is new, or its book missed an event: rules and books must be read from the core. */
  readonly isListingNeeded: boolean;
}

export class MarketProjector {
  readonly states = new Map<number, MarketState>();

  /** Trades of all markets since each was listed: a market numbers its own. */
  countTrades(): number {
    let count = 0;
    for (const state of this.states.values()) count += state.lastNumber;
    return count;
  }
  /** Last command whose trades are in the candles. */
  sequence: number;
  readonly #findMarket: (market: number) => MarketPair | undefined;
  /** Told of each visible level that changed. */
  onLevel: (market: number, isSell: boolean, price: number) => void = () => undefined;
  #newPairs: PairRow[] = [];

  constructor(sequence: number, rows: readonly PairRow[], findMarket: (market: number) => MarketPair | undefined) {
    this.sequence = sequence;
    this.#findMarket = findMarket;
    for (const row of rows) this.states.set(row.market, new MarketState(row));
  }

  /** Books as the core has them now. */
  loadBooks(listing: Listing, timeMs: number): void {
    for (const { market, depth } of listing.markets) {
      const pair = this.#findMarket(market);
      if (pair === undefined) continue;
      this.states.get(market)?.book.load(pair, depth, timeMs);
    }
  }

  fold(batch: EventBytes): FoldResult {
    const view = new DataView(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
    const changed = new Set<number>();
    const statuses: { market: number; status: string }[] = [];
    let isListingNeeded = false;
    let timeMs = batch.timeBeforeMs;
    for (let at = 0; at < view.byteLength; at += EVENT_BYTES) {
      switch (view.getUint8(at)) {
        case CLOCK:
          timeMs = view.getFloat64(at + EVENTS.clock.layout.time.at, true);
          break;
        case DEPTH:
          isListingNeeded = !this.#foldDepth(view, at, timeMs, changed) || isListingNeeded;
          break;
        case TRADE:
          this.#foldTrade(view, at, timeMs, changed);
          break;
        case LISTED:
          isListingNeeded = this.#foldListed(view, at, timeMs) || isListingNeeded;
          break;
        case STATUS:
          statuses.push({
            market: view.getInt32(at + EVENTS.marketStatus.layout.market.at, true),
            status: MARKET_STATUSES[view.getUint8(at + 1)] ?? "HALT",
          });
          break;
        default:
          break;
      }
    }
    this.sequence = Math.max(this.sequence, batch.lastSequence);
    return { changed, statuses, isListingNeeded };
  }

  get hasChanges(): boolean {
    return this.#newPairs.length > 0 || [...this.states.values()].some((state) => state.hasChanges);
  }

  /** What is not stored yet, with the command it reaches to. */
  takeChanges(journal: string): MarketChanges {
    const bars: StoredBar[] = [];
    const trades: TradeRow[] = [];
    for (const state of this.states.values()) {
      const taken = state.takeChanges();
      bars.push(...taken.bars);
      trades.push(...taken.trades);
    }
    const pairs = this.#newPairs;
    this.#newPairs = [];
    return { cursor: { journal, sequence: this.sequence }, pairs, bars, trades };
  }

  /** False when the book misses an event. */
  #foldDepth(view: DataView, at: number, timeMs: number, changed: Set<number>): boolean {
    const { layout } = EVENTS.depth;
    const market = view.getInt32(at + layout.market.at, true);
    const pair = this.#findMarket(market);
    const book = this.states.get(market)?.book;
    if (pair === undefined || book === undefined) return true;
    const isSell = (view.getUint16(at + layout.side.at, true) & 1) === 1;
    const price = view.getInt32(at + layout.price.at, true);
    const lots = view.getFloat64(at + layout.lots.at, true);
    const sequence = view.getFloat64(at + layout.bookSequence.at, true);
    const outcome = book.apply(pair, isSell, price, lots, sequence, timeMs);
    if (outcome !== "applied") return outcome === "known";
    this.onLevel(market, isSell, price);
    changed.add(market);
    return true;
  }

  #foldTrade(view: DataView, at: number, timeMs: number, changed: Set<number>): void {
    // Told before: a replay begins where the slowest listener left off.
    if (view.getFloat64(at + 8, true) <= this.sequence) return;
    const { layout } = EVENTS.trade;
    const market = view.getInt32(at + layout.market.at, true);
    const state = this.states.get(market);
    if (state === undefined) return;
    state.addTrade({
      market,
      number: view.getFloat64(at + layout.tradeNumber.at, true),
      price: view.getInt32(at + layout.price.at, true),
      lots: view.getFloat64(at + layout.lots.at, true),
      is_sell: (view.getUint16(at + layout.takerSide.at, true) & 1) === 1,
      time_ms: timeMs,
    });
    changed.add(market);
  }

  #foldListed(view: DataView, at: number, timeMs: number): boolean {
    const { layout } = EVENTS.marketListed;
    const market = view.getInt32(at + layout.market.at, true);
    if (view.getUint8(at + 1) !== SPOT || this.states.has(market)) return false;
    const tick_lot_units = view.getFloat64(at + layout.tickLotUnits.at, true);
    const row = { market, tick_lot_units, listed_at_ms: timeMs };
    this.states.set(market, new MarketState(row));
    this.#newPairs.push(row);
    return true;
  }
}
