// Owns the arithmetic of perpetual contracts: value, profit, tiers, margin, liquidation and bankruptcy price. Core, API
// and browser all use this file, so they cannot disagree. Whole units of the settlement coin, prices in ticks, rates in
// 1e-8; exact throughout, and whatever rounds names the direction.
import { assert } from "./assert.ts";
import { addFractions, divideCeil, divideFloor, type Fraction, floorFraction, fraction } from "./fraction.ts";
import { exactWorth } from "./instrument.ts";

export const RATE_ONE_WIDE = 100_000_000n;

export interface Tier {
  /** Largest notional of the tier, in units of the settlement coin. */
  readonly cap: bigint;
  readonly leverageMax: number;
  /** Maintenance rate in 1e-8. */
  readonly rate: bigint;
  /** Keeps the maintenance margin continuous from tier to tier. */
  readonly deduction: bigint;
}

export interface Contract {
  readonly kind: "linear" | "inverse";
  /**
   * Linear: units in one tick of one lot. Inverse: coin units × ticks one lot is worth, so that value = lots × factor ÷
   * ticks.
   */
  readonly factor: bigint;
  readonly tiers: readonly Tier[];
  /** Liquidation fee rate in 1e-8: the base taker rate, never the account's own. */
  readonly liquidationRate: bigint;
}

/** Parts of a unit in a stored cost. */
export const COST_PARTS = 2 ** 48;
const PARTS = BigInt(COST_PARTS);
/** A value this close to a whole number of units is that number: roundings to a part never add up to as much. */
const SLACK_PARTS = 1n << 16n;
const SLACK: Fraction = { over: SLACK_PARTS, under: PARTS };

/** The worth of lots when they were acquired, in units rounded up, and the excess of that in parts of a unit. */
export interface Cost {
  readonly cost: bigint;
  readonly excess?: bigint;
}

/** An open position: `side` is 1 long, −1 short. */
export interface Holding extends Cost {
  readonly side: 1n | -1n;
  readonly lots: bigint;
}

export function exactCost({ cost, excess = 0n }: Cost): Fraction {
  return excess === 0n ? { over: cost, under: 1n } : { over: cost * PARTS - excess, under: PARTS };
}

/** A cost in its stored form. */
export function keepCost({ over, under }: Fraction): Required<Cost> {
  const parts = divideFloor(2n * over * PARTS + under, 2n * under);
  const cost = divideCeil(parts - SLACK_PARTS, PARTS);
  const excess = cost * PARTS - parts;
  return { cost, excess: excess > SLACK_PARTS ? excess : 0n };
}

/** A position at its mark; the parts of an account with cross margin. */
export interface MarkedHolding extends Holding {
  readonly contract: Contract;
  readonly markTicks: bigint;
}

/** The worth of lots at a price, exactly. */
export function exactValue(contract: Contract, lots: bigint, ticks: bigint): Fraction {
  return exactWorth(contract.kind, contract.factor, lots, ticks);
}

export function valueFloor(contract: Contract, lots: bigint, ticks: bigint): bigint {
  const { over, under } = exactValue(contract, lots, ticks);
  return divideFloor(over, under);
}

export function valueCeil(contract: Contract, lots: bigint, ticks: bigint): bigint {
  const { over, under } = exactValue(contract, lots, ticks);
  return divideCeil(over, under);
}

/** +1 when the position gains while its value grows: a linear long, an inverse short. */
function valueSign(contract: Contract, side: bigint): bigint {
  return contract.kind === "linear" ? side : -side;
}

function exactProfit(contract: Contract, holding: Holding, ticks: bigint): Fraction {
  const sign = valueSign(contract, holding.side);
  const value = exactValue(contract, holding.lots, ticks);
  const cost = exactCost(holding);
  return addFractions({ over: sign * value.over, under: value.under }, { over: -sign * cost.over, under: cost.under });
}

/** Unrealised profit at a price; the holder's receipts round down. */
export function profitFloor(contract: Contract, holding: Holding, ticks: bigint): bigint {
  return nearFloor(exactProfit(contract, holding, ticks));
}

