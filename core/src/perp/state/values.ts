// Owns the arithmetic of fills and orders in whole doubles: value, cost leaving, profit, margin asked. The same rules as
// kit/margin, which tests hold it to; split products keep it exact below 2^53. Changes nothing but its registers.

import { EXACT_SLACK, partOf, restOf } from "@clockwork/kit/exact-cost";
import { mulDivCeil, mulDivFloor, RATE_ONE } from "@clockwork/kit/money";
import { type Doubles, getDouble, getWord, type Words } from "../../memory/record.ts";
import {
  atContract,
  CT_KIND,
  CT_LEVERAGES,
  CT_LIQUIDATION_RATE,
  CT_RATES,
  CT_TIERS,
  CTF_CAPS,
  CTF_DEDUCTIONS,
  CTF_FACTOR,
} from "./records.ts";

/** The views of contracts; perpetuals are their own. */
interface ContractViews {
  readonly contractWords: Words<"contract">;
  readonly contractDoubles: Doubles<"contract">;
}

const INVERSE = 2;
/** What lots are worth at a price; exact for linear contracts. */
export function worthFloor(perps: ContractViews, market: number, lots: number, ticks: number): number {
  const factor = getDouble(perps.contractDoubles, atContract(market), CTF_FACTOR);
  return getWord(perps.contractWords, atContract(market), CT_KIND) === INVERSE
    ? mulDivFloor(factor, lots, ticks)
    : lots * ticks * factor;
}

export function worthCeil(perps: ContractViews, market: number, lots: number, ticks: number): number {
  const factor = getDouble(perps.contractDoubles, atContract(market), CTF_FACTOR);
  return getWord(perps.contractWords, atContract(market), CT_KIND) === INVERSE
    ? mulDivCeil(factor, lots, ticks)
    : lots * ticks * factor;
}

/** The most lots whose value at a price stays within a cap. */
export function lotsWithin(perps: ContractViews, market: number, cap: number, ticks: number): number {
  const factor = getDouble(perps.contractDoubles, atContract(market), CTF_FACTOR);
  return getWord(perps.contractWords, atContract(market), CT_KIND) === INVERSE
    ? mulDivFloor(cap, ticks, factor)
    : Math.floor(cap / (ticks * factor));
}

/** One lot at a price, rounded up, so that an order's share adds up whatever part of it is open. */
export function worthOfLotCeil(perps: ContractViews, market: number, ticks: number): number {
  const factor = getDouble(perps.contractDoubles, atContract(market), CTF_FACTOR);
  return getWord(perps.contractWords, atContract(market), CT_KIND) === INVERSE
    ? Math.ceil(factor / ticks)
    : ticks * factor;
}

/** By how much worthCeil exceeds what lots are worth at a price. */
export function worthExcess(perps: ContractViews, market: number, lots: number, ticks: number): number {
  if (getWord(perps.contractWords, atContract(market), CT_KIND) !== INVERSE) return 0;
  const over = restOf(getDouble(perps.contractDoubles, atContract(market), CTF_FACTOR), lots, ticks);
  return over === 0 ? 0 : partOf((ticks - over) / ticks);
}

/** +1 when a position gains as its value grows: linear longs and inverse shorts. */
export function gainSign(perps: ContractViews, market: number, lots: number): number {
  return lots > 0 === (getWord(perps.contractWords, atContract(market), CT_KIND) !== INVERSE) ? 1 : -1;
}

/** Unrealised profit at a price, rounded down. */
export function profitAt(
  perps: ContractViews,
  market: number,
  lots: number,
  cost: number,
  excess: number,
  ticks: number,
): number {
  if (lots === 0) return 0;
  const size = Math.abs(lots);
  const sign = gainSign(perps, market, lots);
  const beyond = excess - worthExcess(perps, market, size, ticks);
  return sign * (worthCeil(perps, market, size, ticks) - cost) + Math.floor(sign * beyond + EXACT_SLACK);
}

/** value ÷ leverage, rounded up; exact below 2^52, because a remainder is then more than half of the last place. */
export function initialMargin(value: number, leverage: number): number {
  return Math.ceil(value / leverage);
}

/** The tier of a notional, from 0. */
export function tierOfNotional(perps: ContractViews, market: number, notional: number): number {
  const count = getWord(perps.contractWords, atContract(market), CT_TIERS);
  let tier = 0;
  while (tier < count - 1 && notional > tierCap(perps, market, tier)) tier++;
  return tier;
}

export function tierCap(perps: ContractViews, market: number, tier: number): number {
  return getDouble(perps.contractDoubles, atContract(market), CTF_CAPS + tier);
}

/** Maintenance and liquidation fee of a notional, rounded up. */
export function needOfNotional(perps: ContractViews, market: number, notional: number): number {
  const tier = tierOfNotional(perps, market, notional);
  const rate = getWord(perps.contractWords, atContract(market), CT_RATES + tier);
  const fee = getWord(perps.contractWords, atContract(market), CT_LIQUIDATION_RATE);
  const deduction = getDouble(perps.contractDoubles, atContract(market), CTF_DEDUCTIONS + tier);
  return mulDivCeil(notional, rate + fee, RATE_ONE) - deduction;
}

/** The steepest the need grows with value up to a notional: its tier's rate and the fee. */
export function steepestRate(perps: ContractViews, market: number, notional: number): number {
  const tier = tierOfNotional(perps, market, notional);
  return (
    getWord(perps.contractWords, atContract(market), CT_RATES + tier) +
    getWord(perps.contractWords, atContract(market), CT_LIQUIDATION_RATE)
  );
}

/** The largest notional a leverage may open, 0 when the contract has no such leverage. */
export function capOfLeverage(perps: ContractViews, market: number, leverage: number): number {
  const count = getWord(perps.contractWords, atContract(market), CT_TIERS);
  for (let tier = count - 1; tier >= 0; tier--) {
    if (getWord(perps.contractWords, atContract(market), CT_LEVERAGES + tier) >= leverage)
      return tierCap(perps, market, tier);
  }
  return 0;
}
