// Owns who must be looked at when a mark moves. Each position is watched at a price it must reach before its margin can
// be used up, with its share of what its account can lose; until then it is not touched. Tells warnings, appends margin
// where asked, and finds those to liquidate; liquidates nobody.

import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { mulDivCeil, mulDivFloor, RATE_ONE } from "@clockwork/kit/money";
import { setWord } from "../../memory/record.ts";
import { eventPlaces } from "../../protocol/event.ts";
import type { Core } from "../../state/core.ts";
import {
  atMarginAccount,
  CTF_FACTOR,
  LOOK_END,
  LOOK_WARN,
  MA_ACCOUNT,
  MA_ASSET,
  MA_DIRTY,
  MA_POSITIONS,
  MA_WARNED,
  MODE_AUTO_APPEND,
  MODE_HOUSE,
  type Perps,
  PO_GENERATION,
  PO_LEVERAGE,
  PO_NEXT,
  PO_SYMBOL_MARGIN,
  PO_WARNED,
  POF_COST,
  POF_MARGIN,
  SM_FLAGS,
  SM_MARKET,
} from "../state/records.ts";
import { isIsolated } from "../state/symbol-margins.ts";
import { gainSign, initialMargin, steepestRate, worthCeil } from "../state/values.ts";
import { setAside } from "./cash.ts";
import { crossEquity, crossPositions, freeMargin, isDue, markOf, needOf, profitOf, scopePositions } from "./equity.ts";
import { firstReached, takeReached, watch } from "./heap.ts";

const MARGIN_CHANGED = eventPlaces("marginChanged");
const MARGIN_WARNING = eventPlaces("marginWarning");

const WARN_FIRST = 70;
const APPEND_AT = 80;
const WARN_SECOND = 85;
const FULL = 100;
/** Warnings told at one mark; whoever else it reaches is told a moment later. */
export const WARNINGS_MAX = 128;
/** Units a budget is cut by, so that no rounding can make a watch late. */
const SLACK_UNITS = 4;

/**
 * The price at which a position has used up a budget and `stage` percent of the margin are needed, never later than it
 * truly would; 0 when no price does.
 */
export function keyOf(core: Core, position: number, budgetUnits: number, stage: number): number {
  const { perps } = core;
  const market = perps.marketOf(position);
  const held = perps.lots(position);
  const lots = Math.abs(held);
  const value = worthCeil(perps, market, lots, markOf(core, market));
  const factor = perps.contractDouble(market, CTF_FACTOR);
  const inverse = perps.isInverse(market);
  const budget = Math.max(0, budgetUnits - SLACK_UNITS);
  const falls = gainSign(perps, market, held) > 0;
  // While value falls the need falls too; while it grows the need grows at most at the rate of where it may end.
  const edge = falls
    ? value - budget
    : value + mulDivFloor(budget, RATE_ONE, growthRate(perps, market, value + budget, stage));
  if (edge <= 0) return 0;
  const up = held > 0;
  const ticks = inverse
    ? up
      ? mulDivCeil(factor, lots, edge)
      : mulDivFloor(factor, lots, edge)
    : up
      ? Math.ceil(edge / (lots * factor))
      : Math.floor(edge / (lots * factor));
  return ticks > PRICE_TICKS_MAX ? 0 : Math.max(1, ticks);
}

/** By how much a budget shrinks while value grows by one: the loss itself and the need that grows with it. */
function growthRate(perps: Perps, market: number, notional: number, stage: number): number {
  return RATE_ONE + Math.ceil((steepestRate(perps, market, notional) * FULL) / stage);
}

/** Percent of the margin that is used, capped at 100, rounded down. */
function usedPercent(equity: number, need: number): number {
  if (need >= equity) return FULL;
  return mulDivFloor(need, FULL, equity);
}

/** What may be lost before `stage` percent are used, while the need stays as it is. */
function budgetTo(stage: number, equity: number, need: number): number {
  return Math.max(0, equity - (stage === FULL ? need : mulDivCeil(need, FULL, stage)));
}

