// Owns liquidation: orders taken back, hedges netted, tiers left one by one through the book, the rest taken over at
// the bankruptcy price by the liquidation account, or closed against winners when the fund cannot bear it. Every step
// is reported. Never begins while the margin check says healthy.

import { assert } from "@clockwork/kit/assert";
import { EXACT_SLACK, restOf } from "@clockwork/kit/exact-cost";
import { compareFractions } from "@clockwork/kit/fraction";
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { bankruptcyPrice, exactMarginRatio, nearCeil, nearFloor, needCeil } from "@clockwork/kit/margin";
import { mulDivFloor, RATE_ONE } from "@clockwork/kit/money";
import { atOrder, FLAG_CONDITIONAL, FLAG_REDUCE_ONLY, FLAG_ROLE, FLAG_SELL, O_FLAGS } from "../../book/orders.ts";
import { LOOK, LOOK_LIQUIDATED } from "../../bot/state/records.ts";
import { A_BOT, A_MARKETS } from "../../ledger/ledger.ts";
import { AM_NEXT, AM_SYMBOL_MARGIN } from "../../market/account-markets.ts";
import { getWord } from "../../memory/record.ts";
import { endAll } from "../../order/end/cancel-all.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { BUSINESSES, END_REASONS, LIQUIDATION_STEPS } from "../../protocol/names.ts";
import { feeCeil } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";
import { takeUnits } from "../margin/cash.ts";
import { crossPositions, holdingOf, isDue, markOf, profitOf, scopeCash, scopePositions } from "../margin/equity.ts";
import { finishFill, reducePosition } from "../margin/fill.ts";
import { isDrained, recordFlow } from "../margin/insurance.ts";
import { trimTouched } from "../order/trim.ts";
import {
  CT_INSURANCE_CELL,
  CT_LIQUIDATION_RATE,
  MA_ACCOUNT,
  MA_CELL,
  MODE_HEDGE,
  PO_GENERATION,
  PO_SYMBOL_MARGIN,
  POF_COST,
  POF_EXCESS,
  POF_MARGIN,
  POSITION_IDS,
  SM_ACCOUNT_MARKET,
  SM_FLAGS,
  SM_LONG,
  SM_MARGIN_ACCOUNT,
  SM_SHORT,
} from "../state/records.ts";
import { isIsolated } from "../state/symbol-margins.ts";
import { gainSign, lotsWithin, tierCap, tierOfNotional, worthCeil, worthExcess } from "../state/values.ts";
import { deleverage } from "./adl.ts";
import { sendForced } from "./forced.ts";
import { fundCanBear, takeOver } from "./house.ts";

const LIQUIDATION_ENDED = eventPlaces("liquidationEnded");
const LIQUIDATION_STARTED = eventPlaces("liquidationStarted");
const LIQUIDATION_STEP = eventPlaces("liquidationStep");
const LIQUIDATION_PRINT = eventPlaces("liquidationPrint");

const REASON_LIQUIDATION = END_REASONS.indexOf("LIQUIDATION");
const REALIZED = BUSINESSES.indexOf("realized");
const LIQUIDATION_FEE = BUSINESSES.indexOf("liquidationFee");
const STEP_ORDERS = LIQUIDATION_STEPS.indexOf("ordersCancelled");
const STEP_NETTED = LIQUIDATION_STEPS.indexOf("pairNetted");
const STEP_TIER = LIQUIDATION_STEPS.indexOf("tierReduced");
const STEP_TAKEN = LIQUIDATION_STEPS.indexOf("takenOver");
const STEP_DELEVERAGED = LIQUIDATION_STEPS.indexOf("deleveraged");

/** Liquidates those that are due, worst margin ratio first; each is asked again when its turn comes. */
export function liquidateDue(core: Core, due: readonly number[]): void {
  const { perps } = core;
  const ranked = due.map((position) => {
    const holdings = scopePositions(core, position).map((one) => holdingOf(core, one));
    const ratio = exactMarginRatio(BigInt(scopeCash(core, position)), holdings);
    return { id: perps.positionId(position), position, ratio };
  });
  ranked.sort((a, b) => {
    if (a.ratio !== undefined && b.ratio !== undefined) return compareFractions(b.ratio, a.ratio) || a.id - b.id;
    // Those with nothing left are the worst, and alike.
    return Number(a.ratio !== undefined) - Number(b.ratio !== undefined) || a.id - b.id;
  });
  for (const { position, id } of ranked) {
    if (perps.positionId(position) !== id || perps.lots(position) === 0 || !isDue(core, position)) continue;
    liquidate(core, position);
  }
}

