// The figures of positions and futures accounts: the core's own arithmetic (kit/margin) over the rows of the core's
// events. Pure; every number equals the core's to the last digit, at current marks.

import { compareFractions, divideCeil, type Fraction, fraction } from "@clockwork/kit/fraction";
import {
  bankruptcyPrice,
  type Contract,
  cashBeside,
  exactCost,
  exactMarginRatio,
  initialMarginCeil,
  liquidationPrices,
  type MarkedHolding,
  maintenanceCeil,
  profitFloor,
  RATE_ONE_WIDE,
  tierOf,
  valueCeil,
  valueFloor,
} from "@clockwork/kit/margin";
import type { MarketPair } from "../markets/pair.ts";
import type { PositionRow } from "../projectors/futures/futures-rows.ts";
import type { OrderRow } from "../projectors/rows/rows.ts";
import type { ContractRegistry, FuturesView } from "./account-view.ts";

/** A position with its contract and mark. */
export interface Held {
  readonly row: PositionRow;
  readonly pair: MarketPair;
  readonly isIsolated: boolean;
  readonly holding: MarkedHolding;
}

export interface PositionFigures {
  readonly liquidation: Fraction | undefined;
  readonly bankruptcy: Fraction | undefined;
  readonly breakEven: Fraction | undefined;
  readonly valueUnits: bigint;
  readonly marginUnits: bigint;
  readonly initialUnits: bigint;
  readonly maintenanceUnits: bigint;
  /** In 1e-4; undefined when no margin is left. */
  readonly ratioBps: bigint | undefined;
  readonly profitUnits: bigint;
  readonly tier: number;
}

export interface AccountFigures {
  readonly balanceUnits: bigint;
  readonly bonusUnits: bigint;
  readonly isolatedUnits: bigint;
  readonly profitUnits: bigint;
  /** Required by cross positions and open orders. */
  readonly requiredUnits: bigint;
  readonly maintenanceUnits: bigint;
  readonly ratioBps: bigint | undefined;
  /** Available for new orders; below zero when losses exceed it. */
  readonly freeUnits: bigint;
  readonly transferableUnits: bigint;
}

export const size = (lots: bigint): bigint => (lots < 0n ? -lots : lots);
const ZERO_CASH = { available_units: 0n, frozen_units: 0n };

/** The contract in the form of kit/margin. */
export function termsOf(pair: MarketPair): Contract {
  return {
    kind: pair.kind === "inverse" ? "inverse" : "linear",
    factor: BigInt(pair.factor),
    tiers: pair.contract?.tiers ?? [],
    liquidationRate: BigInt(pair.contract?.liquidationRate ?? 0),
  };
}

export function isIsolated(view: FuturesView, row: Pick<PositionRow, "market" | "isolated">): boolean {
  return view.settings.get(row.market)?.isolated ?? row.isolated;
}

/** Open positions of an account whose contract has a mark; of one settlement coin when named. */
export function heldOf(contracts: ContractRegistry, view: FuturesView, settleAsset?: number): Held[] {
  const held: Held[] = [];
  for (const row of view.positions.values()) {
    const pair = contracts.findMarket(row.market);
    if (pair === undefined || row.lots === 0n || (settleAsset ?? pair.settle.asset) !== pair.settle.asset) continue;
    const markTicks = BigInt(contracts.markTicks(row.market));
    if (markTicks === 0n) continue;
    const side = row.lots > 0n ? 1n : -1n;
    const cost = { cost: row.cost_units, excess: row.cost_excess };
    const holding = { contract: termsOf(pair), side, lots: size(row.lots), ...cost, markTicks } as const;
    held.push({ row, pair, isIsolated: isIsolated(view, row), holding });
  }
  return held;
}

