// Owns the cash of perpetuals: what a margin account is paid and what is taken from it, in which order, with typed
// bills. Bonus first, then the isolated margin or the wallet, then profit of the other cross positions, last the
// insurance fund. Balances change through the ledger only; every bill's legs sum to zero.

import { assert } from "@clockwork/kit/assert";
import { X_LEAVING, X_REMAINING } from "@clockwork/kit/exact-cost";
import { mulDivFloor, RATE_ONE } from "@clockwork/kit/money";
import { refreshHold, releaseForLoss, touchFollow } from "../../copy/share/hold.ts";
import { atCell, CF_AVAILABLE, move } from "../../ledger/ledger.ts";
import { type Begin, getDouble, getWord } from "../../memory/record.ts";
import { BUSINESSES, DEFICIT_ACCOUNT, FIRST_USER_ACCOUNT } from "../../protocol/names.ts";
import { feeFloor } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";
import { type Views, writePosting } from "../../state/views.ts";
import {
  atContract,
  atMarginAccount,
  CT_CLEARING_CELL,
  CT_FEES_CELL,
  CT_INSURANCE_CELL,
  CT_ROUNDING_CELL,
  MA_ACCOUNT,
  MA_CELL,
  MA_FOLLOW,
  MA_POSITIONS,
  MAF_BONUS,
  PO_NEXT,
  PO_SYMBOL_MARGIN,
  POF_COST,
  POF_MARGIN,
  POF_REALIZED,
} from "../state/records.ts";
import { isIsolated } from "../state/symbol-margins.ts";
import { gainSign } from "../state/values.ts";
import { drawBonus } from "./bonus.ts";
import { emitPosition } from "./emit.ts";
import { profitOf } from "./equity.ts";
import { markStale } from "./exposure.ts";
import { recordFlow, recordPeak } from "./insurance.ts";

const ROUNDING = BUSINESSES.indexOf("rounding");
const REALIZED = BUSINESSES.indexOf("realized");
const INSURANCE = BUSINESSES.indexOf("insurance");
const MARGIN = BUSINESSES.indexOf("margin");

/** One entry of two legs, available to available. */
export function post(
  v: Views,
  from: number,
  to: number,
  units: number,
  business: number,
  reference: number,
  market: number,
): void {
  assert(units > 0, "LEDGER-30", "an entry moves nothing, or backwards");
  move(v, from, to, units);
  writePosting(v, business, from, to, 0 - units, reference, market);
  writePosting(v, business, to, from, units, reference, market);
}

/** Whether a margin account's money is its own: no bonus, no follower's, not the exchange's. */
export function isOwnMoney(v: Views, marginAccountAt: Begin<"marginAccount">): boolean {
  return (
    getWord(v.marginAccountWords, marginAccountAt, MA_FOLLOW) === 0 &&
    getWord(v.marginAccountWords, marginAccountAt, MA_ACCOUNT) >= FIRST_USER_ACCOUNT &&
    getDouble(v.marginAccountDoubles, marginAccountAt, MAF_BONUS) === 0
  );
}

/**
 * What a margin account has gained or, below zero, lost, against the clearing book. Money of its own is paid at once; what
 * others have a claim on, or must help out with, goes its ways.
 */
export function settleProfit(
  v: Views,
  marginAccount: number,
  position: number,
  market: number,
  profit: number,
  business: number,
  reference: number,
): void {
  const { core } = v;
  const at = atMarginAccount(marginAccount) & v.marginAccountMask;
  const cell = getWord(v.marginAccountWords, at, MA_CELL);
  const clearing = getWord(v.contractWords, atContract(market) & v.contractMask, CT_CLEARING_CELL);
  const cash = getDouble(v.cellDoubles, atCell(cell) & v.cellMask, CF_AVAILABLE);
  if (isOwnMoney(v, at) && cash + profit >= 0 && !isIsolated(v.perps, position)) {
    if (profit > 0) post(v, clearing, cell, profit, business, reference, market);
    else post(v, cell, clearing, 0 - profit, business, reference, market);
  } else if (profit > 0) payFromClearing(core, marginAccount, market, profit, business, reference);
  else takeDebt(core, marginAccount, position, market, clearing, 0 - profit, business, reference);
}

/** Pays a margin account from the clearing book. */
export function payFromClearing(
  core: Core,
  marginAccount: number,
  market: number,
  units: number,
  business: number,
  reference: number,
): void {
  const clearing = getWord(core.perps.contractWords, atContract(market), CT_CLEARING_CELL);
  const cell = getWord(core.perps.marginAccountWords, atMarginAccount(marginAccount), MA_CELL);
  post(core.views, clearing, cell, units, business, reference, market);
  noteHouse(core, marginAccount, market, units);
  // The leader's part of a gain is set aside before anything else can take it.
  const follow = getWord(core.perps.marginAccountWords, atMarginAccount(marginAccount), MA_FOLLOW);
  if (follow !== 0) refreshHold(core, follow);
}

