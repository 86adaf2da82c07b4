// Owns instruments and their limits, and the price band around the five-minute average price. Never touches money.

import { bandHigh, bandLow } from "@clockwork/kit/order-bounds";
import {
  addDouble,
  type Begin,
  type Double,
  type Doubles,
  getDouble,
  getWord,
  setDouble,
  setWord,
  type Word,
  type Words,
} from "../memory/record.ts";
import { Table } from "../memory/table.ts";

export const MARKET_WORDS = 64;
export const MARKET_SHIFT = 6;
export function atMarket(market: number): Begin<"market"> {
  return market << MARKET_SHIFT;
}
export const M_KIND: Word<"market"> = 0;
export const M_STATUS: Word<"market"> = 1;
export const M_FEE_GROUP: Word<"market"> = 2;
export const M_BASE: Word<"market"> = 3;
export const M_QUOTE: Word<"market"> = 4;
export const M_SETTLE: Word<"market"> = 5;
export const M_RESTING_MAX: Word<"market"> = 6;
export const M_CONDITIONAL_MAX: Word<"market"> = 7;
export const M_LIST_MAX: Word<"market"> = 8;
export const M_BUY_MAX_BPS: Word<"market"> = 9;
export const M_BUY_MIN_BPS: Word<"market"> = 10;
export const M_SELL_MIN_BPS: Word<"market"> = 11;
export const M_SELL_MAX_BPS: Word<"market"> = 12;
export const M_SLIPPAGE_BPS: Word<"market"> = 13;
/** Last average price in ticks: what the band hangs on when nothing traded for five minutes. 0 = no band. */
export const M_ANCHOR: Word<"market"> = 14;
export const M_MARK: Word<"market"> = 15;
export const M_INDEX: Word<"market"> = 16;
export const M_BAND_STALE: Word<"market"> = 17;
/** Bounds in ticks, 0 = none. */
export const M_BUY_MAX: Word<"market"> = 18;
export const M_BUY_MIN: Word<"market"> = 19;
export const M_SELL_MIN: Word<"market"> = 20;
export const M_SELL_MAX: Word<"market"> = 21;
export const M_BASE_FEES_CELL: Word<"market"> = 22;
export const M_QUOTE_FEES_CELL: Word<"market"> = 23;
export const M_BASE_ROUNDING_CELL: Word<"market"> = 24;
export const M_QUOTE_ROUNDING_CELL: Word<"market"> = 25;
/** Symbol: length byte and text in words 26 to 31. */
export const M_SYMBOL: Word<"market"> = 26;
/** Place of the current bucket of the average. */
export const M_BUCKET: Word<"market"> = 50;
export const MF_STEP_UNITS: Double<"market"> = 16;
export const MF_TICK_LOT_UNITS: Double<"market"> = 17;
export const MF_MIN_LOTS: Double<"market"> = 18;
export const MF_MAX_LOTS: Double<"market"> = 19;
export const MF_MAX_MARKET_LOTS: Double<"market"> = 20;
export const MF_MIN_NOTIONAL: Double<"market"> = 21;
/** When the current bucket of the average ends, and the rolling sums of ticks × lots and of lots. */
export const MF_BUCKET_END: Double<"market"> = 22;
export const MF_SUM_NOTIONAL: Double<"market"> = 23;
export const MF_SUM_LOTS: Double<"market"> = 24;
/** Units an open order freezes: base per lot sold, quote per tick and lot bought. Perpetuals freeze nothing. */
export const MF_HOLD_BASE: Double<"market"> = 26;
export const MF_HOLD_QUOTE: Double<"market"> = 27;

/** Positions in MARKET_STATUSES; PRE (0) and HALT (5) admit nothing and need no name of their own. */
export const STATUS_AUCTION = 1;
export const STATUS_TRADING = 2;
export const STATUS_CANCEL_ONLY = 3;
export const STATUS_REDUCE_ONLY = 4;
export const STATUS_DELISTED = 6;

export const KIND_SPOT = 0;

const BUCKET_MS = 10_000;
const BUCKETS = 30;
/** Sums are halved above this, so that they stay exact; an average does not notice. */
export const SUM_MAX = 2 ** 52;

/** No bound lies beyond the highest price there is; a word would wrap. */
export class Markets {
  readonly table = new Table<"market">("markets", MARKET_WORDS, 8);
  /** Thirty buckets of ten seconds: ticks × lots and lots. */
  readonly buckets = new Table("market-buckets", BUCKETS * 4, 8);

  words: Words<"market"> = this.table.i32;
  doubles: Doubles<"market"> = this.table.f64;

  constructor() {
    this.table.onGrow = () => {
      this.words = this.table.i32;
      this.doubles = this.table.f64;
    };
  }

  isMarket(market: number): boolean {
    return market > 0 && market < this.table.count;
  }

  add(): number {
    this.buckets.take();
    return this.table.take();
  }

  word(market: number, word: Word<"market">): number {
    return getWord(this.words, atMarket(market), word);
  }

  double(market: number, double: Double<"market">): number {
    return getDouble(this.doubles, atMarket(market), double);
  }

