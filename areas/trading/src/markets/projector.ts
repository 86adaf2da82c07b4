// Market data of every market, folded from the core's committed events, read straight from their bytes: books, the last
// trades, candles. Must count every trade once, however events are cut into batches and wherever a restart resumes.

import type { Listing } from "@clockwork/core/inspect/listing";
import { EVENT_BYTES, EVENT_HEADER, EVENTS } from "@clockwork/core/protocol/event";
import { BarSeries } from "@clockwork/kit/candles/bar-series";
import type { Bar } from "@clockwork/kit/candles/candles";
import { type Valuation, valueFloor } from "@clockwork/kit/instrument";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@clockwork/kit/time";
import { BookProjector } from "./book-projector.ts";
import { ContractFolder, ContractState, FundState } from "./contract-projector.ts";
import type { FundRow } from "./contract-store.ts";
import type { MarketPair } from "./pair.ts";
import { averageFloor } from "./rules.ts";
import type { MarketChanges, PairRow, StoredBar, TradeRow } from "./store.ts";
import { BLOCK_TRADES, packTradesNow, type TradeBlockRow } from "./trade-block.ts";

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
const CONTRACT = EVENTS.contractListed.kind;
const STATUS = EVENTS.marketStatus.kind;
const VALUED = EVENTS.assetValued.kind;

/** One market. */
export class MarketState {
  readonly market: number;
  readonly valuation: Valuation;
  readonly listedAtMs: number;
  readonly book = new BookProjector();
  /** Perpetuals only. */
  readonly contract: ContractState | undefined;
  /** Newest last. */
  trades: TradeRow[] = [];
  lastTicks = 0;
  readonly series = new BarSeries(BARS_KEPT);
  /** The newest trade in the tables. */
  storedNumber = 0;
  #fresh: TradeRow[] = [];
  #blocks: TradeBlockRow[] = [];
  #aggregateKey = "";
  #averageTicks: number | undefined;

  constructor(row: PairRow) {
    this.market = row.market;
    this.valuation = { kind: row.kind, factor: row.tick_lot_units };
    this.listedAtMs = row.listed_at_ms;
    this.contract = row.kind === "spot" ? undefined : new ContractState(row.market);
  }

  /** Oldest first; a time without trades has none. */
  bars(spanMs: number): readonly Bar[] {
    return this.series.bars(spanMs);
  }

  get lastNumber(): number {
    return this.trades.at(-1)?.number ?? 0;
  }

  /** The average the price band of a spot pair hangs on; in a quiet time the last there was. */
  readAverage(nowMs: number): number | undefined {
    this.#averageTicks = averageFloor(this.bars(SECOND_MS), this.valuation, nowMs) ?? this.#averageTicks;
    return this.#averageTicks;
  }

  loadBars(spanMs: number, bars: Bar[]): void {
    this.series.load(spanMs, bars);
    const last = bars.at(-1);
    if (last !== undefined) this.lastTicks = last.close;
  }