function noteHouse(core: Core, marginAccount: number, market: number, units: number): void {
  if (getWord(core.perps.marginAccountWords, atMarginAccount(marginAccount), MA_ACCOUNT) < FIRST_USER_ACCOUNT)
    recordFlow(core, market, units);
}

/**
 * Takes units from a margin account (from the position's own margin when it is isolated) to a cell and returns what
 * could not be taken. `position` 0 means the wallet whatever the mode.
 */
export function takeUnits(
  core: Core,
  marginAccount: number,
  position: number,
  market: number,
  target: number,
  units: number,
  business: number,
  reference: number,
): number {
  const { perps, ledger } = core;
  const cell = getWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_CELL);
  if (getWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_ACCOUNT) < FIRST_USER_ACCOUNT) {
    payFromFund(core, market, target, units, business, reference);
    return 0;
  }
  const follow = getWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_FOLLOW);
  if (follow !== 0) touchFollow(core, follow);
  assert(units > 0, "LEDGER-30", "a debt of nothing, or of less");
  let left = units;
  if (getDouble(perps.marginAccountDoubles, atMarginAccount(marginAccount), MAF_BONUS) > 0)
    left -= drawBonus(core, marginAccount, market, target, units, business, reference);
  if (left === 0) return 0;
  if (position !== 0 && isIsolated(perps, position)) {
    const margin = perps.positionDouble(position, POF_MARGIN);
    const taken = left < margin ? left : margin;
    if (taken === 0) return left;
    ledger.moveFrozen(cell, target, taken);
    perps.setPositionDouble(position, POF_MARGIN, margin - taken);
    core.emitPosting(business, cell, target, 0 - taken, reference, market);
    core.emitPosting(business, target, cell, taken, reference, market);
    return left - taken;
  }
  if (follow !== 0 && ledger.available(cell) < left) releaseForLoss(core, follow, left);
  if (ledger.available(cell) < left) harvest(core, marginAccount, left - ledger.available(cell));
  const taken = Math.min(left, ledger.available(cell));
  if (taken > 0) post(core.views, cell, target, taken, business, reference, market);
  return left - taken;
}

/** Takes a debt that others wait for: what the margin account cannot pay the insurance fund advances. */
export function takeDebt(
  core: Core,
  marginAccount: number,
  position: number,
  market: number,
  target: number,
  units: number,
  business: number,
  reference: number,
): number {
  const missing = takeUnits(core, marginAccount, position, market, target, units, business, reference);
  if (missing > 0) payFromFund(core, market, target, missing, INSURANCE, reference);
  return missing;
}

/** The insurance fund pays as far as it has; what it lacks stands in the deficit book until the fund can repay it. */
function payFromFund(
  core: Core,
  market: number,
  target: number,
  units: number,
  business: number,
  reference: number,
): void {
  const fund = core.perps.contract(market, CT_INSURANCE_CELL);
  const paid = Math.min(units, core.ledger.available(fund));
  recordPeak(core, market);
  if (paid > 0) post(core.views, fund, target, paid, business, reference, market);
  recordFlow(core, market, 0 - units);
  if (paid === units) return;
  const deficit = core.ledger.cellOf(DEFICIT_ACCOUNT, core.ledger.cellAsset(fund));
  post(core.views, deficit, target, units - paid, INSURANCE, reference, market);
}

/** What the fund has repays what the deficit book owes in its coin. */
export function repayDeficit(core: Core, market: number): void {
  const fund = core.perps.contract(market, CT_INSURANCE_CELL);
  const deficit = core.ledger.cellIndex.find(DEFICIT_ACCOUNT, core.ledger.cellAsset(fund));
  const units = Math.min(core.ledger.available(fund), 0 - core.ledger.available(deficit));
  if (units <= 0) return;
  recordPeak(core, market);
  post(core.views, fund, deficit, units, INSURANCE, 0, market);
}

/** Profit of open cross positions becomes cash, as if they had been closed and opened again for that much. */
function harvest(core: Core, marginAccount: number, units: number): void {
  const { perps } = core;
  let left = units;
  for (
    let at = perps.marginAccount(marginAccount, MA_POSITIONS);
    at !== 0 && left > 0;
    at = perps.position(at, PO_NEXT)
  ) {
    if (isIsolated(perps, at)) continue;
    // Where it lowers the cost, some is left to tell margin and entry from: lots are never worth nothing.
    const taken = Math.min(left, profitOf(core, at));
    if (taken <= 0) continue;
    const market = perps.marketOf(at);
    const cost = perps.positionDouble(at, POF_COST);
    const gains = gainSign(perps, market, perps.lots(at)) > 0;
    perps.setPositionDouble(at, POF_COST, gains ? cost + taken : cost - taken);
    perps.setPositionDouble(at, POF_REALIZED, perps.positionDouble(at, POF_REALIZED) + taken);
    payFromClearing(core, marginAccount, market, taken, REALIZED, perps.positionId(at));
    markStale(core, perps.position(at, PO_SYMBOL_MARGIN));
    emitPosition(core.views, at, taken);
    left -= taken;
  }
}