/** The part of a position's cost that is left when lots of it leave. */
export function costRemaining(holding: Holding, lots: bigint): Required<Cost> {
  const { over, under } = exactCost(holding);
  return keepCost({ over: over * (holding.lots - lots), under: under * holding.lots });
}

/** A result of a cost as a whole number: the nearest if it is close enough, and else the one below. */
export const nearFloor = (exact: Fraction): bigint => floorFraction(addFractions(exact, SLACK));
export const nearCeil = ({ over, under }: Fraction): bigint => -nearFloor({ over: -over, under });

/** Profit realised by closing `lots` at a price: exact, then rounded down once. */
export function realizedFloor(contract: Contract, holding: Holding, lots: bigint, ticks: bigint): bigint {
  const { over, under } = exactProfit(contract, holding, ticks);
  return nearFloor({ over: over * lots, under: under * holding.lots });
}

/** Average entry in ticks. */
export function entryPrice(contract: Contract, holding: Holding): Fraction {
  const { over, under } = exactCost(holding);
  const scaled = holding.lots * contract.factor;
  return contract.kind === "linear" ? fraction(over, under * scaled) : fraction(scaled * under, over);
}

export function initialMarginCeil(cost: bigint, leverage: bigint): bigint {
  return divideCeil(cost, leverage);
}

/** The tier a notional falls in; beyond the last cap the last tier holds. */
export function tierOf(tiers: readonly Tier[], notional: bigint): number {
  for (let tier = 0; tier < tiers.length; tier++) if (notional <= (tiers[tier] as Tier).cap) return tier;
  return tiers.length - 1;
}

/** The largest notional a leverage may open. */
export function capOfLeverage(tiers: readonly Tier[], leverage: number): bigint {
  let cap = 0n;
  for (const tier of tiers) if (tier.leverageMax >= leverage) cap = tier.cap;
  return cap;
}

/** d_k = d_{k−1} + floor_k × (r_k − r_{k−1}), refused when it is not whole. */
export function buildTiers(rows: readonly { cap: bigint; leverageMax: number; rate: bigint }[]): Tier[] {
  const tiers: Tier[] = [];
  for (const row of rows) {
    const below = tiers.at(-1);
    const step = below === undefined ? 0n : below.cap * (row.rate - below.rate);
    assert(step % RATE_ONE_WIDE === 0n, "MARGIN-1", "a deduction is not a whole number of units");
    assert(
      below === undefined || (row.cap > below.cap && row.rate > below.rate && row.leverageMax < below.leverageMax),
      "MARGIN-2",
      "tiers must climb",
    );
    tiers.push({ ...row, deduction: (below?.deduction ?? 0n) + step / RATE_ONE_WIDE });
  }
  return tiers;
}

/** Maintenance margin and liquidation fee together, exactly: N × (r + f) − d. */
function exactNeed(contract: Contract, lots: bigint, ticks: bigint): Fraction {
  const { over, under } = exactValue(contract, lots, ticks);
  const { rate, deduction } = contract.tiers[tierOf(contract.tiers, divideCeil(over, under))] as Tier;
  return {
    over: over * (rate + contract.liquidationRate) - deduction * RATE_ONE_WIDE * under,
    under: under * RATE_ONE_WIDE,
  };
}

export function maintenanceCeil(contract: Contract, lots: bigint, ticks: bigint): bigint {
  const { over, under } = exactValue(contract, lots, ticks);
  const { rate, deduction } = contract.tiers[tierOf(contract.tiers, divideCeil(over, under))] as Tier;
  return divideCeil(over * rate, under * RATE_ONE_WIDE) - deduction;
}

/** What a margin must cover before it is liquidated: maintenance and the liquidation fee, rounded up. */
export function needCeil(contract: Contract, lots: bigint, ticks: bigint): bigint {
  const { over, under } = exactNeed(contract, lots, ticks);
  return divideCeil(over, under);
}

