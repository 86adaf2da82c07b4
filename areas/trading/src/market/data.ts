// Keeps market data level with the engine: consumes its committed events, stores candles and trades with their cursor,
// reads books and rules from the core when needed. Must never store what the cursor does not cover.
import type { Listing } from "@clockwork/core/inspect/listing";
import type { Clock } from "@clockwork/host/clock";
import type { Follower } from "@clockwork/host/engine";
import type { Log } from "@clockwork/host/log";
import type { BarSeries } from "@clockwork/kit/candles/bar-series";
import { SPANS_MS } from "@clockwork/kit/candles/candles";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@clockwork/kit/time";
import type { Kysely } from "kysely";
import {
  type ContractState,
  FUNDINGS_KEPT,
  LIQUIDATIONS_KEPT,
  PRICE_KEPT,
  type PriceSeries,
} from "../markets/contract-projector.ts";
import { measureDepth } from "../markets/depth-rules.ts";
import { BARS_KEPT, type EventBytes, MarketProjector, type MarketState, TRADES_KEPT } from "../markets/projector.ts";
import { SeriesService } from "../markets/series-service.ts";
import { type MarketChanges, type MarketStore, marketStore } from "../markets/store.ts";
import { TradeHistory } from "../markets/trade-history.ts";
import { createPairs, type PairMirror } from "./pairs.ts";

export interface MarketDataParts {
  readonly kysely: Kysely<unknown>;
  readonly log: Log;
  readonly clock: Clock;
  readonly isSimulated: boolean;
  /** Where trades go that are too old for the tables. */
  readonly folder: string;
}

const FLUSH_MS = 2_000;
/** Without a trade the cursor still advances, so that a restart replays little. */
const IDLE_FLUSH_MS = 10_000;
const PRUNE_MS = 60_000;
const DEPTH_MS = 30_000;
const SECONDS_KEPT_MS = HOUR_MS;

export async function openMarketData(parts: MarketDataParts): Promise<MarketData> {
  const store = marketStore(parts.kysely);
  const series = new SeriesService(store);
  const cursor = await store.readCursor();
  const pairs = createPairs(parts.isSimulated);
  const known = { pairs: await store.readPairs(), funds: await store.readFunds() };
  const projector = new MarketProjector(cursor?.sequence ?? 0, known, (market) => pairs.findMarket(market));
  const data = new MarketData(parts, { store, series, pairs, projector }, cursor?.journal);
  await data.loadStates();
  return data;
}

export class MarketData implements Follower {
  readonly store: MarketStore;
  readonly series: SeriesService;
  readonly pairs: PairMirror;
  readonly projector: MarketProjector;
  readonly history: TradeHistory;
  /** Called with the changed markets after each batch. */
  onChanged: (markets: ReadonlySet<number>) => void = () => undefined;
  readonly #parts: MarketDataParts;
  readonly #knownJournal: string | undefined;
  #journal = "";
  #storedSequence: number;
  #storedAtMs = 0;
  #unwritten: MarketChanges | undefined;
  #failure: string | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #readListing: (() => Promise<Listing | undefined>) | undefined;
  #reading: Promise<void> | undefined;
  #stops: (() => void)[] = [];

  constructor(
    parts: MarketDataParts,
    made: { store: MarketStore; series: SeriesService; pairs: PairMirror; projector: MarketProjector },
    knownJournal: string | undefined,
  ) {
    this.#parts = parts;
    this.store = made.store;
    this.series = made.series;
    this.pairs = made.pairs;
    this.projector = made.projector;
    const { store, projector, pairs } = made;
    this.history = new TradeHistory({
      needs: { findListed: pairs.findListed.bind(pairs) },
      store,
      projector,
      folder: parts.folder,
      flush: () => this.flush(),
    });
    this.#knownJournal = knownJournal;
    this.#storedSequence = made.projector.sequence;
  }

  get sequence(): number {
    return this.projector.sequence;
  }

  get storedSequence(): number {
    return this.#storedSequence;
  }

  readonly bind = (identity: string): void => {
    if (this.#knownJournal !== undefined && this.#knownJournal !== identity) {
      throw new Error(`market data was written from journal ${this.#knownJournal}, not ${identity}`);
    }
    this.#journal = identity;
  };

  /** Why no more events are taken: a restart resumes from what is stored. */
  get failure(): string | undefined {
    return this.#failure;
  }

