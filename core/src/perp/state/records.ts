// Owns the records of perpetuals: contracts, margin accounts (an account's money in one settlement coin), symbol
// margins (an account in one market) and positions, and the heaps of prices at which a position must be looked at.
// Holds no rule.

import { X_REGISTERS } from "@clockwork/kit/exact-cost";
import type { Contract } from "@clockwork/kit/margin";
import { PairIndex } from "../../memory/pair-index.ts";
import {
  type Begin,
  type Double,
  type Doubles,
  getDouble,
  getWord,
  setDouble,
  setWord,
  type Word,
  type Words,
} from "../../memory/record.ts";
import { Records } from "../../memory/records.ts";
import { Table } from "../../memory/table.ts";

/** One record per market, spot ones left empty. Words, then tier rates and leverages, then doubles. */
export const CONTRACT_WORDS = 128;
export const CONTRACT_SHIFT = 7;
export const CONTRACT_DOUBLE_SHIFT = 6;
export function atContract(contract: number): Begin<"contract"> {
  return contract << CONTRACT_SHIFT;
}
/** 1 linear, 2 inverse; 0 for spot. */
export const CT_KIND: Word<"contract"> = 0;
export const CT_TIERS: Word<"contract"> = 1;
export const CT_LEVERAGE_MAX: Word<"contract"> = 2;
export const CT_LIQUIDATION_RATE: Word<"contract"> = 3;
export const CT_FUNDING_HOURS: Word<"contract"> = 4;
/** 0 for majors (A), 1 for all others (B): bounds of mark and orders. */
export const CT_CLASS: Word<"contract"> = 5;
export const CT_INTEREST: Word<"contract"> = 6;
export const CT_CLAMP_BPS: Word<"contract"> = 7;
/** Of a demo market: the real one whose book it follows. */
export const CT_MIRROR: Word<"contract"> = 8;
export const CT_DEGRADED: Word<"contract"> = 9;
/** Rate of the last settlement in 1e-8. */
export const CT_LAST_RATE: Word<"contract"> = 10;
export const CT_SAMPLES: Word<"contract"> = 11;
/** Mid samples taken, and where the next one goes. */
export const CT_MIDS: Word<"contract"> = 12;
export const CT_MID_AT: Word<"contract"> = 13;
export const CT_ADL: Word<"contract"> = 14;
/** Sources ever heard of; 0 means prices are set by the operator. */
export const CT_SOURCES: Word<"contract"> = 15;
export const CT_CLEARING_CELL: Word<"contract"> = 16;
export const CT_INSURANCE_CELL: Word<"contract"> = 17;
export const CT_FEES_CELL: Word<"contract"> = 18;
export const CT_ROUNDING_CELL: Word<"contract"> = 19;
/** Of a real market: the demo market that follows it. */
export const CT_MIRRORED: Word<"contract"> = 20;
export const CT_BAND_BPS: Word<"contract"> = 21;
/** Resting orders of a demo market, best price first; see demo-book.ts. */
export const CT_DEMO_BUYS: Word<"contract"> = 22;
export const CT_DEMO_SELLS: Word<"contract"> = 23;
export const CT_RATES: Word<"contract"> = 24;
export const CT_LEVERAGES: Word<"contract"> = 32;
export const TIERS_MAX = 8;
export const CTF_FACTOR: Double<"contract"> = 20;
export const CTF_CAPS: Double<"contract"> = 21;
export const CTF_DEDUCTIONS: Double<"contract"> = 29;
export const CTF_NEXT_MARK: Double<"contract"> = 37;
export const CTF_NEXT_PREMIUM: Double<"contract"> = 38;
export const CTF_NEXT_FUNDING: Double<"contract"> = 39;
/** Σ i·p_i of the interval's premium samples. */
export const CTF_PREMIUMS: Double<"contract"> = 40;
export const CTF_LAST_TRADE: Double<"contract"> = 41;
/** Lots held long, which are the lots held short. */
export const CTF_OPEN_LOTS: Double<"contract"> = 42;
/** When the liquidation account may send its next slice. */
export const CTF_NEXT_SLICE: Double<"contract"> = 43;
/** Net flow to the insurance fund: sixteen buckets of half an hour, and the number of the newest. */
export const CTF_FLOW_BUCKET: Double<"contract"> = 44;
export const CTF_FLOWS: Double<"contract"> = 45;
export const FLOW_BUCKETS = 16;
/** When warnings the last mark had no room for go on; 0 while none wait. */
export const CTF_NEXT_WARN: Double<"contract"> = 61;
/**
 * What rounding profits down has left in the clearing book: whole units, which go to the rounding book with the next
 * settlement of funding, and the part of a unit beyond them.
 */
