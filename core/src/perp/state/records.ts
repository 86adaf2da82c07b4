// Owns the records of perpetuals: contracts, purses (an account's money in one settlement coin), stands (an account in
// one market) and positions, and the heaps of prices at which a position must be looked at. Holds no rule.
import type { Contract } from "@clockwork/kit/margin";
import { PairIndex } from "../../memory/pair-index.ts";
import { Table } from "../../memory/table.ts";

/** One record per market, spot ones left empty. Words, then tier rates and leverages, then doubles. */
export const CONTRACT_WORDS = 128;
export const CONTRACT_SHIFT = 7;
export const CONTRACT_DOUBLE_SHIFT = 6;
/** 1 linear, 2 inverse; 0 for spot. */
export const CT_KIND = 0;
export const CT_TIERS = 1;
export const CT_LEVERAGE_MAX = 2;
export const CT_LIQUIDATION_RATE = 3;
export const CT_FUNDING_HOURS = 4;
/** 0 for majors (A), 1 for all others (B): bounds of mark and orders. */
export const CT_CLASS = 5;
export const CT_INTEREST = 6;
export const CT_CLAMP_BPS = 7;
/** Of a demo market: the real one whose book it follows. */
export const CT_MIRROR = 8;
export const CT_DEGRADED = 9;
/** Rate of the last settlement in 1e-8. */
export const CT_LAST_RATE = 10;
export const CT_SAMPLES = 11;
/** Mid samples taken, and where the next one goes. */
export const CT_MIDS = 12;
export const CT_MID_AT = 13;
export const CT_ADL = 14;
/** Sources ever heard of; 0 means prices are set by the operator. */
export const CT_SOURCES = 15;
export const CT_CLEARING_CELL = 16;
export const CT_INSURANCE_CELL = 17;
export const CT_FEES_CELL = 18;
export const CT_ROUNDING_CELL = 19;
/** Of a real market: the demo market that follows it. */
export const CT_MIRRORED = 20;
export const CT_BAND_BPS = 21;
/** Resting orders of a demo market, best price first; see demo-book.ts. */
export const CT_DEMO_BUYS = 22;
export const CT_DEMO_SELLS = 23;
export const CT_RATES = 24;
export const CT_LEVERAGES = 32;
export const TIERS_MAX = 8;
export const CTF_FACTOR = 20;
export const CTF_CAPS = 21;
export const CTF_DEDUCTIONS = 29;
export const CTF_NEXT_MARK = 37;
export const CTF_NEXT_PREMIUM = 38;
export const CTF_NEXT_FUNDING = 39;
/** Σ i·p_i of the interval's premium samples. */
export const CTF_PREMIUMS = 40;
export const CTF_LAST_TRADE = 41;
/** Lots held long, which are the lots held short. */
export const CTF_OPEN_LOTS = 42;
/** When the liquidation account may send its next slice. */
export const CTF_NEXT_SLICE = 43;
/** Net flow to the insurance fund: sixteen buckets of half an hour, and the number of the newest. */
export const CTF_FLOW_BUCKET = 44;
export const CTF_FLOWS = 45;
export const FLOW_BUCKETS = 16;
/** When warnings the last mark had no room for go on; 0 while none wait. */
export const CTF_NEXT_WARN = 61;

/** Eight sources (price, weight, time), then thirty samples of mid − index. */
export const SOURCE_WORDS = 64;
export const SOURCE_DOUBLES = 32;
export const SOURCES_MAX = 8;
export const MIDS = 30;
export const SRC_MIDS = 32;

/** A purse is 64 bytes: what a fill reads of it lies in one line of the cache. */
export const PURSE_WORDS = 16;
export const PURSE_SHIFT = 4;
export const PURSE_DOUBLE_SHIFT = 3;
export const PU_ACCOUNT = 1;
export const PU_CELL = 2;
export const PU_ASSET = 3;
/** First open position; they chain through PO_NEXT. */
export const PU_POSITIONS = 4;
/** Place in the list of purses to be looked at before the next mark, plus 1. */
export const PU_DIRTY = 5;
export const PU_GRANTS = 6;
/** The stand whose orders or position changed last; what it asks is measured when somebody wants to know. */
export const PU_STALE = 7;
/** The highest margin warning given: 0, 70 or 85. */
export const PU_WARNED = 8;
/** The bonus book's cell, 0 until a bonus is granted. */
export const PU_BONUS_CELL = 9;
/** 1 while an expired bonus waits and only reducing orders pass. */
export const PU_REDUCING = 10;
/** Open positions on the list. */
export const PU_OPEN = 11;
/** Margin asked by positions and orders of all stands, as each was last measured. */
export const PUF_REQUIRED = 6;
/** Bonus that counts as margin. */
export const PUF_BONUS = 7;

