// Owns the cash of perpetuals: what a margin account is paid and what is taken from it, in which order, with typed
// bills. Bonus first, then the isolated margin or the wallet, then profit of the other cross positions, last the
// insurance fund. Balances change through the ledger only; every bill's legs sum to zero.

import { assert } from "@clockwork/kit/assert";
import { X_LEAVING, X_REMAINING } from "@clockwork/kit/exact-cost";
import { mulDivFloor, RATE_ONE } from "@clockwork/kit/money";
import { refreshHold, releaseForLoss, touchFollow } from "../../copy/share/hold.ts";
import { atCell, CF_AVAILABLE } from "../../ledger/ledger.ts";
import { getDouble, getWord } from "../../memory/record.ts";
import { BUSINESSES, DEFICIT_ACCOUNT, FIRST_USER_ACCOUNT } from "../../protocol/names.ts";
import { feeFloor } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";
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
  core: Core,
  from: number,
  to: number,
  units: number,
  business: number,
  reference: number,
  market: number,
): void {
  assert(units > 0, "LEDGER-30", "an entry moves nothing, or backwards");
  core.ledger.move(from, to, units);
  core.emitPosting(business, from, to, 0 - units, reference, market);
  core.emitPosting(business, to, from, units, reference, market);
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
  post(core, clearing, cell, units, business, reference, market);
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
  if (taken > 0) post(core, cell, target, taken, business, reference, market);
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
  if (paid > 0) post(core, fund, target, paid, business, reference, market);
  recordFlow(core, market, 0 - units);
  if (paid === units) return;
  const deficit = core.ledger.cellOf(DEFICIT_ACCOUNT, core.ledger.cellAsset(fund));
  post(core, deficit, target, units - paid, INSURANCE, reference, market);
}

/** What the fund has repays what the deficit book owes in its coin. */
export function repayDeficit(core: Core, market: number): void {
  const fund = core.perps.contract(market, CT_INSURANCE_CELL);
  const deficit = core.ledger.cellIndex.find(DEFICIT_ACCOUNT, core.ledger.cellAsset(fund));
  const units = Math.min(core.ledger.available(fund), 0 - core.ledger.available(deficit));
  if (units <= 0) return;
  recordPeak(core, market);
  post(core, fund, deficit, units, INSURANCE, 0, market);
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
    emitPosition(core, at, taken);
    left -= taken;
  }
}

/** What lies nearer to a whole fee, in units of RATE_ONE, is that fee. */
const FEE_SLACK = 2 ** -20;

/** A fee on `units` less an excess: in X_LEAVING rounded down, in X_REMAINING rounded up. */
export function feeOn({ perps }: Core, units: number, excess: number, rate: number): void {
  const floor = feeFloor(units, rate);
  // The rest of the product in parts of a unit, each of RATE_ONE; the excess takes less than one unit off it.
  const rest = ((units % RATE_ONE) * rate) % RATE_ONE;
  const part = rest - excess * rate;
  const down = part < 0 - FEE_SLACK ? floor - 1 : floor;
  perps.exact[X_LEAVING] = down;
  perps.exact[X_REMAINING] = part > FEE_SLACK ? floor + 1 : floor;
}

/**
 * A fee on a value less an excess: rounded up for who pays, the exact part to the fee book, the rest to the rounding book.
 */
export function chargeFee(
  core: Core,
  marginAccount: number,
  market: number,
  value: number,
  excess: number,
  rate: number,
  business: number,
  reference: number,
): void {
  if (rate === 0) return;
  const { perps, ledger } = core;
  const cell = getWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_CELL);
  const fees = getWord(perps.contractWords, atContract(market), CT_FEES_CELL);
  feeOn(core, value, excess, rate);
  const floor = perps.exact[X_LEAVING] as number;
  const ceil = perps.exact[X_REMAINING] as number;
  if (ceil === 0) return;
  const plain = getDouble(perps.marginAccountDoubles, atMarginAccount(marginAccount), MAF_BONUS) === 0;
  if (!plain || getDouble(ledger.cellDoubles, atCell(cell), CF_AVAILABLE) < ceil) {
    takeUnits(core, marginAccount, 0, market, fees, ceil, business, reference);
    return;
  }
  const follow = getWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_FOLLOW);
  if (follow !== 0) touchFollow(core, follow);
  const rounding = getWord(perps.contractWords, atContract(market), CT_ROUNDING_CELL);
  if (floor !== 0) ledger.move(cell, fees, floor);
  if (ceil !== floor) ledger.move(cell, rounding, ceil - floor);
  core.emitPosting(business, cell, fees, 0 - ceil, reference, market);
  if (floor !== 0) core.emitPosting(business, fees, cell, floor, reference, market);
  if (ceil !== floor) core.emitPosting(ROUNDING, rounding, cell, ceil - floor, reference, market);
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