export const CTF_ROUNDED: Double<"contract"> = 62;
export const CTF_REMAINDER: Double<"contract"> = 63;

/** Eight sources (price, weight, time), then thirty samples of mid − index. */
export const SOURCE_WORDS = 64;
/** Of a source: price and weight in words, then the time it spoke as the second double. */
export const SOURCE_SIZE = 4;
export const SOURCE_DOUBLES = 32;
export const SOURCES_MAX = 8;
export const MIDS = 30;
export const SRC_MIDS = 32;

/** A margin account is 64 bytes: what a fill reads of it lies in one line of the cache. */
export const MARGIN_ACCOUNT_WORDS = 16;
export const MARGIN_ACCOUNT_SHIFT = 4;
export const MARGIN_ACCOUNT_DOUBLE_SHIFT = 3;
export function atMarginAccount(marginAccount: number): Begin<"marginAccount"> {
  return marginAccount << MARGIN_ACCOUNT_SHIFT;
}
/** The follow of a follower's sub-book, 0 for all others. */
export const MA_FOLLOW: Word<"marginAccount"> = 0;
export const MA_ACCOUNT: Word<"marginAccount"> = 1;
export const MA_CELL: Word<"marginAccount"> = 2;
export const MA_ASSET: Word<"marginAccount"> = 3;
/** First open position; they chain through PO_NEXT. */
export const MA_POSITIONS: Word<"marginAccount"> = 4;
/** Place in the list of margin accounts to be looked at before the next mark, plus 1. */
export const MA_DIRTY: Word<"marginAccount"> = 5;
export const MA_GRANTS: Word<"marginAccount"> = 6;
/** The symbol margin whose orders or position changed last; what it asks is measured when somebody wants to know. */
export const MA_STALE: Word<"marginAccount"> = 7;
/** The highest margin warning given: 0, 70 or 85. */
export const MA_WARNED: Word<"marginAccount"> = 8;
/** The bonus book's cell, 0 until a bonus is granted. */
export const MA_BONUS_CELL: Word<"marginAccount"> = 9;
/** 1 while an expired bonus waits and only reducing orders pass. */
export const MA_REDUCING: Word<"marginAccount"> = 10;
/** Open positions on the list. */
export const MA_OPEN: Word<"marginAccount"> = 11;
/** Margin asked by positions and orders of all symbol margins, as each was last measured. */
export const MAF_REQUIRED: Double<"marginAccount"> = 6;
/** Bonus that counts as margin. */
export const MAF_BONUS: Double<"marginAccount"> = 7;

