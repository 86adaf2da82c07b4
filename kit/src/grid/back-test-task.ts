// Owns the input of a back-test: how a requested grid is planned at the start of the past. Server and browser build
// theirs here, so that both test the same grid. Changes nothing.
import { type Contract, tierOf } from "../margin.ts";
import { RATE_ONE, toCoreUnits, type Units } from "../money.ts";
import { done, type Result, refused } from "../result.ts";
import type { BackTestTask } from "./back-test.ts";
import type { GridSpacing } from "./lines.ts";
import { type GridBasis, type GridKind, type GridPlan, type GridRefusal, isSpotGrid, planGrid } from "./plan.ts";
import type { GridTerms } from "./rule.ts";
import type { FundingPoint } from "./simulate.ts";

/** A grid in ticks, lots and units; 0 for an omitted price or exit. */
export interface RequestedGrid {
  readonly kind: GridKind;
  readonly spacing: GridSpacing;
  readonly lowTicks: number;
  /** An infinity grid has none: its cells are counted from its starting price. */
  readonly highTicks: number;
  readonly cells: number;
  readonly quoteUnits: Units;
  readonly baseLots: number;
  readonly leverage: number;
  readonly triggerTicks: number;
  readonly takeProfitTicks: number;
  readonly stopLossTicks: number;
  readonly trailUpTicks: number;
  readonly trailDownTicks: number;
  readonly exitBps: number;
}

export interface TestedMarket {
  /** Quote units of one tick of one lot. */
  readonly factor: number;
  readonly minLots: number;
  readonly minNotionalUnits: number;
  /** In 1e-8. */
  readonly makerRate: number;
  readonly takerRate: number;
  /** Of futures, to determine where positions are liquidated. */
  readonly contract?: Contract | undefined;
  /** Of futures, oldest first: the settlements that are stored. */
  readonly fundings?: readonly FundingPoint[] | undefined;
}

/** Without a contract: a futures grid whose equity falls below this part of its position is liquidated. */
const MAINTENANCE_RATE = RATE_ONE / 200;

/** Which of take profit and stop loss is above. */
export function stopsOf(
  kind: GridKind,
  profit: number,
  loss: number,
): { readonly above: number; readonly below: number } {
  return kind === "short" ? { above: loss, below: profit } : { above: profit, below: loss };
}

/**
 * Planned at the trigger, or at the first price. A grid whose range did not include the first price could not have been
 * created then: it waits for the price to reach the edge, like one with a trigger there.
 */
export function backTestTask(
  requested: RequestedGrid,
  market: TestedMarket,
  firstTicks: number,
): Result<BackTestTask, GridRefusal> {
  const { kind, spacing, lowTicks, cells, quoteUnits, baseLots, leverage } = requested;
  const hasTrigger = requested.triggerTicks !== 0;
  const startTicks = hasTrigger ? requested.triggerTicks : firstTicks;
  const highTicks = kind === "infinity" ? startTicks : requested.highTicks;
  if (highTicks <= lowTicks && kind === "infinity") return refused("GRID_PRICE_OUTSIDE");
  const priceTicks = hasTrigger ? startTicks : Math.min(highTicks, Math.max(lowTicks, firstTicks));
  const basis: GridBasis = {
    kind,
    feeRate: market.takerRate,
    tickLotUnits: market.factor,
    minLots: market.minLots,
    minNotionalUnits: market.minNotionalUnits,
    quoteUnits,
    baseLots,
    leverage,
    ...(market.contract === undefined ? {} : { contract: market.contract }),
  };
  const plan = planGrid({ ...basis, range: { lowTicks, highTicks, cells, spacing }, priceTicks });
  if (!plan.done) return plan;
  const coinUnits = BigInt(baseLots) * BigInt(priceTicks) * BigInt(market.factor);
  return done({
    terms: termsOf(requested, plan.value, priceTicks === firstTicks ? 0 : priceTicks),
    lines: plan.value.lines,
    market: { tickLotUnits: market.factor, makerRate: market.makerRate, takerRate: market.takerRate },
    quoteUnits: toCoreUnits(quoteUnits),
    investedUnits: Number(quoteUnits + coinUnits),
    basis,
    fundings: isSpotGrid(kind) ? [] : (market.fundings ?? []),
    maintenanceRate: maintenanceOf(requested, plan.value, market),
  });
}

function termsOf(requested: RequestedGrid, { lots, lattice }: GridPlan, triggerTicks: number): GridTerms {
  const { kind, spacing, baseLots, takeProfitTicks, stopLossTicks, trailUpTicks, trailDownTicks, exitBps } = requested;
  const { above, below } = stopsOf(kind, takeProfitTicks, stopLossTicks);
  const trails = kind === "infinity" ? {} : { trailUpTicks, trailDownTicks };
  const settings = { triggerTicks, stopAboveTicks: above, stopBelowTicks: below, ...trails, exitBps };
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== 0));
  return { kind, spacing, lots, baseLots, ...(lattice === undefined ? {} : { lattice }), ...given };
}

/** The tier of a position of every line at the highest price: the most expensive possible. */
function maintenanceOf({ kind }: RequestedGrid, { lines, lots }: GridPlan, { contract, factor }: TestedMarket): number {
  if (isSpotGrid(kind) || contract === undefined) return MAINTENANCE_RATE;
  const notional = BigInt(lots) * BigInt(lines.length - 1) * BigInt(lines.at(-1) as number) * BigInt(factor);
  const tier = contract.tiers[tierOf(contract.tiers, notional)];
  return tier === undefined ? MAINTENANCE_RATE : Number(tier.rate + contract.liquidationRate);
}