  /** Adds a trade to the average. */
  addTrade(market: number, price: number, lots: number, now: number): void {
    const f64 = this.doubles;
    const at = atMarket(market);
    if (now >= getDouble(f64, at, MF_BUCKET_END)) this.#roll(market, now);
    const notional = price * lots;
    const bucket = market * BUCKETS * 2 + getWord(this.words, atMarket(market), M_BUCKET) * 2;
    const buckets = this.buckets.f64;
    buckets[bucket] = (buckets[bucket] as number) + notional;
    buckets[bucket + 1] = (buckets[bucket + 1] as number) + lots;
    const sum = getDouble(f64, at, MF_SUM_NOTIONAL) + notional;
    setDouble(f64, at, MF_SUM_NOTIONAL, sum);
    addDouble(f64, at, MF_SUM_LOTS, lots);
    // Orders of perpetuals are bound to the mark, whatever was traded.
    if (getWord(this.words, atMarket(market), M_KIND) === KIND_SPOT)
      setWord(this.words, atMarket(market), M_BAND_STALE, 1);
    if (sum > SUM_MAX) this.#halve(market);
  }

  /** Brings the band up to date for an order at `now`. */
  refreshBand(market: number, now: number): void {
    const base = atMarket(market);
    if (now >= this.double(market, MF_BUCKET_END)) this.#roll(market, now);
    if (getWord(this.words, base, M_BAND_STALE) !== 0) this.setBand(market);
  }

  /** The five-minute average as an order would find it now, the last known one when nothing traded. Changes nothing. */
  readAverage(market: number, now: number): number {
    const buckets = this.buckets.f64;
    let notional = this.double(market, MF_SUM_NOTIONAL);
    let lots = this.double(market, MF_SUM_LOTS);
    const current = Math.floor(now / BUCKET_MS);
    const ended = this.double(market, MF_BUCKET_END) / BUCKET_MS;
    for (let bucket = Math.max(ended, current - BUCKETS + 1); bucket <= current; bucket++) {
      const place = market * BUCKETS * 2 + (bucket % BUCKETS) * 2;
      notional -= buckets[place] as number;
      lots -= buckets[place + 1] as number;
    }
    return lots > 0 ? Math.floor(notional / lots) : this.word(market, M_ANCHOR);
  }

  setBand(market: number): void {
    const words = this.words;
    const base = atMarket(market);
    const lots = this.double(market, MF_SUM_LOTS);
    if (lots > 0) setWord(words, base, M_ANCHOR, Math.floor(this.double(market, MF_SUM_NOTIONAL) / lots));
    // Orders of perpetuals are bound to the mark.
    if (getWord(words, base, M_KIND) !== KIND_SPOT) setWord(words, base, M_ANCHOR, getWord(words, base, M_MARK));
    const anchor = getWord(words, base, M_ANCHOR);
    setWord(words, base, M_BUY_MAX, bandHigh(anchor, getWord(words, base, M_BUY_MAX_BPS)));
    setWord(words, base, M_BUY_MIN, bandLow(anchor, getWord(words, base, M_BUY_MIN_BPS)));
    setWord(words, base, M_SELL_MIN, bandLow(anchor, getWord(words, base, M_SELL_MIN_BPS)));
    setWord(words, base, M_SELL_MAX, bandHigh(anchor, getWord(words, base, M_SELL_MAX_BPS)));
    setWord(words, base, M_BAND_STALE, 0);
  }

  /** Drops the buckets that have left the window. */
  #roll(market: number, now: number): void {
    const f64 = this.doubles;
    const buckets = this.buckets.f64;
    const at = atMarket(market);
    const current = Math.floor(now / BUCKET_MS);
    const ended = getDouble(f64, at, MF_BUCKET_END) / BUCKET_MS;
    for (let bucket = Math.max(ended, current - BUCKETS + 1); bucket <= current; bucket++) {
      const place = market * BUCKETS * 2 + (bucket % BUCKETS) * 2;
      setDouble(f64, at, MF_SUM_NOTIONAL, getDouble(f64, at, MF_SUM_NOTIONAL) - (buckets[place] as number));
      setDouble(f64, at, MF_SUM_LOTS, getDouble(f64, at, MF_SUM_LOTS) - (buckets[place + 1] as number));
      buckets[place] = 0;
      buckets[place + 1] = 0;
    }
    setDouble(f64, at, MF_BUCKET_END, (current + 1) * BUCKET_MS);
    setWord(this.words, atMarket(market), M_BUCKET, current % BUCKETS);
    setWord(this.words, atMarket(market), M_BAND_STALE, 1);
  }

  #halve(market: number): void {
    const buckets = this.buckets.f64;
    let notional = 0;
    let lots = 0;
    for (let i = market * BUCKETS * 2; i < (market + 1) * BUCKETS * 2; i += 2) {
      buckets[i] = Math.floor((buckets[i] as number) / 2);
      buckets[i + 1] = Math.ceil((buckets[i + 1] as number) / 2);
      notional += buckets[i] as number;
      lots += buckets[i + 1] as number;
    }
    setDouble(this.doubles, atMarket(market), MF_SUM_NOTIONAL, notional);
    setDouble(this.doubles, atMarket(market), MF_SUM_LOTS, lots);
  }

  tables(): readonly Table[] {
    return [this.table, this.buckets];
  }
}