/** Cash with profit, and its requirement, exactly. */
function exactSums(cash: bigint, holdings: readonly MarkedHolding[]): { equity: Fraction; need: Fraction } {
  let equity: Fraction = { over: cash, under: 1n };
  let need: Fraction = { over: 0n, under: 1n };
  for (const holding of holdings) {
    const { contract, lots, markTicks } = holding;
    equity = addFractions(equity, exactProfit(contract, holding, markTicks));
    need = addFractions(need, exactNeed(contract, lots, markTicks));
  }
  return { equity, need };
}

/** Margin left above the requirement, exactly; liquidation when it is not positive. */
export function exactHeadroom(cash: bigint, holdings: readonly MarkedHolding[]): Fraction {
  const { equity, need } = exactSums(cash, holdings);
  return addFractions(equity, { over: -need.over, under: need.under });
}

/** Σ(MM + f·N) ÷ (cash + Σ profit), exactly; undefined when no equity is left. */
export function exactMarginRatio(cash: bigint, holdings: readonly MarkedHolding[]): Fraction | undefined {
  const { equity, need } = exactSums(cash, holdings);
  return equity.over <= 0n ? undefined : fraction(need.over * equity.under, need.under * equity.over);
}

/** The real margin check: Σ(MM + f·N) has reached cash + Σ profit. */
export function isLiquidatable(cash: bigint, holdings: readonly MarkedHolding[]): boolean {
  return holdings.length > 0 && exactHeadroom(cash, holdings).over <= 0n;
}

/** The minimum distance between mark and liquidation price after withdrawing margin: one part in 200, 0.5 %. */
const SAFE_PARTS = 200n;

/** The minimum isolated margin that keeps the liquidation price 0.5 % away from the mark; 0 while there is none. */
export function leastSafeMargin(holding: MarkedHolding): bigint {
  const { side, markTicks } = holding;
  if (markTicks === 0n) return 0n;
  const { over, under } = exactHeadroom(0n, [{ ...holding, markTicks: markTicks - side * (markTicks / SAFE_PARTS) }]);
  return divideFloor(-over, under) + 1n;
}

/** What is left of a cross wallet for one symbol at the current prices of the others. */
export function cashBeside(cash: bigint, others: readonly MarkedHolding[]): Fraction {
  return exactHeadroom(cash, others);
}

/** Where a margin is used up, below and above the mark, in exact ticks; undefined if never. */
export interface LiquidationPrices {
  readonly below: Fraction | undefined;
  readonly above: Fraction | undefined;
}

interface Line {
  /** Headroom = constant + slope × x, with x the price (linear) or one over it (inverse), both times RATE_ONE. */
  readonly constant: Fraction;
  readonly slope: bigint;
}

function lineOf(contract: Contract, cash: Fraction, holdings: readonly Holding[], tiers: readonly number[]): Line {
  let slope = 0n;
  let left = cash;
  for (let i = 0; i < holdings.length; i++) {
    const holding = holdings[i] as Holding;
    const { rate, deduction } = contract.tiers[tiers[i] as number] as Tier;
    const sign = valueSign(contract, holding.side);
    slope += holding.lots * contract.factor * (sign * RATE_ONE_WIDE - rate - contract.liquidationRate);
    const cost = exactCost(holding);
    left = addFractions(left, { over: deduction * cost.under - sign * cost.over, under: cost.under });
  }
  return { constant: { over: left.over * RATE_ONE_WIDE, under: left.under }, slope };
}

/** Whether the assumed tiers match the price: floor < N ≤ cap for each. */
function isInTiers(
  contract: Contract,
  price: Fraction,
  holdings: readonly Holding[],
  tiers: readonly number[],
): boolean {
  return holdings.every(({ lots }, i) => {
    const tier = tiers[i] as number;
    const scaled = lots * contract.factor;
    const notional =
      contract.kind === "linear"
        ? { over: scaled * price.over, under: price.under }
        : { over: scaled * price.under, under: price.over };
    const above = tier === 0 || notional.over > (contract.tiers[tier - 1] as Tier).cap * notional.under;
    const last = tier === contract.tiers.length - 1;
    return above && (last || notional.over <= (contract.tiers[tier] as Tier).cap * notional.under);
  });
}