/** A stand is 128 bytes: what every order reads and changes lies in its first line of the cache. */
export const STAND_WORDS = 32;
export const STAND_SHIFT = 5;
export const STAND_DOUBLE_SHIFT = 4;
/** First of what a demo stand has taken from the copy of the real book. */
export const ST_TAKES = 0;
export const ST_FLAGS = 1;
export const ST_PURSE = 2;
export const ST_LEVERAGE_LONG = 3;
/** The position of one-way mode and of the long side. */
export const ST_LONG = 4;
/** 1 while it is its purse's PU_STALE, and STF_REQUIRED is what it asked before. */
export const ST_STALE = 5;
export const STF_BUY_VALUE = 3;
export const STF_BUY_LOTS = 4;
export const STF_SELL_VALUE = 5;
export const STF_SELL_LOTS = 6;
export const STF_REQUIRED = 7;
export const ST_SEAT = 16;
export const ST_ACCOUNT = 17;
export const ST_MARKET = 18;
export const ST_LEVERAGE_SHORT = 19;
export const ST_SHORT = 20;
/** First split position; they chain through PO_SIBLING. */
export const ST_SPLITS = 21;
/** Take-profit and stop-loss orders waiting. */
export const ST_STOPS = 22;
export const ST_TOUCHED = 23;
export const STF_REDUCE_BUY = 12;
export const STF_REDUCE_SELL = 13;

export const STAND_ISOLATED = 1;
export const STAND_HEDGE = 2;
export const STAND_SPLIT = 4;
export const STAND_AUTO_APPEND = 8;
/** The liquidation account: no margin is asked of it. */
export const STAND_HOUSE = 16;
/** In a demo market: orders follow the published fill model instead of a book. */
export const STAND_DEMO = 32;

export const POSITION_WORDS = 32;
export const POSITION_SHIFT = 5;
export const POSITION_DOUBLE_SHIFT = 4;
export const PO_STAND = 1;
export const PO_FLAGS = 2;
export const PO_LEVERAGE = 3;
/** Place in its market's heap, 0 for none, and the price that brings it up. */
export const PO_PLACE = 4;
export const PO_KEY = 5;
export const PO_GENERATION = 6;
export const PO_NEXT = 7;
export const PO_PREV = 8;
export const PO_SIBLING = 9;
/** The highest margin warning given for an isolated position. */
export const PO_WARNED = 10;
/** The same as PO_PLACE and PO_KEY, for the next warning. */
export const PO_WARN_PLACE = 22;
export const PO_WARN_KEY = 23;
/** Lots, long positive and short negative. */
export const POF_LOTS = 6;
export const POF_COST = 7;
/** Isolated margin, frozen in the purse's cell. */
export const POF_MARGIN = 8;
export const POF_REALIZED = 9;
export const POF_OPENED = 10;

export const POSITION_SPLIT = 1;
export const POSITION_LISTED = 2;
/** Taken from the free chain or made; a split position that is flat goes back. */
export const POSITION_IDS = 0x1000000;

/** What a position is looked at for: a margin that may be used up, or a warning. */
export const LOOK_END = 0;
export const LOOK_WARN = 1;
const HEAP_WORDS = 2;

export class Perps {
  readonly contracts = new Table("contracts", CONTRACT_WORDS, 8);
  readonly sources = new Table("index-sources", SOURCE_WORDS, 8);
  readonly purses = new Table("purses", PURSE_WORDS, 16);
  readonly purseIndex = new PairIndex("purse-index");
  readonly stands = new Table("stands", STAND_WORDS, 16);
  readonly positions = new Table("positions", POSITION_WORDS, 16);
  /** Purses whose positions changed since they were last looked at; word 0 the purse. */
  readonly dirty = new Table("dirty-purses", 2, 16);
  readonly grants = new Table("bonus-grants", 32, 16);
  /** The fund's highest balance in each of sixteen half hours, by asset. */
  readonly peaks = new Table("insurance-peaks", 64, 8);
  /** What demo takers took in the last minute. */
  readonly takes = new Table("demo-takes", 8, 2);
  readonly #heaps: Table[][] = [];

  contractWords: Int32Array = this.contracts.i32;
  contractDoubles: Float64Array = this.contracts.f64;
  purseWords: Int32Array = this.purses.i32;
  purseDoubles: Float64Array = this.purses.f64;
  standWords: Int32Array = this.stands.i32;
  standDoubles: Float64Array = this.stands.f64;
  positionWords: Int32Array = this.positions.i32;
  positionDoubles: Float64Array = this.positions.f64;

  /** Stands whose position shrank while orders lean on it; worked off when no match is under way. Scratch. */
  readonly touched: number[] = [];
  /** Real trades of the command that demo orders must see: market, price, lots. Scratch. */
  readonly tape: number[] = [];
  /** Contracts as kit/margin knows them, made when first wanted; whoever changes a contract takes its own away. Scratch. */
  readonly terms: (Contract | undefined)[] = [];
  /** Purses to be liquidated or warned once the command's own work is done. Scratch. */
  readonly registers = new Float64Array(8);