function liquidate(core: Core, position: number): void {
  const { perps } = core;
  const symbolMargin = perps.position(position, PO_SYMBOL_MARGIN);
  const marginAccount = perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT);
  const market = perps.marketOf(position);
  const generation = perps.position(position, PO_GENERATION);
  emitStarted(core, position, market);
  cancelOpening(core, position, symbolMargin, marginAccount);
  if (isDue(core, position) && !isIsolated(perps, position)) netPairs(core, position);
  // A split position's record may be another's once it is flat, so it is asked for by its id.
  const id = position + generation * POSITION_IDS;
  const isolated = isIsolated(perps, position);
  const left = (): number[] => {
    if (!isolated) return crossPositions(core, marginAccount);
    return isOpen(core, position, id) ? [position] : [];
  };
  for (let open = left(); open.length > 0; open = left()) {
    const worst = worstOf(core, open);
    if (!isDue(core, worst)) break;
    const held = Math.abs(perps.lots(worst));
    const worstId = perps.positionId(worst);
    if (!leaveTier(core, worst)) endPosition(core, worst);
    // Every step takes something away, so that a liquidation ends.
    const smaller = !isOpen(core, worst, worstId) || Math.abs(perps.lots(worst)) < held;
    assert(smaller, "PERP-14", "a step of a liquidation took nothing");
    trimTouched(core);
  }
  const account = perps.marginAccount(marginAccount, MA_ACCOUNT);
  const bot = core.ledger.accountWord(account, A_BOT);
  if (bot > 0) core.bots.fresh.push(bot, LOOK, LOOK_LIQUIDATED);
  const record = core.events.openClean(LIQUIDATION_ENDED.kind, 0, 0, account, core.sequence);
  core.events.setId(record, LIQUIDATION_ENDED.position, position, generation);
  core.events.setWord(record, LIQUIDATION_ENDED.market, market);
  core.events.setDouble(
    record,
    LIQUIDATION_ENDED.availableUnits,
    core.ledger.available(perps.marginAccount(marginAccount, MA_CELL)),
  );
  core.events.setDouble(
    record,
    LIQUIDATION_ENDED.frozenUnits,
    core.ledger.frozen(perps.marginAccount(marginAccount, MA_CELL)),
  );
}

function isOpen(core: Core, position: number, id: number): boolean {
  return core.perps.positionId(position) === id && core.perps.lots(position) !== 0;
}

/** The position that loses most; ties go to the older record. */
function worstOf(core: Core, positions: readonly number[]): number {
  let worst = positions[0] as number;
  for (const position of positions) if (profitOf(core, position) < profitOf(core, worst)) worst = position;
  return worst;
}

function emitStarted(core: Core, position: number, market: number): void {
  const { perps } = core;
  const isolated = isIsolated(perps, position);
  let profit = 0;
  let need = 0;
  for (const one of scopePositions(core, position)) {
    profit += profitOf(core, one);
    const { contract, lots, markTicks } = holdingOf(core, one);
    need += Number(needCeil(contract, lots, markTicks));
  }
  const account = perps.marginAccount(perps.marginAccountOf(position), MA_ACCOUNT);
  const record = core.events.openClean(LIQUIDATION_STARTED.kind, 0, isolated ? 1 : 0, account, core.sequence);
  core.events.setId(record, LIQUIDATION_STARTED.position, position, perps.position(position, PO_GENERATION));
  core.events.setWord(record, LIQUIDATION_STARTED.market, market);
  core.events.setWord(record, LIQUIDATION_STARTED.markTicks, markOf(core, market));
  core.events.setDouble(record, LIQUIDATION_STARTED.cashUnits, scopeCash(core, position));
  core.events.setDouble(record, LIQUIDATION_STARTED.profitUnits, profit);
  core.events.setDouble(record, LIQUIDATION_STARTED.needUnits, need);
}

function emitStep(core: Core, step: number, position: number, ticks: number, lots: number, value: number): void {
  const { perps } = core;
  const symbolMargin = perps.position(position, PO_SYMBOL_MARGIN);
  const marginAccount = perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT);
  const record = core.events.openClean(
    LIQUIDATION_STEP.kind,
    step,
    0,
    perps.marginAccount(marginAccount, MA_ACCOUNT),
    core.sequence,
  );
  core.events.setId(record, LIQUIDATION_STEP.position, position, perps.position(position, PO_GENERATION));
  core.events.setWord(record, LIQUIDATION_STEP.market, perps.marketOf(position));
  core.events.setWord(record, LIQUIDATION_STEP.bankruptcyTicks, ticks);
  core.events.setDouble(record, LIQUIDATION_STEP.lots, lots);
  core.events.setDouble(record, LIQUIDATION_STEP.valueUnits, value);
  core.events.setDouble(record, LIQUIDATION_STEP.cashUnits, scopeCash(core, position));
}