/** The next warning, 0 after the last. */
function nextWarning(percent: number): number {
  if (percent < WARN_FIRST) return WARN_FIRST;
  return percent < WARN_SECOND ? WARN_SECOND : 0;
}

/** Watches for the next warning, with a share of the budget to it. */
function watchWarning(core: Core, position: number, percent: number, equity: number, need: number, of: number): void {
  const stage = nextWarning(percent);
  const budget = stage === 0 ? 0 : Math.floor(budgetTo(stage, equity, need) / of);
  watch(core, position, LOOK_WARN, stage === 0 ? 0 : keyOf(core, position, budget, stage));
}

/** Whether the margin is certainly used up: by more than all roundings, or by the exact check. */
function isUsedUp(core: Core, position: number, equity: number, need: number): boolean {
  return need - equity > SLACK_UNITS + 2 * scopePositions(core, position).length || isDue(core, position);
}

/** Looks at all positions of a margin account and watches them anew; those to liquidate join `due`. */
export function reviewMarginAccount(core: Core, marginAccount: number, due: number[]): void {
  const { perps } = core;
  reviewCross(core, marginAccount, due);
  for (let at = perps.marginAccount(marginAccount, MA_POSITIONS); at !== 0; at = perps.position(at, PO_NEXT))
    if (isIsolated(perps, at)) reviewIsolated(core, at, due);
}

function reviewCross(core: Core, marginAccount: number, due: number[]): void {
  const { perps } = core;
  const positions = crossPositions(core, marginAccount);
  const [first] = positions;
  if (first === undefined) {
    // Whatever opens next is told its warnings anew.
    setWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_WARNED, 0);
    return;
  }
  if ((perps.symbolMargin(perps.position(first, PO_SYMBOL_MARGIN), SM_FLAGS) & MODE_HOUSE) !== 0) return;
  const equity = crossEquity(core, marginAccount);
  let need = 0;
  for (const position of positions) need += needOf(core, position);
  const percent = usedPercent(equity, need);
  if (percent === FULL && isUsedUp(core, first, equity, need)) due.push(first);
  warn(
    core,
    perps.marginAccount(marginAccount, MA_ACCOUNT),
    perps.marginAccount(marginAccount, MA_WARNED),
    percent,
    perps.marginAccount(marginAccount, MA_ASSET),
    0,
  );
  setWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_WARNED, warnedAt(percent));
  const budget = Math.floor(budgetTo(FULL, equity, need) / positions.length);
  for (const position of positions) {
    watch(core, position, LOOK_END, keyOf(core, position, budget, FULL));
    watchWarning(core, position, percent, equity, need, positions.length);
  }
}

function reviewIsolated(core: Core, position: number, due: number[]): void {
  const { perps } = core;
  const symbolMargin = perps.position(position, PO_SYMBOL_MARGIN);
  if (markOf(core, perps.symbolMargin(symbolMargin, SM_MARKET)) === 0) return;
  const appends = (perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_AUTO_APPEND) !== 0;
  const need = needOf(core, position);
  let equity = perps.positionDouble(position, POF_MARGIN) + profitOf(core, position);
  let percent = usedPercent(equity, need);
  if (appends && percent >= APPEND_AT) {
    appendMargin(core, position, need);
    equity = perps.positionDouble(position, POF_MARGIN) + profitOf(core, position);
    percent = usedPercent(equity, need);
  }
  if (percent === FULL && isUsedUp(core, position, equity, need)) due.push(position);
  const marginAccount = perps.marginAccountOf(position);
  const account = perps.marginAccount(marginAccount, MA_ACCOUNT);
  warn(
    core,
    account,
    perps.position(position, PO_WARNED),
    percent,
    perps.marginAccount(marginAccount, MA_ASSET),
    position,
  );
  perps.setPosition(position, PO_WARNED, warnedAt(percent));
  const stage = appends && percent < APPEND_AT ? APPEND_AT : FULL;
  watch(core, position, LOOK_END, keyOf(core, position, budgetTo(stage, equity, need), stage));
  watchWarning(core, position, percent, equity, need, 1);
}