  constructor() {
    const refresh = (): void => {
      this.contractWords = this.contracts.i32;
      this.contractDoubles = this.contracts.f64;
      this.purseWords = this.purses.i32;
      this.purseDoubles = this.purses.f64;
      this.standWords = this.stands.i32;
      this.standDoubles = this.stands.f64;
      this.positionWords = this.positions.i32;
      this.positionDoubles = this.positions.f64;
    };
    for (const table of [this.contracts, this.purses, this.stands, this.positions]) table.onGrow = refresh;
  }

  /** Makes room for a market; every market has a contract record, a spot one stays empty. */
  open(market: number): void {
    while (this.contracts.count <= market) this.contracts.take();
    while (this.sources.count <= market) this.sources.take();
    this.terms[market] = undefined;
    this.#heaps[market] = [
      new Table(`liquidation-${market}-0`, HEAP_WORDS, 16),
      new Table(`liquidation-${market}-1`, HEAP_WORDS, 16),
      new Table(`warning-${market}-0`, HEAP_WORDS, 16),
      new Table(`warning-${market}-1`, HEAP_WORDS, 16),
    ];
  }

  /** Forgets every market, before another state is taken on. */
  close(): void {
    this.#heaps.length = 0;
    this.terms.length = 0;
    this.touched.length = 0;
    this.tape.length = 0;
  }

  /** 0: longs, highest price first; 1: shorts, lowest first. */
  heap(market: number, side: number, look: number): Table {
    return (this.#heaps[market] as Table[])[look * 2 + side] as Table;
  }

  isPerp(market: number): boolean {
    return this.contractWords[market << CONTRACT_SHIFT] !== 0;
  }

  isInverse(market: number): boolean {
    return this.contractWords[market << CONTRACT_SHIFT] === 2;
  }

  contract(market: number, word: number): number {
    return this.contractWords[(market << CONTRACT_SHIFT) + word] as number;
  }

  contractDouble(market: number, double: number): number {
    return this.contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) + double] as number;
  }

  setContract(market: number, word: number, value: number): void {
    this.contractWords[(market << CONTRACT_SHIFT) + word] = value;
  }

  setContractDouble(market: number, double: number, value: number): void {
    this.contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) + double] = value;
  }

  purse(purse: number, word: number): number {
    return this.purseWords[(purse << PURSE_SHIFT) + word] as number;
  }

  purseDouble(purse: number, double: number): number {
    return this.purseDoubles[(purse << PURSE_DOUBLE_SHIFT) + double] as number;
  }

  stand(stand: number, word: number): number {
    return this.standWords[(stand << STAND_SHIFT) + word] as number;
  }

  setStand(stand: number, word: number, value: number): void {
    this.standWords[(stand << STAND_SHIFT) + word] = value;
  }

  standDouble(stand: number, double: number): number {
    return this.standDoubles[(stand << STAND_DOUBLE_SHIFT) + double] as number;
  }

  position(position: number, word: number): number {
    return this.positionWords[(position << POSITION_SHIFT) + word] as number;
  }

  setPosition(position: number, word: number, value: number): void {
    this.positionWords[(position << POSITION_SHIFT) + word] = value;
  }

  positionDouble(position: number, double: number): number {
    return this.positionDoubles[(position << POSITION_DOUBLE_SHIFT) + double] as number;
  }

  setPositionDouble(position: number, double: number, value: number): void {
    this.positionDoubles[(position << POSITION_DOUBLE_SHIFT) + double] = value;
  }

  lots(position: number): number {
    return position === 0 ? 0 : this.positionDouble(position, POF_LOTS);
  }

  marketOf(position: number): number {
    return this.stand(this.position(position, PO_STAND), ST_MARKET);
  }

  purseOf(position: number): number {
    return this.stand(this.position(position, PO_STAND), ST_PURSE);
  }

  positionId(position: number): number {
    return position + this.position(position, PO_GENERATION) * POSITION_IDS;
  }

  /** Puts a purse on the list of those to be looked at before the next mark; cheap enough for every fill. */
  markDirty(purse: number): void {
    if (this.purseWords[(purse << PURSE_SHIFT) | PU_DIRTY] !== 0) return;
    const at = this.dirty.take();
    this.dirty.i32[at * 2] = purse;
    this.purseWords[(purse << PURSE_SHIFT) | PU_DIRTY] = at;
  }

  tables(): readonly Table[] {
    return [
      this.contracts,
      this.sources,
      this.purses,
      this.purseIndex.table,
      this.stands,
      this.positions,
      this.dirty,
      this.grants,
      this.peaks,
      this.takes,
    ];
  }

  marketTables(market: number): readonly Table[] {
    return this.#heaps[market] ?? [];
  }
}