export function profitOf({ holding }: Held): bigint {
  return profitFloor(holding.contract, holding, holding.markTicks);
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** In 1e-4, rounded up; undefined when no margin is left. */
function ratioBpsOf(cash: bigint, scope: readonly Held[]): bigint | undefined {
  if (scope.length === 0) return 0n;
  const ratio = exactMarginRatio(
    cash,
    scope.map(({ holding }) => holding),
  );
  return ratio === undefined ? undefined : divideCeil(ratio.over * 10_000n, ratio.under);
}

/** The funds behind cross positions of a coin: the wallet and bonuses. */
function crossCash(view: FuturesView, asset: number): bigint {
  return (view.balances.get(asset) ?? ZERO_CASH).available_units + view.bonusUnits(asset);
}

/** `all` are the positions of the same coin in the account. */
export function positionFigures(view: FuturesView, one: Held, all: readonly Held[]): PositionFigures {
  const { row, pair, holding } = one;
  const { contract, lots, cost, markTicks } = holding;
  const scope = one.isIsolated ? [one] : all.filter((held) => !held.isIsolated);
  const cash = one.isIsolated ? row.margin_units : crossCash(view, pair.settle.asset);
  const others = scope.filter((held) => held !== one);
  const initialUnits = initialMarginCeil(cost, BigInt(leverageOf(view, one)));
  return {
    liquidation: liquidationOf(one, scope, cash),
    bankruptcy: bankruptcyPrice(contract, cash + sum(others.map(profitOf)), holding),
    breakEven: breakEvenOf(one, BigInt(view.takerRate)),
    valueUnits: valueFloor(contract, lots, markTicks),
    marginUnits: one.isIsolated ? row.margin_units : initialUnits,
    initialUnits,
    maintenanceUnits: maintenanceCeil(contract, lots, markTicks),
    ratioBps: ratioBpsOf(cash, scope),
    profitUnits: profitOf(one),
    tier: tierOf(contract.tiers, valueCeil(contract, lots, markTicks)) + 1,
  };
}

/** Split positions keep their initial leverage; the others have the current setting. */
export function leverageOf(view: FuturesView, { row, pair }: Pick<Held, "row" | "pair">): number {
  const { isHedge, isSplit, leverageLong, leverageShort } = modesOf(view, pair);
  if (isSplit) return row.leverage;
  return isHedge && row.side === "short" ? leverageShort : leverageLong;
}

/** Both sides of a hedge share one margin and its prices. */
function liquidationOf(one: Held, scope: readonly Held[], cash: bigint): Fraction | undefined {
  const { contract, markTicks, side } = one.holding;
  const same = scope.filter(({ row }) => row.market === one.row.market);
  const beside = scope.filter(({ row }) => row.market !== one.row.market).map(({ holding }) => holding);
  const holdings = same.map(({ holding }) => holding);
  const { below, above } = liquidationPrices(contract, cashBeside(cash, beside), holdings, markTicks);
  return side > 0n ? (below ?? above) : (above ?? below);
}

/**
 * The price at which closing as a taker recovers all costs so far, fees and funding included; undefined where no price
 * does.
 */
function breakEvenOf({ row, holding }: Held, takerRate: bigint): Fraction | undefined {
  const { contract, side, lots } = holding;
  const { over: cost, under: parts } = exactCost(holding);
  const paid = (row.fee_units + row.funding_units) * parts;
  const scaled = lots * contract.factor * parts;
  const [over, under] =
    contract.kind === "linear"
      ? [(side * cost - paid) * RATE_ONE_WIDE, scaled * (side * RATE_ONE_WIDE - takerRate)]
      : [scaled * (side * RATE_ONE_WIDE + takerRate), (side * cost + paid) * RATE_ONE_WIDE];
  if (under === 0n) return undefined;
  const price = fraction(over, under);
  return compareFractions(price, { over: 0n, under: 1n }) > 0 ? price : undefined;
}

export function accountFigures(contracts: ContractRegistry, view: FuturesView, asset: number): AccountFigures {
  const held = heldOf(contracts, view, asset);
  const cross = held.filter((one) => !one.isIsolated);
  const cell = view.balances.get(asset) ?? ZERO_CASH;
  const bonusUnits = view.bonusUnits(asset);
  const crossProfit = sum(cross.map(profitOf));
  const requiredUnits = requiredOf(contracts, view, asset);
  const losses = crossProfit < 0n ? crossProfit : 0n;
  const transferable = cell.available_units + losses - requiredUnits;
  return {
    balanceUnits: cell.available_units + cell.frozen_units,
    bonusUnits,
    isolatedUnits: sum(held.filter((one) => one.isIsolated).map(({ row }) => row.margin_units)),
    profitUnits: sum(held.map(profitOf)),
    requiredUnits,
    maintenanceUnits: sum(
      cross.map(({ holding }) => maintenanceCeil(holding.contract, holding.lots, holding.markTicks)),
    ),
    ratioBps: ratioBpsOf(cell.available_units + bonusUnits, cross),
    freeUnits: cell.available_units + bonusUnits + crossProfit - requiredUnits,
    transferableUnits: transferable > 0n ? transferable : 0n,
  };
}

// ---- Margin of open orders

/** Values and lots of opening orders on a contract, as the core adds them up. */
export interface Exposure {
  readonly buyValue: bigint;
  readonly buyLots: bigint;
  readonly sellValue: bigint;
  readonly sellLots: bigint;
}

export function exposureOf(view: FuturesView, pair: MarketPair): Exposure {
  const sums = { buyValue: 0n, buyLots: 0n, sellValue: 0n, sellLots: 0n };
  for (const order of view.orders.values()) {
    if (order.market !== pair.market || order.kind !== "order" || order.reduce_only) continue;
    const lots = order.quantity - order.filled_lots;
    const value = lots * lotCeil(pair, order.price_ticks);
    if (order.side === "buy") {
      sums.buyValue += value;
      sums.buyLots += lots;
    } else {
      sums.sellValue += value;
      sums.sellLots += lots;
    }
  }
  return sums;
}

/** One lot at a price, rounded up. */
export function lotCeil(pair: MarketPair, priceTicks: number): bigint {
  return priceTicks === 0 ? 0n : valueCeil(termsOf(pair), 1n, BigInt(priceTicks));
}

/** The margin a contract requires from its account with these open orders, at the current mark. */
export function marginRequired(
  contracts: ContractRegistry,
  view: FuturesView,
  pair: MarketPair,
  exposure: Exposure,
): bigint {
  const { buyValue, sellValue } = exposure;
  const modes = modesOf(view, pair);
  const longLeverage = BigInt(modes.leverageLong);
  const costOf = (side: "long" | "short"): bigint =>
    modes.isSplit ? 0n : sum(rowsOf(view, pair, side).map(({ cost_units }) => cost_units));
  const [longCost, shortCost] = [costOf("long"), costOf("short")];
  let margin: bigint;
  let growth: bigint;
  if (modes.isHedge) {
    margin =
      initialMarginCeil(modes.isIsolated ? buyValue : longCost + buyValue, longLeverage) +
      initialMarginCeil(modes.isIsolated ? sellValue : shortCost + sellValue, BigInt(modes.leverageShort));
    growth = buyValue + sellValue;
  } else {
    const signed = longCost - shortCost;
    const [up, down] = [size(signed + buyValue), size(signed - sellValue)];
    const most = up > down ? up : down;
    margin = initialMarginCeil(most, longLeverage);
    growth = most > size(signed) ? most - size(signed) : 0n;
    if (modes.isIsolated) {
      const paid = initialMarginCeil(size(signed), longLeverage);
      margin = margin > paid ? margin - paid : 0n;
    }
  }
  if (growth === 0n) return margin;
  const fee = divideCeil(growth * BigInt(view.takerRate), RATE_ONE_WIDE);
  return margin + fee + openLoss(contracts, pair, exposure);
}

const rowsOf = (view: FuturesView, { market }: MarketPair, side: string): PositionRow[] =>
  [...view.positions.values()].filter((row) => row.market === market && row.side === side);

/** The immediate loss of buying above or selling below the mark; for inverse contracts the coin's side is reversed. */
export function openLoss(contracts: ContractRegistry, pair: MarketPair, exposure: Exposure): bigint {
  const mark = contracts.markTicks(pair.market);
  if (mark === 0) return 0n;
  const one = lotCeil(pair, mark);
  const sign = pair.kind === "inverse" ? -1n : 1n;
  const buys = sign * (exposure.buyValue - exposure.buyLots * one);
  const sells = sign * (exposure.sellLots * one - exposure.sellValue);
  return (buys > 0n ? buys : 0n) + (sells > 0n ? sells : 0n);
}

function requiredOf(contracts: ContractRegistry, view: FuturesView, asset: number): bigint {
  const markets = new Set<number>();
  for (const { market } of view.positions.values()) markets.add(market);
  for (const order of view.orders.values()) if (isOpening(order)) markets.add(order.market);
  let required = 0n;
  for (const market of markets) {
    const pair = contracts.findMarket(market);
    if (pair?.settle.asset !== asset) continue;
    required += marginRequired(contracts, view, pair, exposureOf(view, pair));
  }
  return required;
}

const isOpening = ({ kind, reduce_only }: OrderRow): boolean => kind === "order" && !reduce_only;

// ---- Settings

/** The leverage of a contract without settings. */
const LEVERAGE_FIRST = 20;

export interface Modes {
  readonly isHedge: boolean;
  readonly isSplit: boolean;
  readonly isIsolated: boolean;
  readonly isAutoAppend: boolean;
  readonly leverageLong: number;
  readonly leverageShort: number;
}

export function modesOf(view: Pick<FuturesView, "settings"> | undefined, pair: MarketPair): Modes {
  const account = view?.settings.get(0);
  const own = view?.settings.get(pair.market);
  const most = pair.contract?.tiers[0]?.leverageMax ?? 1;
  const first = Math.min(LEVERAGE_FIRST, Math.max(1, most));
  const isSplit = account?.split ?? false;
  return {
    isHedge: account?.hedge ?? false,
    isSplit,
    isIsolated: own?.isolated ?? isSplit,
    isAutoAppend: own?.auto_append ?? false,
    leverageLong: own?.leverage_long ?? first,
    leverageShort: own?.leverage_short ?? first,
  };
}