/** Adds initial margins from what is free until less than 80 % is used. */
function appendMargin(core: Core, position: number, need: number): void {
  const { perps } = core;
  const marginAccount = perps.marginAccountOf(position);
  const step = initialMargin(perps.positionDouble(position, POF_COST), perps.position(position, PO_LEVERAGE));
  for (;;) {
    const equity = perps.positionDouble(position, POF_MARGIN) + profitOf(core, position);
    if (usedPercent(equity, need) < APPEND_AT) return;
    const added = setAside(core, marginAccount, position, Math.min(step, Math.max(0, freeMargin(core, marginAccount))));
    if (added === 0) return;
    emitMargin(core, position, added, true);
  }
}

export function emitMargin(core: Core, position: number, delta: number, automatic: boolean): void {
  const { perps } = core;
  const account = perps.marginAccount(perps.marginAccountOf(position), MA_ACCOUNT);
  const record = core.events.openClean(MARGIN_CHANGED.kind, 0, automatic ? 1 : 0, account, core.sequence);
  core.events.setId(record, MARGIN_CHANGED.position, position, perps.position(position, PO_GENERATION));
  core.events.setWord(record, MARGIN_CHANGED.market, perps.marketOf(position));
  core.events.setDouble(record, MARGIN_CHANGED.deltaUnits, delta);
  core.events.setDouble(record, MARGIN_CHANGED.marginUnits, perps.positionDouble(position, POF_MARGIN));
}

function warnedAt(percent: number): number {
  return percent >= WARN_SECOND ? WARN_SECOND : percent >= WARN_FIRST ? WARN_FIRST : 0;
}

function warn(core: Core, account: number, before: number, percent: number, asset: number, position: number): void {
  const stage = warnedAt(percent);
  if (stage <= before) return;
  const record = core.events.openClean(MARGIN_WARNING.kind, stage, 0, account, core.sequence);
  core.events.setWord(record, MARGIN_WARNING.asset, asset);
  if (position === 0) return;
  core.events.setId(record, MARGIN_WARNING.position, position, core.perps.position(position, PO_GENERATION));
}

/** Looks at margin accounts whose positions changed since they were last looked at. */
export function reviewDirty(core: Core, due: number[]): void {
  const { perps } = core;
  for (let at = 1; at < perps.dirty.count; at++) {
    const marginAccount = perps.dirty.i32[at * 2] as number;
    setWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_DIRTY, 0);
    reviewMarginAccount(core, marginAccount, due);
  }
  perps.dirty.count = 1;
}

/**
 * Positions a mark brings up: looked at exactly and watched anew. All whose margin may be used up, and a lot of those
 * who only get a warning; answers whether more of these wait.
 */
export function reviewReached(core: Core, market: number, due: number[]): boolean {
  const { perps } = core;
  const mark = markOf(core, market);
  const isolated = new Set<number>();
  const marginAccounts = new Set<number>();
  const gather = (position: number): void => {
    if (isIsolated(perps, position)) isolated.add(position);
    else marginAccounts.add(perps.marginAccountOf(position));
  };
  for (let at = takeReached(core, market, mark, LOOK_END); at !== 0; at = takeReached(core, market, mark, LOOK_END))
    gather(at);
  for (let count = 0; count < WARNINGS_MAX; count++) {
    const position = takeReached(core, market, mark, LOOK_WARN);
    if (position === 0) break;
    gather(position);
  }
  for (const position of isolated) reviewIsolated(core, position, due);
  for (const marginAccount of marginAccounts) reviewCross(core, marginAccount, due);
  return firstReached(core, market, mark, LOOK_WARN) !== 0;
}
