// Owns instruments and their limits, and the price band around the five-minute average price. Never touches money.
import { bandHigh, bandLow } from "@clockwork/kit/order-bounds";
import { Table } from "../memory/table.ts";

export const MARKET_WORDS = 64;
export const MARKET_SHIFT = 6;
export const MARKET_DOUBLE_SHIFT = 5;
export const M_KIND = 0;
export const M_STATUS = 1;
export const M_FEE_GROUP = 2;
export const M_BASE = 3;
export const M_QUOTE = 4;
export const M_SETTLE = 5;
export const M_RESTING_MAX = 6;
export const M_CONDITIONAL_MAX = 7;
export const M_LIST_MAX = 8;
export const M_BUY_MAX_BPS = 9;
export const M_BUY_MIN_BPS = 10;
export const M_SELL_MIN_BPS = 11;
export const M_SELL_MAX_BPS = 12;
export const M_SLIPPAGE_BPS = 13;
/** Last average price in ticks: what the band hangs on when nothing traded for five minutes. 0 = no band. */
export const M_ANCHOR = 14;
export const M_MARK = 15;
export const M_INDEX = 16;
export const M_BAND_STALE = 17;
/** Bounds in ticks, 0 = none. */
export const M_BUY_MAX = 18;
export const M_BUY_MIN = 19;
export const M_SELL_MIN = 20;
export const M_SELL_MAX = 21;
export const M_BASE_FEES_CELL = 22;
export const M_QUOTE_FEES_CELL = 23;
export const M_BASE_ROUNDING_CELL = 24;
export const M_QUOTE_ROUNDING_CELL = 25;
/** Symbol: length byte and text in words 26 to 31. */
export const M_SYMBOL = 26;
/** Place of the current bucket of the average. */
export const M_BUCKET = 50;
export const MF_STEP_UNITS = 16;
export const MF_TICK_LOT_UNITS = 17;
export const MF_MIN_LOTS = 18;
export const MF_MAX_LOTS = 19;
export const MF_MAX_MARKET_LOTS = 20;
export const MF_MIN_NOTIONAL = 21;
/** When the current bucket of the average ends, and the rolling sums of ticks × lots and of lots. */
export const MF_BUCKET_END = 22;
export const MF_SUM_NOTIONAL = 23;
export const MF_SUM_LOTS = 24;
/** Units an open order freezes: base per lot sold, quote per tick and lot bought. Perpetuals freeze nothing. */
export const MF_HOLD_BASE = 26;
export const MF_HOLD_QUOTE = 27;

/** Positions in MARKET_STATUSES; PRE (0) and HALT (5) admit nothing and need no name of their own. */
export const STATUS_AUCTION = 1;
export const STATUS_TRADING = 2;
export const STATUS_CANCEL_ONLY = 3;
export const STATUS_REDUCE_ONLY = 4;
export const STATUS_DELISTED = 6;

export const KIND_SPOT = 0;

const BUCKET_MS = 10_000;
const BUCKETS = 30;
/** Doubles of a market in the table of buckets. */
export const BUCKET_DOUBLES = BUCKETS * 2;
/** Sums are halved above this, so that they stay exact; an average does not notice. */
export const SUM_MAX = 2 ** 52;

/** No bound lies beyond the highest price there is; a word would wrap. */
export class Markets {
  readonly table = new Table("markets", MARKET_WORDS, 8);
  /** Thirty buckets of ten seconds: ticks × lots and lots. */
  readonly buckets = new Table("market-buckets", BUCKETS * 4, 8);

  words: Int32Array = this.table.i32;
  doubles: Float64Array = this.table.f64;

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

  word(market: number, word: number): number {
    return this.words[(market << MARKET_SHIFT) + word] as number;
  }

  double(market: number, double: number): number {
    return this.doubles[(market << MARKET_DOUBLE_SHIFT) + double] as number;
  }