function emitPrint(core: Core, market: number, ticks: number, lots: number): void {
  const record = core.events.openClean(LIQUIDATION_PRINT.kind, 0, 0, 0, core.sequence);
  core.events.setWord(record, LIQUIDATION_PRINT.market, market);
  core.events.setWord(record, LIQUIDATION_PRINT.price, ticks);
  core.events.setDouble(record, LIQUIDATION_PRINT.lots, lots);
}

/** Step 1: opening orders of the symbol, or of every symbol the cross margin carries. */
function cancelOpening(core: Core, position: number, symbolMargin: number, marginAccount: number): void {
  const { perps } = core;
  const slots: number[] = [];
  const gather = (accountMarket: number): void => {
    for (const slot of core.accountMarkets.openOrdersOf(accountMarket)) {
      const flags = getWord(core.books.orderWords, atOrder(slot), O_FLAGS);
      if ((flags & (FLAG_REDUCE_ONLY | FLAG_CONDITIONAL | FLAG_ROLE)) === 0) slots.push(slot);
    }
  };
  if (isIsolated(perps, position)) gather(perps.symbolMargin(symbolMargin, SM_ACCOUNT_MARKET));
  else {
    const account = perps.marginAccount(marginAccount, MA_ACCOUNT);
    for (
      let accountMarket = core.ledger.accountWord(account, A_MARKETS);
      accountMarket !== 0;
      accountMarket = core.accountMarkets.word(accountMarket, AM_NEXT)
    ) {
      const one = core.accountMarkets.word(accountMarket, AM_SYMBOL_MARGIN);
      if (
        one !== 0 &&
        perps.symbolMargin(one, SM_MARGIN_ACCOUNT) === marginAccount &&
        (perps.symbolMargin(one, SM_FLAGS) & 1) === 0
      )
        gather(accountMarket);
    }
  }
  if (slots.length === 0) return;
  const count = slots.length;
  endAll(core, slots, REASON_LIQUIDATION);
  emitStep(core, STEP_ORDERS, position, 0, count, 0);
}

/** Step 2: both sides of a symbol close against each other at the mark, without a fee. */
function netPairs(core: Core, position: number): void {
  const { perps } = core;
  for (const one of scopePositions(core, position)) {
    const symbolMargin = perps.position(one, PO_SYMBOL_MARGIN);
    const long = perps.symbolMargin(symbolMargin, SM_LONG);
    const short = perps.symbolMargin(symbolMargin, SM_SHORT);
    if (one !== long || (perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_HEDGE) === 0 || perps.lots(short) === 0)
      continue;
    const market = perps.marketOf(one);
    const lots = Math.min(perps.lots(long), 0 - perps.lots(short));
    const value = worthCeil(perps, market, lots, markOf(core, market));
    const excess = worthExcess(perps, market, lots, markOf(core, market));
    // The winning side first, so that its profit can pay for the other.
    const pair = profitOf(core, long) >= profitOf(core, short) ? [long, short] : [short, long];
    for (const side of pair) {
      const profit = reducePosition(core.views, side, lots, value, excess, 0, REALIZED, perps.positionId(side));
      finishFill(core.views, side, symbolMargin, profit);
    }
    emitStep(core, STEP_NETTED, long, markOf(core, market), lots, value);
    if (!isDue(core, position)) return;
  }
}

/** The bankruptcy price of a position in its margin, in ticks rounded toward the market; 0 when there is none. */
function bankruptcyTicks(core: Core, position: number): number {
  const cash = scopeCash(core, position) + othersProfit(core, position);
  const holding = holdingOf(core, position);
  const price = bankruptcyPrice(holding.contract, BigInt(cash), holding);
  if (price === undefined) return 0;
  const ticks = Number(holding.side > 0n ? nearCeil(price) : nearFloor(price));
  return Math.max(1, Math.min(PRICE_TICKS_MAX, ticks));
}

function othersProfit(core: Core, position: number): number {
  let profit = 0;
  for (const one of scopePositions(core, position)) if (one !== position) profit += profitOf(core, one);
  return profit;
}