/** A symbol margin is 128 bytes: what every order reads and changes lies in its first line of the cache. */
export const SYMBOL_MARGIN_WORDS = 32;
export const SYMBOL_MARGIN_SHIFT = 5;
export const SYMBOL_MARGIN_DOUBLE_SHIFT = 4;
export function atSymbolMargin(symbolMargin: number): Begin<"symbolMargin"> {
  return symbolMargin << SYMBOL_MARGIN_SHIFT;
}
/** First of what a demo symbol margin has taken from the copy of the real book. */
export const SM_TAKES: Word<"symbolMargin"> = 0;
export const SM_FLAGS: Word<"symbolMargin"> = 1;
export const SM_MARGIN_ACCOUNT: Word<"symbolMargin"> = 2;
export const SM_LEVERAGE_LONG: Word<"symbolMargin"> = 3;
/** The position of one-way mode and of the long side. */
export const SM_LONG: Word<"symbolMargin"> = 4;
/** 1 while it is its margin account's PU_STALE, and STF_REQUIRED is what it asked before. */
export const SM_STALE: Word<"symbolMargin"> = 5;
export const SMF_BUY_VALUE: Double<"symbolMargin"> = 3;
export const SMF_BUY_LOTS: Double<"symbolMargin"> = 4;
export const SMF_SELL_VALUE: Double<"symbolMargin"> = 5;
export const SMF_SELL_LOTS: Double<"symbolMargin"> = 6;
export const SMF_REQUIRED: Double<"symbolMargin"> = 7;
export const SM_ACCOUNT_MARKET: Word<"symbolMargin"> = 16;
export const SM_ACCOUNT: Word<"symbolMargin"> = 17;
export const SM_MARKET: Word<"symbolMargin"> = 18;
export const SM_LEVERAGE_SHORT: Word<"symbolMargin"> = 19;
export const SM_SHORT: Word<"symbolMargin"> = 20;
/** First split position; they chain through PO_SIBLING. */
export const SM_SPLITS: Word<"symbolMargin"> = 21;
/** Take-profit and stop-loss orders waiting. */
export const SM_STOPS: Word<"symbolMargin"> = 22;
export const SM_TOUCHED: Word<"symbolMargin"> = 23;
export const SMF_REDUCE_BUY: Double<"symbolMargin"> = 12;
export const SMF_REDUCE_SELL: Double<"symbolMargin"> = 13;

export const MODE_ISOLATED = 1;
export const MODE_HEDGE = 2;
export const MODE_SPLIT = 4;
export const MODE_AUTO_APPEND = 8;
/** The liquidation account: no margin is asked of it. */
export const MODE_HOUSE = 16;
/** A leader's or a follower's, told to copy trading. */
export const MODE_WATCHED = 64;
/** In a demo market: orders follow the published fill model instead of a book. */
export const MODE_DEMO = 32;

export const POSITION_WORDS = 32;
export const POSITION_SHIFT = 5;
export const POSITION_DOUBLE_SHIFT = 4;
export function atPosition(position: number): Begin<"position"> {
  return position << POSITION_SHIFT;
}
export const PO_SYMBOL_MARGIN: Word<"position"> = 1;
export const PO_FLAGS: Word<"position"> = 2;
export const PO_LEVERAGE: Word<"position"> = 3;
/** Place in its market's heap, 0 for none, and the price that brings it up. */
export const PO_PLACE: Word<"position"> = 4;
export const PO_KEY: Word<"position"> = 5;
export const PO_GENERATION: Word<"position"> = 6;
export const PO_NEXT: Word<"position"> = 7;
export const PO_PREV: Word<"position"> = 8;
export const PO_SIBLING: Word<"position"> = 9;
/** The highest margin warning given for an isolated position. */
export const PO_WARNED: Word<"position"> = 10;
/** The same as PO_PLACE and PO_KEY, for the next warning. */
export const PO_WARN_PLACE: Word<"position"> = 22;
export const PO_WARN_KEY: Word<"position"> = 23;
/** Lots, long positive and short negative. */
export const POF_LOTS: Double<"position"> = 6;
/** What the lots were worth when they came in, rounded up; POF_EXCESS is by how much that exceeds the exact cost. */
export const POF_COST: Double<"position"> = 7;
/** Isolated margin, frozen in the margin account's cell. */
export const POF_MARGIN: Double<"position"> = 8;
export const POF_REALIZED: Double<"position"> = 9;
export const POF_OPENED: Double<"position"> = 10;
/** Of a follower's position: the id of the leader's it copies, kept when it is flat. */
export const POF_LEADER: Double<"position"> = 12;
/** A part of a unit, a multiple of 2^-48; see kit/exact-cost. */
export const POF_EXCESS: Double<"position"> = 13;

