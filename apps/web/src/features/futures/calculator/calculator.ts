// What the calculator works out: profit, target price, liquidation, funding, largest position and average entry. Pure, by
// kit/margin: the same figures as the core would give.

import type { Fraction } from "@clockwork/kit/fraction";
import { divideFloor } from "@clockwork/kit/fraction";
import {
  bankruptcyPrice,
  capOfLeverage,
  entryPrice,
  fundingCharge,
  initialMarginCeil,
  liquidationPrice,
  profitFloor,
  RATE_ONE_WIDE,
  tierOf,
  valueCeil,
  valueFloor,
} from "@clockwork/kit/margin";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { feeOf, type KnownContract, rateUnits, readLots, readTicks, readUnits } from "../model/contract.ts";

/** As typed; what is empty is not worked out. */
export interface CalculatorInput {
  readonly isLong: boolean;
  readonly leverage: number;
  readonly entry: string;
  readonly size: string;
  readonly added: string;
  readonly exit: string;
  readonly roePercent: string;
  readonly balance: string;
  readonly rate: string;
  readonly secondEntry: string;
  readonly secondSize: string;
}

/** What a first look is calculated with, so that there is something to see. */
const EXAMPLE_WORTH = 10_000;

/** A size worth about the given amount in the quote coin, in whole steps and at least one. */
export function exampleSize(
  { kind, stepSize, quantityDecimals }: Pick<ContractInfo, "kind" | "stepSize" | "quantityDecimals">,
  price: string | null,
): string {
  if (kind === "inverse") return EXAMPLE_WORTH.toFixed(quantityDecimals);
  const [at, step] = [Number(price), Number(stepSize)];
  if (!(at > 0) || !(step > 0)) return "";
  return (Math.max(1, Math.round(EXAMPLE_WORTH / at / step)) * step).toFixed(quantityDecimals);
}

export interface CalculatorResult {
  readonly margin: bigint;
  readonly value: bigint;
  readonly liquidation: Fraction | undefined;
  readonly bankruptcy: Fraction | undefined;
  readonly tier: number;
  readonly profit: bigint | undefined;
  readonly openFee: bigint;
  readonly closeFee: bigint | undefined;
  readonly net: bigint | undefined;
  readonly target: Fraction | undefined;
  readonly funding: bigint | undefined;
  readonly mostLots: bigint | undefined;
  readonly average: Fraction | undefined;
}

function positive(value: bigint | undefined): bigint | undefined {
  return value !== undefined && value > 0n ? value : undefined;
}

interface Base {
  readonly contract: KnownContract;
  readonly input: CalculatorInput;
  readonly feeRate: string;
}

/** The price at which the profit is the given percentage of the margin: exact, before fees. */
function targetPrice(
  contract: KnownContract,
  cost: bigint,
  lots: bigint,
  wanted: bigint,
  isLong: boolean,
): Fraction | undefined {
  const gainsByValue = (contract.kind === "linear") === isLong;
  const value = gainsByValue ? cost + wanted : cost - wanted;
  if (value <= 0n) return undefined;
  const scaled = lots * contract.factor;
  return contract.kind === "linear" ? { over: value, under: scaled } : { over: scaled, under: value };
}

function readRoe(text: string): bigint | undefined {
  return /^\d{1,6}(\.\d{1,2})?$/.test(text) ? readUnits(text, 2) : undefined;
}

export function calculate({ contract, input, feeRate }: Base): CalculatorResult | undefined {
  const ticks = positive(readTicks(contract, input.entry));
  const lots = positive(readLots(contract, input.size));
  if (ticks === undefined || lots === undefined) return undefined;
  const { settleScale } = contract.rules;
  const side = input.isLong ? 1n : -1n;
  const cost = valueFloor(contract, lots, ticks);
  const holding = { side, lots, cost } as const;
  const margin = initialMarginCeil(cost, BigInt(input.leverage)) + readUnits(input.added || "0", settleScale);
  const exit = positive(readTicks(contract, input.exit));
  const profit = exit === undefined ? undefined : profitFloor(contract, holding, exit);
  const openFee = feeOf(valueCeil(contract, lots, ticks), feeRate);
  const closeFee = exit === undefined ? undefined : feeOf(valueCeil(contract, lots, exit), feeRate);
  const roe = readRoe(input.roePercent);
  const initial = initialMarginCeil(cost, BigInt(input.leverage));
  return {
    margin,
    value: cost,
    liquidation: liquidationPrice(contract, margin, holding),
    bankruptcy: bankruptcyPrice(contract, margin, holding),
    tier: tierOf(contract.tiers, valueCeil(contract, lots, ticks)),
    profit,
    openFee,
    closeFee,
    net: profit === undefined || closeFee === undefined ? undefined : profit - openFee - closeFee,
    target: roe === undefined ? undefined : targetPrice(contract, cost, lots, (initial * roe) / 10_000n, input.isLong),
    funding: fundingOf(contract, input, lots, ticks, side),
    mostLots: mostLots(contract, input, ticks, feeRate),
    average: averageOf(contract, input, lots, cost),
  };
}

function fundingOf(contract: KnownContract, { rate }: CalculatorInput, lots: bigint, ticks: bigint, side: bigint) {
  if (!/^-?\d{1,3}(\.\d{1,6})?$/.test(rate)) return undefined;
  // Typed in per cent: two decimals more than the fraction.
  return fundingCharge(contract, side, lots, ticks, rateUnits(rate) / 100n);
}

/** What a balance opens at the leverage with its opening fee, within the ladder's cap. */
function mostLots(contract: KnownContract, input: CalculatorInput, ticks: bigint, feeRate: string): bigint | undefined {
  const balance = readUnits(input.balance || "0", contract.rules.settleScale);
  if (balance <= 0n) return undefined;
  // value ÷ leverage + value × fee ≤ balance
  const leverage = BigInt(input.leverage);
  const value = (balance * leverage * RATE_ONE_WIDE) / (RATE_ONE_WIDE + leverage * rateUnits(feeRate));
  const cap = capOfLeverage(contract.tiers, input.leverage);
  const bound = value < cap ? value : cap;
  return contract.kind === "linear"
    ? divideFloor(bound, contract.factor * ticks)
    : divideFloor(bound * ticks, contract.factor);
}

function averageOf(contract: KnownContract, input: CalculatorInput, lots: bigint, cost: bigint): Fraction | undefined {
  const ticks = positive(readTicks(contract, input.secondEntry));
  const more = positive(readLots(contract, input.secondSize));
  if (ticks === undefined || more === undefined) return undefined;
  return entryPrice(contract, { side: 1n, lots: lots + more, cost: cost + valueFloor(contract, more, ticks) });
}

/** Liquidation and bankruptcy price at each leverage, for the curve. */
export function liquidationCurve(base: Base, leverages: readonly number[]) {
  return leverages.flatMap((leverage) => {
    const result = calculate({ ...base, input: { ...base.input, leverage } });
    return result === undefined ? [] : [{ leverage, liquidation: result.liquidation, bankruptcy: result.bankruptcy }];
  });
}