  /** Adds a trade to the average. */
  addTrade(market: number, price: number, lots: number, now: number): void {
    const f64 = this.doubles;
    const at = market << MARKET_DOUBLE_SHIFT;
    if (now >= (f64[at + MF_BUCKET_END] as number)) this.#roll(market, now);
    const notional = price * lots;
    const bucket = market * BUCKETS * 2 + (this.words[(market << MARKET_SHIFT) | M_BUCKET] as number) * 2;
    const buckets = this.buckets.f64;
    buckets[bucket] = (buckets[bucket] as number) + notional;
    buckets[bucket + 1] = (buckets[bucket + 1] as number) + lots;
    const sum = (f64[at + MF_SUM_NOTIONAL] as number) + notional;
    f64[at + MF_SUM_NOTIONAL] = sum;
    f64[at + MF_SUM_LOTS] = (f64[at + MF_SUM_LOTS] as number) + lots;
    // Orders of perpetuals are bound to the mark, whatever was traded.
    if (this.words[market << MARKET_SHIFT] === KIND_SPOT) this.words[(market << MARKET_SHIFT) | M_BAND_STALE] = 1;
    if (sum > SUM_MAX) this.#halve(market);
  }

  /** Brings the band up to date for an order at `now`. */
  refreshBand(market: number, now: number): void {
    const base = market << MARKET_SHIFT;
    if (now >= this.double(market, MF_BUCKET_END)) this.#roll(market, now);
    if (this.words[base + M_BAND_STALE] !== 0) this.setBand(market);
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
    const base = market << MARKET_SHIFT;
    const lots = this.double(market, MF_SUM_LOTS);
    if (lots > 0) words[base + M_ANCHOR] = Math.floor(this.double(market, MF_SUM_NOTIONAL) / lots);
    // Orders of perpetuals are bound to the mark.
    if (words[base + M_KIND] !== KIND_SPOT) words[base + M_ANCHOR] = words[base + M_MARK] as number;
    const anchor = words[base + M_ANCHOR] as number;
    words[base + M_BUY_MAX] = bandHigh(anchor, words[base + M_BUY_MAX_BPS] as number);
    words[base + M_BUY_MIN] = bandLow(anchor, words[base + M_BUY_MIN_BPS] as number);
    words[base + M_SELL_MIN] = bandLow(anchor, words[base + M_SELL_MIN_BPS] as number);
    words[base + M_SELL_MAX] = bandHigh(anchor, words[base + M_SELL_MAX_BPS] as number);
    words[base + M_BAND_STALE] = 0;
  }

  /** Drops the buckets that have left the window. */
  #roll(market: number, now: number): void {
    const f64 = this.doubles;
    const buckets = this.buckets.f64;
    const at = market << MARKET_DOUBLE_SHIFT;
    const current = Math.floor(now / BUCKET_MS);
    const ended = (f64[at + MF_BUCKET_END] as number) / BUCKET_MS;
    for (let bucket = Math.max(ended, current - BUCKETS + 1); bucket <= current; bucket++) {
      const place = market * BUCKETS * 2 + (bucket % BUCKETS) * 2;
      f64[at + MF_SUM_NOTIONAL] = (f64[at + MF_SUM_NOTIONAL] as number) - (buckets[place] as number);
      f64[at + MF_SUM_LOTS] = (f64[at + MF_SUM_LOTS] as number) - (buckets[place + 1] as number);
      buckets[place] = 0;
      buckets[place + 1] = 0;
    }
    f64[at + MF_BUCKET_END] = (current + 1) * BUCKET_MS;
    this.words[(market << MARKET_SHIFT) | M_BUCKET] = current % BUCKETS;
    this.words[(market << MARKET_SHIFT) | M_BAND_STALE] = 1;
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
    this.doubles[(market << MARKET_DOUBLE_SHIFT) | MF_SUM_NOTIONAL] = notional;
    this.doubles[(market << MARKET_DOUBLE_SHIFT) | MF_SUM_LOTS] = lots;
  }

  tables(): readonly Table[] {
    return [this.table, this.buckets];
  }
}