export const POSITION_SPLIT = 1;
export const POSITION_LISTED = 2;
/** Taken from the free chain or made; a split position that is flat goes back. */
export const POSITION_IDS = 0x1000000;

/** What a position is looked at for: a margin that may be used up, or a warning. */
export const LOOK_END = 0;
export const LOOK_WARN = 1;
const HEAP_WORDS = 2;

export class Perps {
  readonly contracts = new Table<"contract">("contracts", CONTRACT_WORDS, 8);
  readonly sources = new Table("index-sources", SOURCE_WORDS, 8);
  readonly marginAccounts = new Table<"marginAccount">("margin-accounts", MARGIN_ACCOUNT_WORDS, 16);
  readonly marginAccountIndex = new PairIndex("margin-account-index");
  readonly symbolMargins = new Table<"symbolMargin">("symbol-margins", SYMBOL_MARGIN_WORDS, 16);
  readonly positions = new Table<"position">("positions", POSITION_WORDS, 16);
  /** Margin accounts whose positions changed since they were last looked at; word 0 the margin account. */
  readonly dirty = new Table("dirty-margin-accounts", 2, 16);
  readonly grants = new Records<"grant">("bonus-grants", 32);
  /** The fund's highest balance in each of sixteen half hours, by asset. */
  readonly peaks = new Table("insurance-peaks", 64, 8);
  /** What demo takers took in the last minute. */
  readonly takes = new Records<"take">("demo-takes", 8);
  readonly #heaps: Table[][] = [];

  contractWords: Words<"contract"> = this.contracts.i32;
  contractDoubles: Doubles<"contract"> = this.contracts.f64;
  marginAccountWords: Words<"marginAccount"> = this.marginAccounts.i32;
  marginAccountDoubles: Doubles<"marginAccount"> = this.marginAccounts.f64;
  symbolMarginWords: Words<"symbolMargin"> = this.symbolMargins.i32;
  symbolMarginDoubles: Doubles<"symbolMargin"> = this.symbolMargins.f64;
  positionWords: Words<"position"> = this.positions.i32;
  positionDoubles: Doubles<"position"> = this.positions.f64;

  /** Symbol margins whose position shrank while orders depend on it; worked off when no match is under way. Scratch. */
  readonly touched: number[] = [];
  /** Real trades of the command that demo orders must see: market, price, lots. Scratch. */
  readonly realTrades: number[] = [];
  /**
   * Contracts as kit/margin knows them, made when first wanted; whoever changes a contract takes its own away. Scratch.
   */
  readonly terms: (Contract | undefined)[] = [];
  /** Margin accounts to be liquidated or warned once the command's own work is done. Scratch. */
  readonly registers = new Float64Array(8);
  /** Results that are more than one number, see kit/exact-cost. Scratch. */
  readonly exact = new Float64Array(X_REGISTERS);

  constructor() {
    const refresh = (): void => {
      this.contractWords = this.contracts.i32;
      this.contractDoubles = this.contracts.f64;
      this.marginAccountWords = this.marginAccounts.i32;
      this.marginAccountDoubles = this.marginAccounts.f64;
      this.symbolMarginWords = this.symbolMargins.i32;
      this.symbolMarginDoubles = this.symbolMargins.f64;
      this.positionWords = this.positions.i32;
      this.positionDoubles = this.positions.f64;
    };
    for (const table of [this.contracts, this.marginAccounts, this.symbolMargins, this.positions])
      table.onGrow = refresh;
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
    this.realTrades.length = 0;
  }

