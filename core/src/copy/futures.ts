// Owns copies of a futures leader: how much of an opening, which part of a close, margin mirrored. Followers keep
// both sides of a market apart, so a copy always knows its position.
import { mulDivFloor, RATE_ONE } from "@clockwork/kit/money";
import { FLAG_REDUCE_ONLY, FLAG_SELL } from "../book/orders.ts";
import { changeMargin, setLeverage, setMarginMode } from "../perp/account/settings.ts";
import { symbolMarginOf } from "../perp/margin/exposure.ts";
import {
  CT_LEVERAGE_MAX,
  MA_POSITIONS,
  MODE_ISOLATED,
  PO_LEVERAGE,
  PO_NEXT,
  POF_COST,
  POF_LEADER,
  POF_MARGIN,
  SM_FLAGS,
  SM_LEVERAGE_LONG,
  SM_LEVERAGE_SHORT,
  SM_LONG,
  SM_MARGIN_ACCOUNT,
  SM_SHORT,
} from "../perp/state/records.ts";
import { isIsolated } from "../perp/state/symbol-margins.ts";
import { initialMargin } from "../perp/state/values.ts";
import { commandPlaces } from "../protocol/command.ts";
import { POSITION_SIDES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";
import { type Copy, emitRefused, emitSkipped, type Skip } from "./emit.ts";
import { ask } from "./input.ts";
import { accountOf, sendCopy, whyNotOpen } from "./placing.ts";
import { MARGIN_FOLLOW, MARGIN_ISOLATED, MODE_FIXED, MODE_MULTIPLIER } from "./settings.ts";
import {
  FO_ACTIVE,
  FO_LEVERAGE,
  FO_LEVERAGE_MAX,
  FO_MARGIN_MODE,
  FO_MIRROR_MARGIN,
  FO_MODE,
  FO_MULTIPLIER,
  FOF_FIXED,
  FOF_ORDER_MAX,
  FOF_SYMBOL_MAX,
  FOF_TOTAL_MAX,
  JO_ISOLATED,
  JO_LEVERAGE,
  JO_MARKET,
  JO_SHORT,
  JOF_LOTS,
  JOF_ORDER_LOTS,
  JOF_POSITION,
  JOF_VALUE,
  JOF_WHOLE,
} from "./state/records.ts";

const SET_LEVERAGE = commandPlaces("setLeverage");
const SET_MARGIN_MODE = commandPlaces("setMarginMode");
const CHANGE_MARGIN = commandPlaces("changeMargin");

export const LONG = POSITION_SIDES.indexOf("long");
export const SHORT = POSITION_SIDES.indexOf("short");

export interface Side {
  readonly accountMarket: number;
  readonly symbolMargin: number;
  readonly position: number;
  readonly short: boolean;
}

/** The follower's side of the market the leader acted in. */
export function sideOf(core: Core, { job, follow }: Copy): Side {
  const { jobs } = core.copies;
  const accountMarket = core.accountMarketOf(accountOf(core, follow), jobs.word(job, JO_MARKET));
  const symbolMargin = symbolMarginOf(core, accountMarket);
  const short = jobs.word(job, JO_SHORT) !== 0;
  const position = core.perps.symbolMargin(symbolMargin, short ? SM_SHORT : SM_LONG);
  return { accountMarket, symbolMargin, position, short };
}

/** Whether the position is a copy of the leader's and still open. */
export function isCopyOf(core: Core, { job }: Copy, position: number): boolean {
  const { perps, copies } = core;
  return (
    perps.lots(position) !== 0 && perps.positionDouble(position, POF_LEADER) === copies.jobs.double(job, JOF_POSITION)
  );
}

export function copyOpen(core: Core, copy: Copy): void {
  const { jobs } = core.copies;
  const why = whyNotOpen(core, copy);
  if (why !== undefined) {
    emitSkipped(core, copy, why, 0, 0);
    return;
  }
  const side = sideOf(core, copy);
  const leaders = jobs.double(copy.job, JOF_POSITION);
  // What the follower has closed alone stays closed for as long as the leader's position lasts.
  if (core.perps.lots(side.position) === 0 && core.perps.positionDouble(side.position, POF_LEADER) === leaders) {
    emitSkipped(core, copy, "CLOSED_BY_FOLLOWER", 0, 0);
    return;
  }
  const code = setTerms(core, copy, side);
  if (code !== 0) {
    emitRefused(core, copy, code, 0);
    return;
  }
  const leverage = core.perps.position(side.position, PO_LEVERAGE);
  const wanted = lotsWanted(core, copy, leverage);
  const { lots, cap, limit } = cutToCaps(core, copy, side, wanted, leverage);
  if (lots === 0 && cap !== undefined) {
    emitSkipped(core, copy, cap, wanted, limit);
    return;
  }
  const filled = sendCopy(core, copy, side.accountMarket, side.short ? FLAG_SELL : 0, lots);
  if (filled > 0) core.perps.setPositionDouble(side.position, POF_LEADER, leaders);
}

/** Leverage and margin mode as the follower wants them, where they differ. */
function setTerms(core: Core, { job, follow }: Copy, side: Side): number {
  const { copies, perps } = core;
  const { jobs, follows } = copies;
  const market = jobs.word(job, JO_MARKET);
  const account = accountOf(core, follow);
  const requested = follows.word(follow, FO_LEVERAGE) || jobs.word(job, JO_LEVERAGE);
  const most = follows.word(follow, FO_LEVERAGE_MAX) || requested;
  const leverage = Math.min(requested, most, perps.contract(market, CT_LEVERAGE_MAX));
  const known = perps.symbolMargin(side.symbolMargin, side.short ? SM_LEVERAGE_SHORT : SM_LEVERAGE_LONG);
  if (leverage !== known) {
    const code = ask(
      core,
      account,
      setLeverage,
      new Map([
        [SET_LEVERAGE.market, market],
        [side.short ? SET_LEVERAGE.short : SET_LEVERAGE.long, leverage],
      ]),
    );
    if (code !== 0) return code;
  }
  const mode = follows.word(follow, FO_MARGIN_MODE);
  const isolated = mode === MARGIN_FOLLOW ? jobs.word(job, JO_ISOLATED) !== 0 : mode === MARGIN_ISOLATED;
  const isNow = (perps.symbolMargin(side.symbolMargin, SM_FLAGS) & MODE_ISOLATED) !== 0;
  if (isolated === isNow) return 0;
  return ask(
    core,
    account,
    setMarginMode,
    new Map([
      [SET_MARGIN_MODE.market, market],
      [SET_MARGIN_MODE.isolated >> 2, isolated ? 1 : 0],
    ]),
  );
}

/** Lots a margin carries at the leader's average price. */
function lotsOfMargin(core: Core, job: number, marginUnits: number, leverage: number): number {
  const { jobs } = core.copies;
  return mulDivFloor(marginUnits * leverage, jobs.double(job, JOF_LOTS), jobs.double(job, JOF_VALUE));
}

function lotsWanted(core: Core, { job, follow, marginUnits }: Copy, leverage: number): number {
  const { jobs, follows } = core.copies;
  const lots = jobs.double(job, JOF_LOTS);
  const mode = follows.word(follow, FO_MODE);
  if (mode === MODE_MULTIPLIER) return mulDivFloor(lots, follows.word(follow, FO_MULTIPLIER), RATE_ONE);
  if (mode !== MODE_FIXED) return lotsOfMargin(core, job, marginUnits, leverage);
  // A margin for each order of the leader's: each part of it that is filled brings its part.
  const whole = Math.max(lots, jobs.double(job, JOF_ORDER_LOTS));
  return lotsOfMargin(core, job, mulDivFloor(follows.double(follow, FOF_FIXED), lots, whole), leverage);
}

/** Margin the follower's positions ask: of one market, or of all. */
function marginUsed(core: Core, side: Side, isTotal: boolean): number {
  const { perps } = core;
  const marginOf = (position: number): number =>
    initialMargin(perps.positionDouble(position, POF_COST), perps.position(position, PO_LEVERAGE));
  if (!isTotal)
    return (
      marginOf(perps.symbolMargin(side.symbolMargin, SM_LONG)) +
      marginOf(perps.symbolMargin(side.symbolMargin, SM_SHORT))
    );
  let used = 0;
  const marginAccount = perps.symbolMargin(side.symbolMargin, SM_MARGIN_ACCOUNT);
  for (let at = perps.marginAccount(marginAccount, MA_POSITIONS); at !== 0; at = perps.position(at, PO_NEXT))
    used += marginOf(at);
  return used;
}

/** No more than the follower's caps leave room for, and which of them left none. */
function cutToCaps(
  core: Core,
  { job, follow }: Copy,
  side: Side,
  wanted: number,
  leverage: number,
): { readonly lots: number; readonly cap: Skip | undefined; readonly limit: number } {
  const { follows } = core.copies;
  let lots = wanted;
  let cap: Skip | undefined;
  let limit = 0;
  const cut = (max: number, used: number, name: Skip): void => {
    if (max === 0) return;
    const most = lotsOfMargin(core, job, Math.max(0, max - used), leverage);
    if (most >= lots) return;
    lots = most;
    cap = name;
    limit = max;
  };
  cut(follows.double(follow, FOF_ORDER_MAX), 0, "ORDER_CAP");
  cut(follows.double(follow, FOF_SYMBOL_MAX), marginUsed(core, side, false), "SYMBOL_CAP");
  cut(follows.double(follow, FOF_TOTAL_MAX), marginUsed(core, side, true), "TOTAL_CAP");
  return { lots, cap, limit };
}

/** The part of the copied position that the leader closed of his; whoever has none is left alone. */
export function copyClose(core: Core, copy: Copy): void {
  const { jobs, follows } = core.copies;
  if (follows.word(copy.follow, FO_ACTIVE) === 0) return;
  const side = sideOf(core, copy);
  if (!isCopyOf(core, copy, side.position)) return;
  const held = Math.abs(core.perps.lots(side.position));
  const closed = jobs.double(copy.job, JOF_LOTS);
  const whole = jobs.double(copy.job, JOF_WHOLE);
  const lots = closed >= whole ? held : mulDivFloor(held, closed, whole);
  sendCopy(core, copy, side.accountMarket, (side.short ? 0 : FLAG_SELL) | FLAG_REDUCE_ONLY, lots);
}

/** The same part of the follower's own margin, for those who want it. */
export function copyMargin(core: Core, copy: Copy): void {
  const { jobs, follows } = core.copies;
  const { job, follow } = copy;
  if (follows.word(follow, FO_ACTIVE) === 0 || follows.word(follow, FO_MIRROR_MARGIN) === 0) return;
  const side = sideOf(core, copy);
  if (!isCopyOf(core, copy, side.position) || !isIsolated(core.perps, side.position)) return;
  const margin = core.perps.positionDouble(side.position, POF_MARGIN);
  const units = mulDivFloor(margin, jobs.double(job, JOF_LOTS), Math.max(1, jobs.double(job, JOF_WHOLE)));
  if (units === 0) return;
  const members = new Map([
    [CHANGE_MARGIN.market, jobs.word(job, JO_MARKET)],
    [CHANGE_MARGIN.side >> 2, side.short ? SHORT : LONG],
  ]);
  const code = ask(core, accountOf(core, follow), changeMargin, members, new Map([[CHANGE_MARGIN.units, units]]));
  if (code !== 0) emitRefused(core, copy, code, units);
}
