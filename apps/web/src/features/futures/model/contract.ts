// A contract in kit's own numbers, from its served form: ticks, lots and units, its ladder, and the conversion back to
// text. Previews compute with these and kit/margin, so that they match the core.

import { decimalText, parseDecimal } from "@clockwork/kit/decimal";
import type { Fraction } from "@clockwork/kit/fraction";
import { divideCeil, divideFloor } from "@clockwork/kit/fraction";
import { wholeFace, wholeTickLot } from "@clockwork/kit/instrument";
import { type Contract, RATE_ONE_WIDE, type Tier } from "@clockwork/kit/margin";
import type { ContractInfo, LadderStep } from "@clockwork/trading/markets/contract";

/** The members of a served contract used in computations. */
export type ContractRules = Pick<
  ContractInfo,
  | "pairCode"
  | "kind"
  | "base"
  | "quote"
  | "settle"
  | "settleScale"
  | "tickSize"
  | "stepSize"
  | "priceDecimals"
  | "quantityDecimals"
  | "liquidationRate"
  | "baseScale"
  | "quoteScale"
>;

export interface KnownContract extends Contract {
  readonly rules: ContractRules;
  readonly tick: { readonly units: bigint; readonly scale: number };
  readonly step: { readonly units: bigint; readonly scale: number };
}

const RATE_SCALE = 8;

function read(text: string): { readonly units: bigint; readonly scale: number } {
  const parsed = parseDecimal(text.startsWith("-") ? text.slice(1) : text);
  if (!parsed.ok) return { units: 0n, scale: 0 };
  return text.startsWith("-") ? { ...parsed.value, units: -parsed.value.units } : parsed.value;
}

/** Units of a scale, cut: served amounts have no more decimals than their coin. */
export function readUnits(text: string, scale: number): bigint {
  const { units, scale: own } = read(text);
  return own <= scale ? units * 10n ** BigInt(scale - own) : units / 10n ** BigInt(own - scale);
}

export function readTiers(steps: readonly LadderStep[], scale: number): readonly Tier[] {
  return steps.map(({ maxNotional, maxLeverage, maintenanceRate, deduction }) => ({
    cap: readUnits(maxNotional, scale),
    leverageMax: maxLeverage,
    rate: readUnits(maintenanceRate, RATE_SCALE),
    deduction: readUnits(deduction, scale),
  }));
}

/** Nothing until the ladder is loaded: without it no price can be computed. */
export function readContract(
  rules: ContractRules,
  ladder: readonly LadderStep[] | undefined,
): KnownContract | undefined {
  if (ladder === undefined || ladder.length === 0) return undefined;
  const tick = read(rules.tickSize);
  const step = read(rules.stepSize);
  const isInverse = rules.kind === "inverse";
  // The step is counted in coins of its own decimals: they only have to be the same above and below the line.
  const factor = isInverse
    ? wholeFace(tick, step.units, rules.settleScale, step.scale)
    : wholeTickLot(tick, step.units, step.scale, rules.settleScale);
  if (factor === 0) return undefined;
  return {
    kind: rules.kind,
    factor: BigInt(factor),
    tiers: readTiers(ladder, rules.settleScale),
    liquidationRate: readUnits(rules.liquidationRate, RATE_SCALE),
    rules,
    tick,
    step,
  };
}

/** Whole ticks of a price text; nothing where it is between two. */
export function readTicks(contract: KnownContract, text: string): bigint | undefined {
  return readSteps(text, contract.tick);
}

export function readLots(contract: KnownContract, text: string): bigint | undefined {
  return readSteps(text, contract.step);
}

function readSteps(text: string, step: KnownContract["tick"]): bigint | undefined {
  const parsed = parseDecimal(text);
  if (!parsed.ok) return undefined;
  const { units, scale } = parsed.value;
  const most = Math.max(scale, step.scale);
  const over = units * 10n ** BigInt(most - scale);
  const under = step.units * 10n ** BigInt(most - step.scale);
  return under === 0n || over % under !== 0n ? undefined : over / under;
}

export function writeLots({ step, rules }: KnownContract, lots: bigint): string {
  return trimTo(decimalText(lots * step.units, step.scale), rules.quantityDecimals);
}

/** An exact price in ticks with the contract's decimals; `up` where rounding down would flatter. */
export function writePrice({ tick, rules }: KnownContract, price: Fraction, up = false): string {
  const over = price.over * tick.units * 10n ** BigInt(rules.priceDecimals);
  const under = price.under * 10n ** BigInt(tick.scale);
  return decimalText(up ? divideCeil(over, under) : divideFloor(over, under), rules.priceDecimals);
}

/** What is received or held rounds down, what is paid up; shown with two decimals of a dollar coin, eight of others. */
export function writeUnits({ rules }: KnownContract, units: bigint, way: "floor" | "ceil" = "floor"): string {
  const shown = shownDecimals(rules.settle);
  const divisor = 10n ** BigInt(Math.max(0, rules.settleScale - shown));
  const cut = way === "ceil" ? divideCeil(units, divisor) : units / divisor;
  return decimalText(cut, Math.min(shown, rules.settleScale));
}

/** The demo coin is shown under the name of the real one. */
export function shownCoin(coin: string): string {
  return coin === "DUSDT" ? "demo USDT" : coin;
}

export function shownDecimals(coin: string): number {
  return /USD/.test(coin) ? 2 : 8;
}

export function rateUnits(rate: string): bigint {
  return readUnits(rate, RATE_SCALE);
}

/** What a fee comes to, rounded up as the ledger does. */
export function feeOf(value: bigint, rate: string): bigint {
  return divideCeil(value * rateUnits(rate), RATE_ONE_WIDE);
}

function trimTo(text: string, decimals: number): string {
  const [whole = "0", fraction = ""] = text.split(".");
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, "0").slice(0, decimals)}`;
}
