// Owns the records of copy trading: leaders, who follows them with which settings, what a leader did that is being copied,
// and the lots spot followers hold. Holds no rule.
import { PairIndex } from "../../memory/pair-index.ts";
import { Records } from "../../memory/records.ts";
import type { Table } from "../../memory/table.ts";

export const COPY_FUTURES = 0;
export const COPY_SPOT = 1;

export const LE_ACCOUNT = 1;
export const LE_STATE = 2;
export const LE_KIND = 3;
/** The newest follow; they chain through FO_NEXT. */
export const LE_FOLLOWS = 4;
export const LE_COUNT = 5;
export const LE_MAX = 6;
/** Profit share in force and the one announced, in 1e-8. */
export const LE_RATE = 7;
export const LE_NEXT_RATE = 8;
/** The coin of investments and shares, and the leader's cell in it. */
export const LE_ASSET = 9;
export const LE_CELL = 10;
/** UTC day of the last fill that strayed from the fair price, and how many did on it. */
export const LE_STRAY_DAY = 11;
export const LE_STRAYS = 14;
/** From when the announced rate counts; 0 when none is. */
export const LEF_RATE_FROM = 6;

export const FO_LEADER = 1;
/** The follower's sub-book. */
export const FO_ACCOUNT = 2;
/** 1 while it follows. */
export const FO_ACTIVE = 3;
export const FO_NEXT = 4;
export const FO_PREV = 5;
export const FO_CELL = 6;
/** The share its hold is reckoned with: the leader's as of the last settlement. */
export const FO_RATE = 7;
export const FO_KIND = 8;
/** Copies that wait in the queue. */
export const FO_QUEUED = 9;
/** Number of the UTC day FOF_DAY_START is of. */
export const FO_DAY = 10;
/** Bits: its hold is to be brought up to date before the command is over, and is to be told even if it stays. */
export const FO_TOUCHED = 11;
/** First holding of a spot follower; they chain through HO_NEXT. */
export const FO_HOLDINGS = 12;
export const FO_MODE = 13;
export const FO_MARGIN_MODE = 14;
export const FO_MIRROR_MARGIN = 15;
export const FO_MULTIPLIER = 16;
export const FO_LEVERAGE = 17;
export const FO_LEVERAGE_MAX = 18;
export const FO_SLIPPAGE = 19;
export const FO_STOP_LOSS = 20;
export const FO_TAKE_PROFIT = 21;
/** Markets it copies, none for all. */
export const FO_MARKETS = 22;
export const FO_MARKETS_MAX = 16;
/** Net units that came in other than by trading; what is in the cell beyond it was realised. */
export const FOF_FUNDED = 19;
/** R and H of the rules: cumulative realised net profit, and its mark. */
export const FOF_REALIZED = 20;
export const FOF_MARK = 21;
/** Share set aside for the leader, frozen in the cell. */
export const FOF_HELD = 22;
/** What the user has put in and not taken out since the follow began; what was there then counts as put in. */
export const FOF_INVESTED = 23;
export const FOF_FIXED = 24;
export const FOF_ORDER_MAX = 25;
export const FOF_SYMBOL_MAX = 26;
export const FOF_TOTAL_MAX = 27;
export const FOF_DAY_LOSS = 28;
/** R when the day of FO_DAY began. */
export const FOF_DAY_START = 29;
/**
 * What the bounds at which all is closed are reckoned from: the investment, less the same part of it as every withdrawal took
 * of the equity. 0 in records of before there was one, −1 when nothing is at stake.
 */
export const FOF_BASE = 30;
/** Taken out in this command, at its worth: the base is lowered when the command's own work is done. */
export const FOF_TAKEN = 31;
/** Of the null record: the next settlement and the next look at guards, and how far each has come; 0 when none runs. */
export const FOF_NEXT_SETTLEMENT = 19;
export const FOF_SETTLED = 20;
export const FOF_NEXT_GUARD = 21;
export const FOF_GUARDED = 22;
/** Of the null record: follows with a stop-loss or take-profit. */
export const FO_GUARDS = 1;

/** What a leader did. */
export const JOB_OPEN = 0;
export const JOB_CLOSE = 1;
export const JOB_MARGIN = 2;
export const JOB_STOPS = 3;
/** The leader has stopped leading: follows end. */
export const JOB_END = 4;
/** Stops of the leader's ended: what mirrors them does too. */
export const JOB_STOPS_ENDED = 5;
export const JO_LEADER = 1;
export const JO_KIND = 2;
export const JO_MARKET = 3;
/** 1 for the short side, and for a spot sale. */
export const JO_SHORT = 4;
/** Copies of it that are still to be made. */
export const JO_LEFT = 5;
export const JO_LEVERAGE = 6;
export const JO_ISOLATED = 7;
export const JO_ORDER = 8;
export const JO_GENERATION = 9;
/** As setPositionStops has them from byte 48 on: two triggers with prices, source, trail and where it starts. */
export const JO_STOPS = 10;
export const JO_STOPS_WORDS = 7;
/** Of a close: a stop did it, so copies of it go to the market as well. */
export const JO_BY_STOP = 17;
/** Of stops: one that stands was moved; its kind, direction, trigger, limit and callback are in JO_STOPS. */
export const JO_MOVED = 17;
/** Lots or base units moved, and their value in units. */
export const JOF_LOTS = 9;
export const JOF_VALUE = 10;
/** Of a close: what was held before; of margin: the margin before. */
export const JOF_WHOLE = 11;
/** What the order asks in all, in lots or quote units, of which this is JOF_LOTS or JOF_VALUE. */
export const JOF_ORDER_LOTS = 12;
export const JOF_EQUITY = 13;
/** Of a spot leader who gave a coin for another: units of it that he gave. */
export const JOF_GIVEN = 13;
/** Of a moved stop: the command it was set with. */
export const JOF_SET = 13;
export const JOF_POSITION = 14;
export const JOF_CAUSE = 15;

export const HO_FOLLOW = 1;
export const HO_ASSET = 2;
export const HO_HEAD = 3;
export const HO_TAIL = 4;
export const HO_NEXT = 5;
/** The market it was last bought in. */
export const HO_MARKET = 6;
export const HOF_UNITS = 4;
export const HOF_COST = 5;

export const LO_NEXT = 1;
export const LOF_UNITS = 1;
export const LOF_COST = 2;

export class Copies {
  readonly leaders = new Records("copy-leaders", 16);
  readonly follows = new Records("copy-follows", 64);
  readonly jobs = new Records("copy-jobs", 32);
  readonly holdings = new Records("copy-holdings", 16);
  readonly lots = new Records("copy-lots", 8);
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