/** What lies nearer to a whole fee, in units of RATE_ONE, is that fee. */
const FEE_SLACK = 2 ** -20;

/** A fee on `units` less an excess: in X_LEAVING rounded down, in X_REMAINING rounded up. */
export function feeOn({ perps }: Core, units: number, excess: number, rate: number): void {
  const product = units * rate;
  const isExact = product <= Number.MAX_SAFE_INTEGER;
  const floor = feeFloor(units, rate);
  // The rest of the product in parts of a unit, each of RATE_ONE; the excess takes less than one unit off it.
  const rest = isExact ? product - floor * RATE_ONE : ((units % RATE_ONE) * rate) % RATE_ONE;
  const part = rest - excess * rate;
  const down = part < 0 - FEE_SLACK ? floor - 1 : floor;
  perps.exact[X_LEAVING] = down;
  perps.exact[X_REMAINING] = part > FEE_SLACK ? floor + 1 : floor;
}

/**
 * A fee on a value less an excess: rounded up for who pays, the exact part to the fee book, the rest to the rounding book.
 */
export function chargeFee(
  v: Views,
  marginAccount: number,
  market: number,
  value: number,
  excess: number,
  rate: number,
  business: number,
  reference: number,
): void {
  if (rate === 0) return;
  const at = atMarginAccount(marginAccount) & v.marginAccountMask;
  const contractAt = atContract(market) & v.contractMask;
  const cell = getWord(v.marginAccountWords, at, MA_CELL);
  const fees = getWord(v.contractWords, contractAt, CT_FEES_CELL);
  const { exact } = v.perps;
  feeOn(v.core, value, excess, rate);
  const floor = getDouble(exact, 0, X_LEAVING);
  const ceil = getDouble(exact, 0, X_REMAINING);
  if (ceil === 0) return;
  const isPlain = getDouble(v.marginAccountDoubles, at, MAF_BONUS) === 0;
  if (!isPlain || getDouble(v.cellDoubles, atCell(cell) & v.cellMask, CF_AVAILABLE) < ceil) {
    takeUnits(v.core, marginAccount, 0, market, fees, ceil, business, reference);
    return;
  }
  const follow = getWord(v.marginAccountWords, at, MA_FOLLOW);
  if (follow !== 0) touchFollow(v.core, follow);
  const rounding = getWord(v.contractWords, contractAt, CT_ROUNDING_CELL);
  if (floor !== 0) move(v, cell, fees, floor);
  if (ceil !== floor) move(v, cell, rounding, ceil - floor);
  writePosting(v, business, cell, fees, 0 - ceil, reference, market);
  if (floor !== 0) writePosting(v, business, fees, cell, floor, reference, market);
  if (ceil !== floor) writePosting(v, ROUNDING, rounding, cell, ceil - floor, reference, market);
}

/** Sets wallet money aside as the position's own margin, as far as there is any; returns what was set aside. */
export function setAside(core: Core, marginAccount: number, position: number, units: number): number {
  const { perps, ledger } = core;
  const cell = perps.marginAccount(marginAccount, MA_CELL);
  const taken = Math.min(units, Math.max(0, ledger.available(cell)));
  if (taken <= 0) return 0;
  ledger.freeze(cell, taken);
  perps.setPositionDouble(position, POF_MARGIN, perps.positionDouble(position, POF_MARGIN) + taken);
  core.emitFrozen(MARGIN, cell, taken, perps.positionId(position));
  return taken;
}

/** Gives part of a position's own margin back to the wallet. */
export function giveBack(core: Core, marginAccount: number, position: number, units: number): void {
  if (units <= 0) return;
  const { perps, ledger } = core;
  assert(units <= perps.positionDouble(position, POF_MARGIN), "PERP-11", "more margin comes back than was set aside");
  const cell = perps.marginAccount(marginAccount, MA_CELL);
  ledger.unfreeze(cell, units);
  perps.setPositionDouble(position, POF_MARGIN, perps.positionDouble(position, POF_MARGIN) - units);
  core.emitFrozen(MARGIN, cell, 0 - units, perps.positionId(position));
  const follow = perps.marginAccount(marginAccount, MA_FOLLOW);
  if (follow !== 0) touchFollow(core, follow);
}

/** Margin that stays with `left` of `whole` lots. */
export function marginRemaining(margin: number, left: number, whole: number): number {
  return margin - mulDivFloor(margin, whole - left, whole);
}