/**
 * The liquidation prices of one symbol's holdings in one margin: one position, or both sides of a hedge. `cash` is the
 * isolated margin, or what cashBeside leaves. Tiers are tried in order; within each the price is a plain root.
 */
export function liquidationPrices(
  contract: Contract,
  cash: Fraction,
  holdings: readonly Holding[],
  markTicks: bigint,
): LiquidationPrices {
  let below: Fraction | undefined;
  let above: Fraction | undefined;
  const count = contract.tiers.length;
  const combinations = count ** holdings.length;
  for (let combination = 0; combination < combinations; combination++) {
    const tiers = holdings.map((_, i) => Math.floor(combination / count ** i) % count);
    const { constant, slope } = lineOf(contract, cash, holdings, tiers);
    if (slope === 0n || constant.over === 0n) continue;
    const root =
      contract.kind === "linear"
        ? fraction(-constant.over, slope * constant.under)
        : fraction(-slope * constant.under, constant.over);
    if (root.over <= 0n || !isInTiers(contract, root, holdings, tiers)) continue;
    if (root.over <= markTicks * root.under) {
      if (below === undefined || root.over * below.under > below.over * root.under) below = root;
    } else if (above === undefined || root.over * above.under < above.over * root.under) above = root;
  }
  return { below, above };
}

/** The price of a single position; undefined when there is none. */
export function liquidationPrice(contract: Contract, cash: bigint, holding: Holding): Fraction | undefined {
  const { below } = liquidationPrices(contract, { over: cash, under: 1n }, [holding], 1n << 62n);
  return below;
}

/** The price at which nothing is left after the closing fee, in exact ticks; undefined when there is none. */
export function bankruptcyPrice(contract: Contract, cash: bigint, holding: Holding): Fraction | undefined {
  const sign = valueSign(contract, holding.side);
  const scaled = holding.lots * contract.factor * (contract.liquidationRate - sign * RATE_ONE_WIDE);
  const cost = exactCost(holding);
  const left = (cash * cost.under - sign * cost.over) * RATE_ONE_WIDE;
  if (left === 0n) return undefined;
  const price = contract.kind === "linear" ? fraction(left, scaled * cost.under) : fraction(scaled * cost.under, left);
  return price.over > 0n ? price : undefined;
}

/** Funding to pay (positive) or receive at a rate: payments round up, receipts round down. */
export function fundingCharge(contract: Contract, side: bigint, lots: bigint, ticks: bigint, rate: bigint): bigint {
  const { over, under } = exactValue(contract, lots, ticks);
  return divideCeil(side * rate * over, under * RATE_ONE_WIDE);
}

/**
 * How soon a position is deleveraged: g × lev in profit, g ÷ lev in loss, with g = profit ÷ cost and
 * lev = mark value ÷ |mark value − bankruptcy value|. A position that cannot go bankrupt has leverage below all others.
 */
export function deleverageScore(
  contract: Contract,
  holding: Holding,
  ticks: bigint,
  bankruptcy: Fraction | undefined,
): Fraction {
  const gain = exactProfit(contract, holding, ticks);
  const cost = exactCost(holding);
  const g = fraction(gain.over * cost.under, gain.under * cost.over);
  const value = exactValue(contract, holding.lots, ticks);
  if (bankruptcy === undefined) return gain.over > 0n ? { over: 0n, under: 1n } : g;
  const scaled = holding.lots * contract.factor;
  const bankrupt =
    contract.kind === "linear"
      ? { over: scaled * bankruptcy.over, under: bankruptcy.under }
      : { over: scaled * bankruptcy.under, under: bankruptcy.over };
  const gapOver = value.over * bankrupt.under - bankrupt.over * value.under;
  const gap = { over: gapOver < 0n ? -gapOver : gapOver, under: value.under * bankrupt.under };
  if (gap.over === 0n) return gain.over > 0n ? fraction(g.over << 64n, g.under) : { over: 0n, under: 1n };
  const leverage = { over: value.over * gap.under, under: value.under * gap.over };
  return gain.over > 0n
    ? fraction(g.over * leverage.over, g.under * leverage.under)
    : fraction(g.over * leverage.under, g.under * leverage.over);
}
