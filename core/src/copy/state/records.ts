// Owns the records of copy trading: leaders, who follows them with which settings, what a leader did that is being copied,
// and the lots spot followers hold. Holds no rule.

import { PairIndex } from "../../memory/pair-index.ts";
import type { Double, Word } from "../../memory/record.ts";
import { Records } from "../../memory/records.ts";
import type { Table } from "../../memory/table.ts";

export const COPY_FUTURES = 0;
export const COPY_SPOT = 1;

export const LE_ACCOUNT: Word<"leader"> = 1;
export const LE_STATE: Word<"leader"> = 2;
export const LE_KIND: Word<"leader"> = 3;
/** The newest follow; they chain through FO_NEXT. */
export const LE_FOLLOWS: Word<"leader"> = 4;
export const LE_COUNT: Word<"leader"> = 5;
export const LE_MAX: Word<"leader"> = 6;
/** Profit share in force and the one announced, in 1e-8. */
export const LE_RATE: Word<"leader"> = 7;
export const LE_NEXT_RATE: Word<"leader"> = 8;
/** The coin of investments and shares, and the leader's cell in it. */
export const LE_ASSET: Word<"leader"> = 9;
export const LE_CELL: Word<"leader"> = 10;
/** UTC day of the last fill that strayed from the fair price, and how many did on it. */
export const LE_STRAY_DAY: Word<"leader"> = 11;
export const LE_STRAYS: Word<"leader"> = 14;
/** From when the announced rate counts; 0 when none is. */
export const LEF_RATE_FROM: Double<"leader"> = 6;

export const FO_LEADER: Word<"follow"> = 1;
/** The follower's sub-book. */
export const FO_ACCOUNT: Word<"follow"> = 2;
/** 1 while it follows. */
export const FO_ACTIVE: Word<"follow"> = 3;
export const FO_NEXT: Word<"follow"> = 4;
export const FO_PREV: Word<"follow"> = 5;
export const FO_CELL: Word<"follow"> = 6;
/** The share its hold is reckoned with: the leader's as of the last settlement. */
export const FO_RATE: Word<"follow"> = 7;
export const FO_KIND: Word<"follow"> = 8;
/** Copies that wait in the queue. */
export const FO_QUEUED: Word<"follow"> = 9;
/** Number of the UTC day FOF_DAY_START is of. */
export const FO_DAY: Word<"follow"> = 10;
/** Bits: its hold is to be brought up to date before the command is over, and is to be told even if it stays. */
export const FO_TOUCHED: Word<"follow"> = 11;
/** First holding of a spot follower; they chain through HO_NEXT. */
export const FO_HOLDINGS: Word<"follow"> = 12;
export const FO_MODE: Word<"follow"> = 13;
export const FO_MARGIN_MODE: Word<"follow"> = 14;
export const FO_MIRROR_MARGIN: Word<"follow"> = 15;
export const FO_MULTIPLIER: Word<"follow"> = 16;
export const FO_LEVERAGE: Word<"follow"> = 17;
export const FO_LEVERAGE_MAX: Word<"follow"> = 18;
export const FO_SLIPPAGE: Word<"follow"> = 19;
export const FO_STOP_LOSS: Word<"follow"> = 20;
export const FO_TAKE_PROFIT: Word<"follow"> = 21;
/** Markets it copies, none for all. */
export const FO_MARKETS: Word<"follow"> = 22;
export const FO_MARKETS_MAX = 16;
/** Net units that came in other than by trading; what is in the cell beyond it was realised. */
export const FOF_FUNDED: Double<"follow"> = 19;
/** R and H of the rules: cumulative realised net profit, and its mark. */
export const FOF_REALIZED: Double<"follow"> = 20;
export const FOF_MARK: Double<"follow"> = 21;
/** Share set aside for the leader, frozen in the cell. */
export const FOF_HELD: Double<"follow"> = 22;
/** What the user has put in and not taken out since the follow began; what was there then counts as put in. */
export const FOF_INVESTED: Double<"follow"> = 23;
export const FOF_FIXED: Double<"follow"> = 24;
export const FOF_ORDER_MAX: Double<"follow"> = 25;
export const FOF_SYMBOL_MAX: Double<"follow"> = 26;
export const FOF_TOTAL_MAX: Double<"follow"> = 27;
export const FOF_DAY_LOSS: Double<"follow"> = 28;
/** R when the day of FO_DAY began. */
export const FOF_DAY_START: Double<"follow"> = 29;
/**
 * What the bounds at which all is closed are reckoned from: the investment, less the same part of it as every withdrawal took
 * of the equity. 0 in records of before there was one, −1 when nothing is at stake.
 */