/** Step 3: sells just enough to fall to the tier below; false when there is none or nobody takes it. */
function leaveTier(core: Core, position: number): boolean {
  const { perps } = core;
  const market = perps.marketOf(position);
  const mark = markOf(core, market);
  const held = perps.lots(position);
  const lots = Math.abs(held);
  const tier = tierOfNotional(perps, market, worthCeil(perps, market, lots, mark));
  if (tier === 0) return false;
  const closing = lots - lotsWithin(perps, market, tierCap(perps, market, tier - 1), mark);
  assert(closing >= 1 && closing <= lots, "PERP-14", "a tier step larger than the position, or none");
  const ticks = bankruptcyTicks(core, position);
  const limit = ticks !== 0 ? ticks : held > 0 ? 1 : PRICE_TICKS_MAX;
  const marginAccount = perps.marginAccountOf(position);
  const id = perps.positionId(position);
  const value = sendForced(core, position, held > 0 ? FLAG_SELL : 0, limit, closing);
  const isOver = !isOpen(core, position, id);
  const filled = isOver ? lots : lots - Math.abs(perps.lots(position));
  if (filled === 0) return false;
  const fee = feeCeil(value, perps.contract(market, CT_LIQUIDATION_RATE));
  chargeLiquidation(core, marginAccount, isOver ? 0 : position, market, fee);
  if (!isOver) emitStep(core, STEP_TIER, position, limit, filled, value);
  emitPrint(core, market, limit, held > 0 ? filled : 0 - filled);
  return true;
}

/** The liquidation fee goes to the fund, as far as there is anything to take it from. */
function chargeLiquidation(core: Core, marginAccount: number, position: number, market: number, units: number): void {
  if (units <= 0) return;
  const fund = core.perps.contract(market, CT_INSURANCE_CELL);
  const missing = takeUnits(core, marginAccount, position, market, fund, units, LIQUIDATION_FEE, 0);
  recordFlow(core, market, units - missing);
  core.perps.markDirty(marginAccount);
}

/** The value at which nothing is left after the liquidation fee. */
function bankruptcyValue(core: Core, position: number): number {
  const { perps } = core;
  const market = perps.marketOf(position);
  const cash = scopeCash(core, position) + othersProfit(core, position);
  const cost = perps.positionDouble(position, POF_COST);
  const rate = perps.contract(market, CT_LIQUIDATION_RATE);
  const gains = gainSign(perps, market, perps.lots(position)) > 0;
  const units = gains ? cost - cash : cost + cash;
  if (units <= 0) return 0;
  const under = gains ? RATE_ONE - rate : RATE_ONE + rate;
  const excess = perps.positionDouble(position, POF_EXCESS) * RATE_ONE;
  const part = (restOf(units, RATE_ONE, under) - excess) / under;
  return mulDivFloor(units, RATE_ONE, under) + (gains ? Math.ceil(part - EXACT_SLACK) : Math.floor(part + EXACT_SLACK));
}

/** Steps 4 to 6: the whole rest leaves at the bankruptcy value, to the liquidation account or to winners. */
function endPosition(core: Core, position: number): void {
  const { perps } = core;
  const market = perps.marketOf(position);
  const held = perps.lots(position);
  const value = bankruptcyValue(core, position);
  const ticks = bankruptcyTicks(core, position);
  assert(Number.isSafeInteger(value) && value >= 0, "PERP-14", "a bankruptcy value that is no number of units");
  const symbolMargin = perps.position(position, PO_SYMBOL_MARGIN);
  const marginAccount = perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT);
  const margin = perps.positionDouble(position, POF_MARGIN);
  const isolated = isIsolated(perps, position);
  const drained = isDrained(core, market);
  const bears = fundCanBear(core, market, held, value) && !drained;
  emitStep(core, bears ? STEP_TAKEN : STEP_DELEVERAGED, position, ticks, Math.abs(held), value);
  emitPrint(core, market, ticks, held);
  const profit = reducePosition(
    core.views,
    position,
    Math.abs(held),
    value,
    0,
    0,
    REALIZED,
    perps.positionId(position),
  );
  finishFill(core.views, position, symbolMargin, profit);
  // What loss or profit made of the margin is the fee: a margin that funding ate leaves the value above the cost.
  const fee = feeCeil(value, perps.contract(market, CT_LIQUIDATION_RATE));
  chargeLiquidation(core, marginAccount, 0, market, isolated ? margin + profit : fee);
  const rest = bears ? { lots: Math.abs(held), value } : deleverage(core, market, held, value, ticks, marginAccount);
  if (rest.lots > 0) takeOver(core, market, held > 0 ? rest.lots : 0 - rest.lots, rest.value);
}