  readonly listen = (batch: EventBytes): void => {
    if (this.#failure !== undefined) return;
    const folded = this.#attempt(() => this.projector.fold(batch));
    if (folded === undefined) return;
    const { changed, statuses, values, isListingNeeded } = folded;
    for (const { market, status } of statuses) this.pairs.setStatus(market, status);
    for (const { asset, up, down } of values) this.pairs.setValue(asset, up, down);
    for (const market of changed) {
      const last = this.projector.states.get(market)?.lastTicks ?? 0;
      if (last > 0) this.pairs.setLast(market, last);
    }
    if (isListingNeeded && this.#readListing !== undefined) void this.refresh();
    if (changed.size > 0) this.onChanged(changed);
  };

  /** A partial failure leaves the cursor where it was stored, and nothing after it is stored. */
  #attempt<Value>(work: () => Value): Value | undefined {
    try {
      return work();
    } catch (error) {
      this.#failure = `market data stopped after ${this.#storedSequence}`;
      this.#parts.log.error("market.stopped", { error, storedSequence: this.#storedSequence });
      return undefined;
    }
  }

  /** The state of every market, before the first event. */
  async loadStates(): Promise<void> {
    for (const state of this.projector.states.values()) {
      await this.loadMarket(state);
      state.trades = await this.store.readLastTrades(state.market, TRADES_KEPT);
      state.storedNumber = state.lastNumber;
    }
  }

  /** Loads the stored data of a market into memory; also after a history was written. */
  async loadMarket(state: MarketState): Promise<void> {
    const { market, contract } = state;
    if (contract !== undefined) await this.#loadContract(market, contract);
    const read = SPANS_MS.map((spanMs) => this.series.readLast(market, "last", spanMs, BARS_KEPT[spanMs] ?? 0));
    const found = await Promise.all(read);
    // A trade that arrived during the load has started its own candles; the next start joins both.
    if (state.lastNumber > 0) return;
    for (const [index, spanMs] of SPANS_MS.entries()) state.loadBars(spanMs, found[index] ?? []);
  }

  async #loadContract(market: number, contract: ContractState): Promise<void> {
    const newest = Number.MAX_SAFE_INTEGER;
    const fundings = (await this.store.readFundings(market, newest, FUNDINGS_KEPT)).reverse();
    const liquidations = (
      await this.store.readLiquidations([market], { sequence: newest, place: 0 }, LIQUIDATIONS_KEPT)
    ).reverse();
    if (contract.fundings.length === 0) contract.fundings = fundings;
    if (contract.liquidations.length === 0) contract.liquidations = liquidations;
    for (const [name, series] of Object.entries(contract.series) as [PriceSeries, BarSeries][]) {
      for (const spanMs of [MINUTE_MS, HOUR_MS]) {
        const bars = await this.series.readLast(market, name, spanMs, PRICE_KEPT[spanMs] ?? 0);
        // Trades during the load have started their own candles.
        if (series.bars(spanMs).length === 0) series.load(spanMs, bars);
      }
    }
  }

  /** From now on rules and books can be read from the core. */
  async connect(readListing: () => Promise<Listing | undefined>): Promise<void> {
    this.#readListing = readListing;
    await this.refresh();
  }

  /** Reads rules and books from the core; concurrent calls share one answer. */
  refresh(): Promise<void> {
    this.#reading ??= this.#refresh().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #refresh(): Promise<void> {
    const listing = await this.#readListing?.().catch((error: unknown) => {
      this.#parts.log.warn("market.listing.failed", { error });
      return undefined;
    });
    if (listing === undefined) return;
    this.pairs.refresh(listing, (market) => this.projector.states.get(market)?.listedAtMs ?? this.#parts.clock.now());
    for (const state of this.projector.states.values()) {
      if (state.lastTicks > 0) this.pairs.setLast(state.market, state.lastTicks);
    }
    this.projector.loadBooks(listing, this.#parts.clock.now());
  }

  start(): void {
    const { clock } = this.#parts;
    this.#stops = [
      clock.every(FLUSH_MS, () => this.#flushDue()),
      clock.every(PRUNE_MS, () => this.#prune()),
      clock.every(DEPTH_MS, () => this.#sampleDepth()),
    ];
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.flush();
  }

  /** Resolves when all events consumed so far are stored. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #flushDue(): Promise<void> {
    const isRecent = this.#parts.clock.now() - this.#storedAtMs < IDLE_FLUSH_MS;
    if (this.projector.sequence === this.#storedSequence) return;
    if (isRecent && !this.projector.hasChanges) return;
    await this.flush();
  }

  async #write(): Promise<void> {
    // The remainder of a failed write goes first, then newer data.
    const rounds = this.#unwritten === undefined ? 1 : 2;
    try {
      for (let round = 0; round < rounds; round += 1) {
        if (this.#unwritten === undefined && this.projector.sequence === this.#storedSequence) return;
        if (this.#unwritten === undefined && this.#failure !== undefined) return;
        this.#unwritten ??= this.#attempt(() => this.projector.takeChanges(this.#journal));
        if (this.#unwritten === undefined) return;
        await this.store.write(this.#unwritten);
        this.#storedSequence = this.#unwritten.cursor.sequence;
        this.#storedAtMs = this.#parts.clock.now();
        for (const { market, number } of this.#unwritten.trades) {
          const state = this.projector.states.get(market);
          if (state !== undefined) state.storedNumber = number;
        }
        this.#unwritten = undefined;
      }
    } catch (error) {
      // Kept and retried; later batches wait behind it.
      this.#parts.log.error("market.store.failed", { error });
    }
  }

  /** Of every market with a book. */
  async #sampleDepth(): Promise<void> {
    const nowMs = this.#parts.clock.now();
    const time_ms = nowMs - (nowMs % DEPTH_MS);
    const rows = [...this.projector.states.values()].flatMap(({ market, book, valuation }) => {
      const levels = measureDepth(book, valuation.kind === "inverse");
      return levels.length === 0 ? [] : [{ market, time_ms, levels: JSON.stringify(levels) }];
    });
    await this.store
      .writeDepths(rows)
      .catch((error: unknown) => this.#parts.log.warn("market.depth.failed", { error }));
  }

  async #prune(): Promise<void> {
    try {
      await this.store.deleteBarsBefore(SECOND_MS, this.#parts.clock.now() - SECONDS_KEPT_MS);
      await this.history.keep(this.#parts.clock.now());
    } catch (error) {
      this.#parts.log.warn("market.prune.failed", { error });
    }
  }
}