  /** What the order `taker` of a command trades at one price is one aggregate. */
  addTrade(traded: Omit<TradeRow, "aggregate">, sequence: number, taker: number): void {
    const key = `${sequence}/${taker}/${traded.price}`;
    const last = this.trades.at(-1)?.aggregate ?? 0;
    const trade = { ...traded, aggregate: key === this.#aggregateKey ? last : last + 1 };
    this.#aggregateKey = key;
    const { price, lots, time_ms: timeMs, is_sell: isSell } = trade;
    this.series.addTrade(timeMs, price, lots, valueFloor(this.valuation, lots, price), !isSell);
    this.lastTicks = price;
    this.trades.push(trade);
    this.#fresh.push(trade);
    // Of a long catch-up the oldest would leave the rows as soon as they are stored.
    if (this.#fresh.length > BLOCK_TRADES * 2) this.#blocks.push(packTradesNow(this.#fresh.splice(0, BLOCK_TRADES)));
    if (this.trades.length > TRADES_KEPT * 2) this.trades = this.trades.slice(-TRADES_KEPT);
  }

  get hasChanges(): boolean {
    return this.series.isDirty || this.contract?.hasChanges === true;
  }

  /** Unstored changes, in their current state. */
  takeChanges(): {
    readonly bars: readonly StoredBar[];
    readonly trades: readonly TradeRow[];
    readonly blocks: readonly TradeBlockRow[];
  } {
    const bars = this.series.takeDirty().map(({ spanMs, bar }) => ({ market: this.market, spanMs, bar }));
    const [trades, blocks] = [this.#fresh, this.#blocks];
    this.#fresh = [];
    this.#blocks = [];
    return { bars, trades, blocks };
  }
}

export interface FoldResult {
  /** Markets whose book or trades changed. */
  readonly changed: ReadonlySet<number>;
  readonly statuses: readonly { readonly market: number; readonly status: string }[];
  /** The value of assets from now on, from assetValued. */
  readonly values: readonly { readonly asset: number; readonly up: number; readonly down: number }[];
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
  /** Called with each visible level that changed. */
  onLevel: (market: number, isSell: boolean, price: number) => void = () => undefined;
  #newPairs: PairRow[] = [];

  readonly fund: FundState;
  readonly #folder: ContractFolder;

  constructor(
    sequence: number,
    known: { readonly pairs: readonly PairRow[]; readonly funds: readonly FundRow[] },
    findMarket: (market: number) => MarketPair | undefined,
  ) {
    this.sequence = sequence;
    this.#findMarket = findMarket;
    this.fund = new FundState(known.funds);
    this.#folder = new ContractFolder((market) => this.states.get(market)?.contract, this.fund);
    for (const row of known.pairs) this.states.set(row.market, new MarketState(row));
  }

  /** Books, marks and funding as the core has them now. */
  loadBooks(listing: Listing, timeMs: number): void {
    for (const { market, depth, contract } of listing.markets) {
      const pair = this.#findMarket(market);
      const state = this.states.get(market);
      if (pair === undefined || state === undefined) continue;
      state.book.load(pair, depth, timeMs);
      if (contract !== undefined) state.contract?.load(contract);
    }
  }

  fold(batch: EventBytes): FoldResult {
    const view = new DataView(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
    const changed = new Set<number>();
    const statuses: { market: number; status: string }[] = [];
    const values: { asset: number; up: number; down: number }[] = [];
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
        case CONTRACT:
          isListingNeeded = this.#foldContract(view, at, timeMs) || isListingNeeded;
          break;
        case VALUED:
          values.push({
            asset: EVENTS.assetValued.layout.asset.read(view, at),
            up: EVENTS.assetValued.layout.up.read(view, at),
            down: EVENTS.assetValued.layout.down.read(view, at),
          });
          break;
        case STATUS:
          statuses.push({
            market: EVENTS.marketStatus.layout.market.read(view, at),
            status: EVENTS.marketStatus.layout.status.read(view, at),
          });
          break;
        default:
          this.#folder.fold(view, at, timeMs, this.sequence, changed);
          break;
      }
    }
    this.sequence = Math.max(this.sequence, batch.lastSequence);
    return { changed, statuses, values, isListingNeeded };
  }

  get hasChanges(): boolean {
    if (this.#newPairs.length > 0 || this.fund.hasChanges) return true;
    return [...this.states.values()].some((state) => state.hasChanges);
  }

  /** What is not stored yet, with the command it reaches to. */
  takeChanges(journal: string): MarketChanges {
    const states = [...this.states.values()];
    // After a long catch-up there are more than a call can have arguments: joined without spreading.
    const taken = states.map((state) => state.takeChanges());
    const contracts = states.flatMap(({ contract }) => (contract?.hasChanges === true ? [contract.takeChanges()] : []));
    const pairs = this.#newPairs;
    this.#newPairs = [];
    return {
      cursor: { journal, sequence: this.sequence },
      pairs,
      bars: taken.flatMap(({ bars }) => bars),
      trades: taken.flatMap(({ trades }) => trades),
      blocks: taken.flatMap(({ blocks }) => blocks),
      prices: contracts.flatMap(({ prices }) => prices),
      fundings: contracts.flatMap(({ fundings }) => fundings),
      liquidations: contracts.flatMap(({ liquidations }) => liquidations),
      funds: this.fund.takeChanges(),
    };
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
    // Seen before: a replay starts where the slowest listener left off.
    if (EVENT_HEADER.sequence.read(view, at) <= this.sequence) return;
    const { layout } = EVENTS.trade;
    const market = view.getInt32(at + layout.market.at, true);
    const state = this.states.get(market);
    if (state === undefined) return;
    const trade = {
      market,
      number: view.getFloat64(at + layout.tradeNumber.at, true),
      price: view.getInt32(at + layout.price.at, true),
      lots: view.getFloat64(at + layout.lots.at, true),
      is_sell: (view.getUint16(at + layout.takerSide.at, true) & 1) === 1,
      time_ms: timeMs,
    };
    state.addTrade(trade, EVENT_HEADER.sequence.read(view, at), view.getFloat64(at + layout.takerOrderId.at, true));
    changed.add(market);
  }

  #foldListed(view: DataView, at: number, timeMs: number): boolean {
    const { layout } = EVENTS.marketListed;
    const market = view.getInt32(at + layout.market.at, true);
    if (layout.marketKind.read(view, at) !== "spot" || this.states.has(market)) return false;
    const tick_lot_units = view.getFloat64(at + layout.tickLotUnits.at, true);
    this.#list({ market, kind: "spot", tick_lot_units, listed_at_ms: timeMs });
    return true;
  }

  /** Follows marketListed. A demo market shows the data of the real one it follows. */
  #foldContract(view: DataView, at: number, timeMs: number): boolean {
    const { layout } = EVENTS.contractListed;
    const market = view.getInt32(at + layout.market.at, true);
    if (view.getInt32(at + layout.mirror.at, true) !== 0 || this.states.has(market)) return false;
    const kind = layout.contractKind.read(view, at);
    const tick_lot_units = view.getFloat64(at + layout.factor.at, true);
    this.#list({ market, kind, tick_lot_units, listed_at_ms: timeMs });
    return true;
  }

  #list(row: PairRow): void {
    this.states.set(row.market, new MarketState(row));
    this.#newPairs.push(row);
  }
}
