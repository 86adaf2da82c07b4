// Owns what copies on spot and futures share: who may be copied now, the limit a follower's slippage allows, and sending the
// order. Never decides how much.

import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { mulDivCeil, mulDivFloor } from "@clockwork/kit/money";
import { atTop, R_LOTS, T_ASK, T_BID } from "../book/book.ts";
import { FLAG_MARKET, FLAG_SELL, TIF_IOC, TIF_SHIFT } from "../book/orders.ts";
import { M_BUY_MAX, M_SELL_MIN, MF_MIN_LOTS } from "../market/markets.ts";
import { getWord } from "../memory/record.ts";
import { R_EXPIRES, R_VISIBLE } from "../order/entry/checks.ts";
import { submitOrder } from "../order/entry/place.ts";
import type { Core } from "../state/core.ts";
import { fairBound } from "../value/bound.ts";
import { type Copy, emitPlaced, emitRefused, emitSkipped, type Skip } from "./emit.ts";
import { COPY_FAIR_BPS, STOP_FAIR_BPS } from "./fair.ts";
import { wantsMarket } from "./settings.ts";
import { turnDay } from "./share/hold.ts";
import { LEADER_ACTIVE } from "./share/jobs.ts";
import {
  FO_ACCOUNT,
  FO_ACTIVE,
  FO_SLIPPAGE,
  FOF_DAY_LOSS,
  FOF_DAY_START,
  FOF_REALIZED,
  JO_BY_STOP,
  JO_LEADER,
  JO_MARKET,
  JOF_LOTS,
  JOF_VALUE,
  LE_STATE,
} from "./state/records.ts";

import { unitOf } from "./unit.ts";

const WHOLE_BPS = 10_000;

/** Why nothing may be opened for the follower now; undefined when it may. */
export function whyNotOpen(core: Core, { job, follow }: Copy): Skip | undefined {
  const { jobs, follows, leaders } = core.copies;
  if (follows.word(follow, FO_ACTIVE) === 0) return "NOT_FOLLOWING";
  if (leaders.word(jobs.word(job, JO_LEADER), LE_STATE) !== LEADER_ACTIVE) return "LEADER_PAUSED";
  if (!wantsMarket(core, follow, jobs.word(job, JO_MARKET))) return "MARKET_EXCLUDED";
  turnDay(core, follow);
  const cap = follows.double(follow, FOF_DAY_LOSS);
  const lost = follows.double(follow, FOF_DAY_START) - follows.double(follow, FOF_REALIZED);
  return cap > 0 && lost >= cap ? "DAILY_LOSS" : undefined;
}

/** How far the follower goes from the leader's average price and from the fair one: no farther than the market lets anybody. */
export function limitOf(core: Core, { job, follow }: Copy, sells: boolean): number {
  const { jobs, follows } = core.copies;
  const market = jobs.word(job, JO_MARKET);
  const bps = follows.word(follow, FO_SLIPPAGE);
  const perTick = jobs.double(job, JOF_LOTS) * unitOf(core, market) * WHOLE_BPS;
  const valueUnits = jobs.double(job, JOF_VALUE);
  const ticks = sells
    ? mulDivCeil(valueUnits, WHOLE_BPS - bps, perTick)
    : mulDivFloor(valueUnits, WHOLE_BPS + bps, perTick);
  const fair = fairBound(core, market, sells, bps + COPY_FAIR_BPS);
  core.markets.refreshBand(market, core.now);
  if (sells) return Math.max(fair, ticks, core.markets.word(market, M_SELL_MIN));
  return Math.max(1, Math.min(fair, ticks, core.markets.word(market, M_BUY_MAX) || PRICE_TICKS_MAX));
}

/** Sends the copy, good for what the book gives at once, or says why not. Returns the lots filled. */
export function sendCopy(core: Core, copy: Copy, accountMarket: number, flags: number, lots: number): number {
  const { copies, books } = core;
  const { job } = copy;
  const market = copies.jobs.word(job, JO_MARKET);
  const least = core.markets.double(market, MF_MIN_LOTS);
  if (lots < Math.max(1, least)) {
    emitSkipped(core, copy, "BELOW_MINIMUM", lots, least);
    return 0;
  }
  const sells = (flags & FLAG_SELL) !== 0;
  const byStop = copies.jobs.word(job, JO_BY_STOP) !== 0;
  const limit = byStop ? fairBound(core, market, sells, STOP_FAIR_BPS) : limitOf(core, copy, sells);
  const best = getWord(books.topWords, atTop(market), sells ? T_BID : T_ASK);
  if (best === 0 ? !byStop : sells ? best < limit : best > limit) {
    emitSkipped(core, copy, "SLIPPAGE", lots, limit);
    return 0;
  }
  books.registers[R_LOTS] = lots;
  books.registers[R_EXPIRES] = 0;
  books.registers[R_VISIBLE] = 0;
  core.checkLimit[0] = 0;
  copies.isCopying = true;
  // What a stop closes goes at what the market gives, the leader's and his followers' alike, within reach of the fair price.
  const kind = byStop ? FLAG_MARKET : TIF_IOC << TIF_SHIFT;
  const code = submitOrder(core, accountMarket, market, flags | kind, byStop ? 0 : limit, 0);
  copies.isCopying = false;
  if (code !== 0) {
    emitRefused(core, copy, code, lots);
    return 0;
  }
  const average = copies.jobs.double(job, JOF_LOTS) * unitOf(core, market);
  emitPlaced(core, copy, lots, Math.floor(copies.jobs.double(job, JOF_VALUE) / average), byStop ? 0 : limit);
  return core.placed[1] as number;
}

export function accountOf(core: Core, follow: number): number {
  return core.copies.follows.word(follow, FO_ACCOUNT);
}