export const FOF_BASE: Double<"follow"> = 30;
/** Taken out in this command, at its worth: the base is lowered when the command's own work is done. */
export const FOF_TAKEN: Double<"follow"> = 31;
/** Of the null record: the next settlement and the next look at guards, and how far each has come; 0 when none runs. */
export const FOF_NEXT_SETTLEMENT: Double<"follow"> = 19;
export const FOF_SETTLED: Double<"follow"> = 20;
export const FOF_NEXT_GUARD: Double<"follow"> = 21;
export const FOF_GUARDED: Double<"follow"> = 22;
/** Of the null record: follows with a stop-loss or take-profit. */
export const FO_GUARDS: Word<"follow"> = 1;

/** What a leader did. */
export const JOB_OPEN = 0;
export const JOB_CLOSE = 1;
export const JOB_MARGIN = 2;
export const JOB_STOPS = 3;
/** The leader has stopped leading: follows end. */
export const JOB_END = 4;
/** Stops of the leader's ended: what mirrors them does too. */
export const JOB_STOPS_ENDED = 5;
export const JO_LEADER: Word<"job"> = 1;
export const JO_KIND: Word<"job"> = 2;
export const JO_MARKET: Word<"job"> = 3;
/** 1 for the short side, and for a spot sale. */
export const JO_SHORT: Word<"job"> = 4;
/** Copies of it that are still to be made. */
export const JO_LEFT: Word<"job"> = 5;
export const JO_LEVERAGE: Word<"job"> = 6;
export const JO_ISOLATED: Word<"job"> = 7;
export const JO_ORDER: Word<"job"> = 8;
export const JO_GENERATION: Word<"job"> = 9;
/** As setPositionStops has them: two triggers with prices, source, trail and where it starts. */
export const JO_STOPS: Word<"job"> = 10;
export const JO_STOPS_WORDS = 7;
/** Of a close: a stop did it, so copies of it go to the market as well. */
export const JO_BY_STOP: Word<"job"> = 17;
/** Of stops: one that stands was moved; its kind, direction, trigger, limit and callback are in JO_STOPS. */
export const JO_MOVED: Word<"job"> = 17;
/** Lots or base units moved, and their value in units. */
export const JOF_LOTS: Double<"job"> = 9;
export const JOF_VALUE: Double<"job"> = 10;
/** Of a close: what was held before; of margin: the margin before. */
export const JOF_WHOLE: Double<"job"> = 11;
/** What the order asks in all, in lots or quote units, of which this is JOF_LOTS or JOF_VALUE. */
export const JOF_ORDER_LOTS: Double<"job"> = 12;
export const JOF_EQUITY: Double<"job"> = 13;
/** Of a spot leader who gave a coin for another: units of it that he gave. */
export const JOF_GIVEN: Double<"job"> = 13;
/** Of a moved stop: the command it was set with. */
export const JOF_SET: Double<"job"> = 13;
export const JOF_POSITION: Double<"job"> = 14;
export const JOF_CAUSE: Double<"job"> = 15;

export const HO_FOLLOW: Word<"holding"> = 1;
export const HO_ASSET: Word<"holding"> = 2;
export const HO_HEAD: Word<"holding"> = 3;
export const HO_TAIL: Word<"holding"> = 4;
export const HO_NEXT: Word<"holding"> = 5;
/** The market it was last bought in. */
export const HO_MARKET: Word<"holding"> = 6;
export const HOF_UNITS: Double<"holding"> = 4;
export const HOF_COST: Double<"holding"> = 5;

export const LO_NEXT: Word<"lot"> = 1;
export const LOF_UNITS: Double<"lot"> = 1;
export const LOF_COST: Double<"lot"> = 2;

export class Copies {
  readonly leaders = new Records<"leader">("copy-leaders", 16);
  readonly follows = new Records<"follow">("copy-follows", 64);
  readonly jobs = new Records<"job">("copy-jobs", 32);
  readonly holdings = new Records<"holding">("copy-holdings", 16);
  readonly lots = new Records<"lot">("copy-lots", 8);
  readonly holdingIndex = new PairIndex("copy-holding-index");

  /** Whether anything below waits to be worked off in this command. Scratch, as all that follows. */
  isMoving = false;
  /** What leaders did in this command. */
  readonly fresh: number[] = [];
  /** Follows whose hold is to be brought up to date. */
  readonly touched: number[] = [];
  /** The order whose fill is being settled, 0 when there is none. */
  orderSlot = 0;
  /** Set while a stop of a position becomes an order. */
  isStopping = false;
  /** Set while a copy is placed: followers themselves may only close. */
  isCopying = false;

  tables(): readonly Table[] {
    return [
      this.leaders.table,
      this.follows.table,
      this.jobs.table,
      this.holdings.table,
      this.lots.table,
      this.holdingIndex.table,
    ];
  }
}