  /** 0: longs, highest price first; 1: shorts, lowest first. */
  heap(market: number, side: number, look: number): Table {
    return (this.#heaps[market] as Table[])[look * 2 + side] as Table;
  }

  isPerp(market: number): boolean {
    return getWord(this.contractWords, atContract(market), CT_KIND) !== 0;
  }

  isInverse(market: number): boolean {
    return getWord(this.contractWords, atContract(market), CT_KIND) === 2;
  }

  contract(market: number, word: Word<"contract">): number {
    return getWord(this.contractWords, atContract(market), word);
  }

  contractDouble(market: number, double: Double<"contract">): number {
    return getDouble(this.contractDoubles, atContract(market), double);
  }

  setContract(market: number, word: Word<"contract">, value: number): void {
    setWord(this.contractWords, atContract(market), word, value);
  }

  setContractDouble(market: number, double: Double<"contract">, value: number): void {
    setDouble(this.contractDoubles, atContract(market), double, value);
  }

  marginAccount(marginAccount: number, word: Word<"marginAccount">): number {
    return getWord(this.marginAccountWords, atMarginAccount(marginAccount), word);
  }

  marginAccountDouble(marginAccount: number, double: Double<"marginAccount">): number {
    return getDouble(this.marginAccountDoubles, atMarginAccount(marginAccount), double);
  }

  symbolMargin(symbolMargin: number, word: Word<"symbolMargin">): number {
    return getWord(this.symbolMarginWords, atSymbolMargin(symbolMargin), word);
  }

  setSymbolMargin(symbolMargin: number, word: Word<"symbolMargin">, value: number): void {
    setWord(this.symbolMarginWords, atSymbolMargin(symbolMargin), word, value);
  }

  symbolMarginDouble(symbolMargin: number, double: Double<"symbolMargin">): number {
    return getDouble(this.symbolMarginDoubles, atSymbolMargin(symbolMargin), double);
  }

  position(position: number, word: Word<"position">): number {
    return getWord(this.positionWords, atPosition(position), word);
  }

  setPosition(position: number, word: Word<"position">, value: number): void {
    setWord(this.positionWords, atPosition(position), word, value);
  }

  positionDouble(position: number, double: Double<"position">): number {
    return getDouble(this.positionDoubles, atPosition(position), double);
  }

  setPositionDouble(position: number, double: Double<"position">, value: number): void {
    setDouble(this.positionDoubles, atPosition(position), double, value);
  }

  lots(position: number): number {
    return position === 0 ? 0 : this.positionDouble(position, POF_LOTS);
  }

  marketOf(position: number): number {
    return this.symbolMargin(this.position(position, PO_SYMBOL_MARGIN), SM_MARKET);
  }

  marginAccountOf(position: number): number {
    return this.symbolMargin(this.position(position, PO_SYMBOL_MARGIN), SM_MARGIN_ACCOUNT);
  }

  positionId(position: number): number {
    return position + this.position(position, PO_GENERATION) * POSITION_IDS;
  }

  /** Puts a margin account on the list of those to be looked at before the next mark; cheap enough for every fill. */
  markDirty(marginAccount: number): void {
    if (getWord(this.marginAccountWords, atMarginAccount(marginAccount), MA_DIRTY) !== 0) return;
    const at = this.dirty.take();
    this.dirty.i32[at * 2] = marginAccount;
    setWord(this.marginAccountWords, atMarginAccount(marginAccount), MA_DIRTY, at);
  }

  tables(): readonly Table[] {
    return [
      this.contracts,
      this.sources,
      this.marginAccounts,
      this.marginAccountIndex.table,
      this.symbolMargins,
      this.positions,
      this.dirty,
      this.grants.table,
      this.peaks,
      this.takes.table,
    ];
  }

  marketTables(market: number): readonly Table[] {
    return this.#heaps[market] ?? [];
  }
}
