// Owns sums over a margin account: profit, equity, what may leave, and the margin check of a margin account or an
// isolated position. Fast sums in doubles err on the careful side; the verdict itself is kit/margin's. Changes nothing.

import { COST_PARTS, type Contract, isLiquidatable, type MarkedHolding } from "@clockwork/kit/margin";
import { atMarket, M_MARK } from "../../market/markets.ts";
import { getDouble, getWord } from "../../memory/record.ts";
import type { Core } from "../../state/core.ts";
import {
  atMarginAccount,
  atPosition,
  CT_KIND,
  CT_LEVERAGES,
  CT_LIQUIDATION_RATE,
  CT_RATES,
  CT_TIERS,
  CTF_CAPS,
  CTF_DEDUCTIONS,
  CTF_FACTOR,
  MA_CELL,
  MA_POSITIONS,
  MAF_BONUS,
  PO_NEXT,
  POF_COST,
  POF_EXCESS,
  POF_LOTS,
  POF_MARGIN,
} from "../state/records.ts";
import { isIsolated } from "../state/symbol-margins.ts";
import { needOfNotional, profitAt, worthCeil } from "../state/values.ts";
import { requiredOf } from "./exposure.ts";

export function markOf(core: Core, market: number): number {
  return getWord(core.markets.words, atMarket(market), M_MARK);
}

/** Profit of all open cross positions of a margin account at their marks. */
export function crossProfit(core: Core, marginAccount: number): number {
  const { perps } = core;
  let sum = 0;
  for (
    let at = getWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_POSITIONS);
    at !== 0;
    at = perps.position(at, PO_NEXT)
  ) {
    if (!isIsolated(perps, at)) sum += profitOf(core, at);
  }
  return sum;
}

/** Unrealised profit of a position at its mark, 0 before there is one. */
export function profitOf(core: Core, position: number): number {
  const { perps } = core;
  const market = perps.marketOf(position);
  const mark = markOf(core, market);
  if (mark === 0) return 0;
  const from = atPosition(position);
  const f64 = perps.positionDoubles;
  const lots = getDouble(f64, from, POF_LOTS);
  return profitAt(perps, market, lots, getDouble(f64, from, POF_COST), getDouble(f64, from, POF_EXCESS), mark);
}

/** Maintenance and liquidation fee of an open position at its mark. */
export function needOf(core: Core, position: number): number {
  const { perps } = core;
  const market = perps.marketOf(position);
  const mark = markOf(core, market);
  if (mark === 0) return 0;
  const lots = Math.abs(perps.lots(position));
  return needOfNotional(perps, market, worthCeil(perps, market, lots, mark));
}

/** Wallet, bonus and cross profit: what cross positions live on. */
export function crossEquity(core: Core, marginAccount: number): number {
  return crossCash(core, marginAccount) + crossProfit(core, marginAccount);
}

export function crossCash(core: Core, marginAccount: number): number {
  const { perps } = core;
  const cell = getWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_CELL);
  return core.ledger.available(cell) + getDouble(perps.marginAccountDoubles, atMarginAccount(marginAccount), MAF_BONUS);
}

/** What new orders may still ask. */
export function freeMargin(core: Core, marginAccount: number): number {
  return crossEquity(core, marginAccount) - requiredOf(core, marginAccount);
}

/** What may leave: own wallet less losses of cross positions and all that is asked; profit and bonus stay. */
export function transferable(core: Core, marginAccount: number): number {
  const { perps } = core;
  const own = core.ledger.available(perps.marginAccount(marginAccount, MA_CELL));
  return Math.max(0, own + Math.min(0, crossProfit(core, marginAccount)) - requiredOf(core, marginAccount));
}

/** The contract as kit/margin knows it. */
export function contractOf(core: Core, market: number): Contract {
  const known = core.perps.terms[market];
  if (known !== undefined) return known;
  const made = makeTerms(core, market);
  core.perps.terms[market] = made;
  return made;
}

function makeTerms(core: Core, market: number): Contract {
  const { perps } = core;
  const tiers = Array.from({ length: perps.contract(market, CT_TIERS) }, (_, i) => ({
    cap: BigInt(perps.contractDouble(market, CTF_CAPS + i)),
    leverageMax: perps.contract(market, CT_LEVERAGES + i),
    rate: BigInt(perps.contract(market, CT_RATES + i)),
    deduction: BigInt(perps.contractDouble(market, CTF_DEDUCTIONS + i)),
  }));
  return {
    kind: perps.contract(market, CT_KIND) === 2 ? "inverse" : "linear",
    factor: BigInt(perps.contractDouble(market, CTF_FACTOR)),
    tiers,
    liquidationRate: BigInt(perps.contract(market, CT_LIQUIDATION_RATE)),
  };
}

export function holdingOf(core: Core, position: number): MarkedHolding {
  const { perps } = core;
  const market = perps.marketOf(position);
  const lots = perps.lots(position);
  return {
    contract: contractOf(core, market),
    side: lots > 0 ? 1n : -1n,
    lots: BigInt(Math.abs(lots)),
    cost: BigInt(perps.positionDouble(position, POF_COST)),
    excess: BigInt(perps.positionDouble(position, POF_EXCESS) * COST_PARTS),
    markTicks: BigInt(markOf(core, market)),
  };
}

/** Open cross positions of a margin account whose market has a mark. */
export function crossPositions(core: Core, marginAccount: number): number[] {
  const { perps } = core;
  const found: number[] = [];
  for (let at = perps.marginAccount(marginAccount, MA_POSITIONS); at !== 0; at = perps.position(at, PO_NEXT))
    if (!isIsolated(perps, at) && markOf(core, perps.marketOf(at)) !== 0) found.push(at);
  return found;
}

/** Cash a position's margin check counts with. */
export function scopeCash(core: Core, position: number): number {
  const { perps } = core;
  if (isIsolated(perps, position)) return perps.positionDouble(position, POF_MARGIN);
  return crossCash(core, perps.marginAccountOf(position));
}

/** Positions that share a margin with this one. */
export function scopePositions(core: Core, position: number): number[] {
  return isIsolated(core.perps, position) ? [position] : crossPositions(core, core.perps.marginAccountOf(position));
}

/** The real margin check of the margin a position lives on. */
export function isDue(core: Core, position: number): boolean {
  const cash = BigInt(scopeCash(core, position));
  return isLiquidatable(
    cash,
    scopePositions(core, position).map((one) => holdingOf(core, one)),
  );
}
