// Owns the requirements of a grid before it starts: the lots of a cell for an investment, what is bought or sold at the
// start, and why some grids are refused. Changes nothing.

import { PRICE_TICKS_MAX } from "../instrument.ts";
import { type Contract, type Holding, liquidationPrice, RATE_ONE_WIDE } from "../margin.ts";
import { done, type Result, refused } from "../result.ts";
import { INFINITY_CELLS_MAX, infinityLots, infinityValue, type Lattice, latticeLines, lotsAt } from "./infinity.ts";
import {
  areDistinct,
  GRID_CELLS_MAX,
  GRID_CELLS_MIN,
  type GridRange,
  gapLine,
  gridLines,
  profitRates,
} from "./lines.ts";
import type { GridLines } from "./rule.ts";

/** Spot with an upper end or without, or futures by their initial position: none, long, short. */
export type GridKind = "spot" | "neutral" | "long" | "short" | "infinity";

/** Grids that hold coins. An infinity grid is a spot grid whose lines have no upper end. */
export const isSpotGrid = (kind: GridKind): boolean => kind === "spot" || kind === "infinity";

export type GridRefusal =
  | "GRID_RANGE_INVALID"
  | "GRID_COUNT_INVALID"
  | "GRID_LINES_NOT_DISTINCT"
  | "GRID_CELL_EARNS_NOTHING"
  | "GRID_PRICE_OUTSIDE"
  | "GRID_INVESTMENT_TOO_SMALL"
  | "GRID_LIQUIDATION_INSIDE";

export interface GridPlan {
  readonly lines: readonly number[];
  /** The line without an order: cells below it start with a buy, the others with a sell. */
  readonly gap: number;
  /** Lots of every order; of an infinity grid the value of every order in ticks of lots. */
  readonly lots: number;
  /** Of an infinity grid. */
  readonly lattice?: Lattice;
  /** Lots to buy at the market before the lines are laid, negative to sell. */
  readonly startLots: number;
  readonly profitMinRate: number;
  readonly profitMaxRate: number;
}

export interface GridInvestment {
  readonly kind: GridKind;
  readonly range: GridRange;
  readonly priceTicks: number;
  /** In 1e-8, of quote. */
  readonly feeRate: number;
  /** Quote units of one tick of one lot. */
  readonly tickLotUnits: number;
  readonly minLots: number;
  readonly minNotionalUnits: number;
  readonly quoteUnits: bigint;
  /** Spot: invested lots of the coin. */
  readonly baseLots?: number;
  readonly leverage?: number;
  /** Futures: to determine where the worst position would be liquidated. */
  readonly contract?: Contract;
  /** In 1e-8, reserved for fees and a start at another price; by default 1 % on spot and 10 % on futures. */
  readonly reserveRate?: number;
}

const SPOT_RESERVE = 1_000_000;
const FUTURES_RESERVE = 10_000_000;
/** No investment is larger. */
const MOST_UNITS = 2n ** 53n;

const sum = (ticks: readonly number[]): bigint => ticks.reduce((total, one) => total + BigInt(one), 0n);

export function planGrid(investment: GridInvestment): Result<GridPlan, GridRefusal> {
  const { range, priceTicks, feeRate } = investment;
  const { lowTicks, highTicks, cells } = range;
  if (!Number.isInteger(cells) || cells < GRID_CELLS_MIN || cells > GRID_CELLS_MAX)
    return refused("GRID_COUNT_INVALID");
  if (!(Number.isInteger(lowTicks) && Number.isInteger(highTicks) && lowTicks > 0 && highTicks > lowTicks))
    return refused("GRID_RANGE_INVALID");
  const { kind } = investment;
  if (kind === "infinity" && cells > INFINITY_CELLS_MAX) return refused("GRID_COUNT_INVALID");
  const lattice: Lattice = { lowTicks, highTicks, cells };
  const lines = kind === "infinity" ? latticeLines(lattice, 0, cells * 2) : gridLines(range);
  if ((lines.at(-1) as number) > PRICE_TICKS_MAX) return refused("GRID_RANGE_INVALID");
  if (!areDistinct(lines)) return refused("GRID_LINES_NOT_DISTINCT");
  const { min, max } = profitRates(lines, feeRate);
  if (min <= 0) return refused("GRID_CELL_EARNS_NOTHING");
  const gap = gapLine(lines, priceTicks);
  if (gap < 0 || priceTicks > (lines.at(-1) as number)) return refused("GRID_PRICE_OUTSIDE");
  const lots = isSpotGrid(kind) ? spotLots(investment, lines, gap) : futuresLots(investment, lines, gap);
  if (isTooSmall(investment, lines, lots)) return refused("GRID_INVESTMENT_TOO_SMALL");
  const { contract, quoteUnits, tickLotUnits } = investment;
  if (!isSpotGrid(kind) && contract !== undefined) {
    const worst = { kind, lines, lots, priceTicks, quoteUnits, tickLotUnits, contract };
    if (diesInside(worst)) return refused("GRID_LIQUIDATION_INSIDE");
  }
  const { baseLots = 0 } = investment;
  const startLots =
    kind === "infinity"
      ? infinityLots({ kind, spacing: range.spacing, lots }, lines, gap) - baseLots
      : startLotsOf(kind, lines.length - 1, gap, lots, baseLots);
  const own = kind === "infinity" ? { lattice } : {};
  return done({ lines, gap, lots, ...own, startLots, profitMinRate: min, profitMaxRate: max });
}

/** Whether any cell's order would be below the market's minimum. */
function isTooSmall(investment: GridInvestment, lines: readonly number[], lots: number): boolean {
  const { kind, minLots, minNotionalUnits, tickLotUnits } = investment;
  const least = BigInt(minNotionalUnits);
  return lines.slice(1).some((high, cell) => {
    const own = lotsAt({ kind, lots }, high);
    return own < Math.max(1, minLots) || BigInt(own) * BigInt(lines[cell] as number) * BigInt(tickLotUnits) < least;
  });
}

/**
 * The minimum quote for which every cell's order reaches the market's minimum, on given lines; undefined outside them.
 */
export function leastInvestment(
  investment: Omit<GridInvestment, "quoteUnits">,
  lines: readonly number[],
): bigint | undefined {
  const gap = gapLine(lines, investment.priceTicks);
  if (gap < 0 || investment.priceTicks > (lines.at(-1) as number)) return undefined;
  const isEnough = (quoteUnits: bigint): boolean => {
    const requested = { ...investment, quoteUnits };
    const lots = isSpotGrid(requested.kind) ? spotLots(requested, lines, gap) : futuresLots(requested, lines, gap);
    return !isTooSmall(requested, lines, lots);
  };
  let [low, high] = [0n, 1n];
  while (!isEnough(high)) {
    if (high > MOST_UNITS) return undefined;
    [low, high] = [high, high * 2n];
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

const OPENING_COINS = 1_000n;

/**
 * What a form opens with: a thousand coins, or where a grid takes more, a tenth more than it takes in a number of two
 * digits, so that it is still enough when the price has moved.
 */
export function openingInvestment(leastUnits: bigint | undefined, coinUnits: bigint): bigint {
  const coins = ((leastUnits ?? 0n) * 11n) / (coinUnits * 10n) + 1n;
  if (coins <= OPENING_COINS) return OPENING_COINS * coinUnits;
  const step = 10n ** BigInt(coins.toString().length - 2);
  return ((coins + step - 1n) / step) * step * coinUnits;
}

/** The inputs of a plan that do not depend on its lines or the price. */
export type GridBasis = Omit<GridInvestment, "range" | "priceTicks">;

/**
 * Lots of a grid whose price jumped over its trigger: as many as the price found pays for, never more than were planned, and
 * so few that no side would be liquidated inside of the range. 0 when the market would not take such orders.
 */
export function lotsFound(basis: GridBasis, lines: readonly number[], plannedLots: number, priceTicks: number): number {
  const range: GridRange = {
    lowTicks: lines[0] as number,
    highTicks: lines.at(-1) as number,
    cells: lines.length - 1,
    spacing: "arithmetic",
  };
  const investment = { ...basis, range, priceTicks };
  const gap = Math.max(0, gapLine(lines, priceTicks));
  const paid = isSpotGrid(basis.kind) ? spotLots(investment, lines, gap) : futuresLots(investment, lines, gap);
  const lots = mostAlive(investment, lines, Math.min(plannedLots, paid));
  return isTooSmall(investment, lines, lots) ? 0 : lots;
}

/** At most this many lots, with which no side is liquidated inside the range: fewer are never worse. */
function mostAlive(investment: GridInvestment, lines: readonly number[], most: number): number {
  const { kind, contract, priceTicks, quoteUnits, tickLotUnits } = investment;
  if (isSpotGrid(kind) || contract === undefined) return most;
  const dies = (lots: number): boolean =>
    diesInside({ kind, lines, lots, priceTicks, quoteUnits, tickLotUnits, contract });
  if (!dies(most)) return most;
  let [low, high] = [0, most];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dies(middle)) high = middle;
    else low = middle;
  }
  return low;
}

/** Cells above the gap sell at the start, so their coins are bought first; invested ones are used, the rest sold. */
export function startLotsOf(kind: GridKind, cells: number, gap: number, lots: number, baseLots: number): number {
  if (kind === "spot") return (cells - gap) * lots - baseLots;
  if (kind === "long") return (cells - gap) * lots;
  return kind === "short" ? 0 - gap * lots : 0;
}

/** floor( I × (1 − reserve) ÷ ((Σ buys + m × P) × (1 + f)) ), with invested coins counted at the price. */
function spotLots(investment: GridInvestment, lines: readonly number[], gap: number): number {
  const { quoteUnits, baseLots = 0, priceTicks, tickLotUnits, feeRate, reserveRate = SPOT_RESERVE } = investment;
  const unit = BigInt(tickLotUnits);
  const price = BigInt(priceTicks);
  const there = quoteUnits + BigInt(baseLots) * price * unit;
  if (investment.kind === "infinity") {
    const money = (there * (RATE_ONE_WIDE - BigInt(reserveRate))) / (unit * (RATE_ONE_WIDE + BigInt(feeRate)));
    return Number(infinityValue(lines, gap, priceTicks, money));
  }
  const perLot = (sum(lines.slice(0, gap)) + BigInt(lines.length - 1 - gap) * price) * unit;
  return Number((there * (RATE_ONE_WIDE - BigInt(reserveRate))) / (perLot * (RATE_ONE_WIDE + BigInt(feeRate))));
}

/** Ticks of all lines that can be open at once on the long and on the short side. */
function exposures(
  kind: GridKind,
  lines: readonly number[],
  gap: number,
  priceTicks: number,
): readonly [bigint, bigint] {
  const price = BigInt(priceTicks);
  const buys = sum(lines.slice(0, gap));
  const sells = sum(lines.slice(gap + 1));
  if (kind === "long") return [buys + BigInt(lines.length - 1 - gap) * price, 0n];
  if (kind === "short") return [0n, sells + BigInt(gap) * price];
  return [buys, sells];
}

function futuresLots(investment: GridInvestment, lines: readonly number[], gap: number): number {
  const { kind, quoteUnits, priceTicks, tickLotUnits, leverage = 1, reserveRate = FUTURES_RESERVE } = investment;
  const [long, short] = exposures(kind, lines, gap, priceTicks);
  const most = (long > short ? long : short) * BigInt(tickLotUnits) * RATE_ONE_WIDE;
  return Number((quoteUnits * (RATE_ONE_WIDE - BigInt(reserveRate)) * BigInt(leverage)) / most);
}

export interface WorstCase {
  readonly kind: GridKind;
  readonly lines: readonly number[];
  readonly lots: number;
  readonly priceTicks: number;
  readonly quoteUnits: bigint;
  readonly tickLotUnits: number;
  readonly contract: Contract;
}

/** Prices in ticks at which a long and a short side with every line filled would be liquidated; undefined for never. */
export function worstPrices({
  kind,
  lines,
  lots,
  priceTicks,
  quoteUnits,
  tickLotUnits,
  contract,
}: WorstCase): readonly [number | undefined, number | undefined] {
  const cells = lines.length - 1;
  const gap = Math.min(cells, Math.max(0, gapLine(lines, priceTicks)));
  const exposed = exposures(kind, lines, gap, priceTicks);
  const counts = [kind === "long" ? cells : gap, kind === "short" ? cells : cells - gap];
  const priceOf = (side: 0 | 1): number | undefined => {
    const held = BigInt(lots) * BigInt(counts[side] as number);
    const ticks = exposed[side];
    if (ticks === 0n || held === 0n) return undefined;
    const cost = ticks * BigInt(lots) * BigInt(tickLotUnits);
    return deathTicks(contract, quoteUnits, { side: side === 0 ? 1n : -1n, lots: held, cost });
  };
  return [priceOf(0), priceOf(1)];
}

/** Rounded conservatively: a long's up, a short's down. */
function deathTicks(contract: Contract, cash: bigint, holding: Holding): number | undefined {
  const price = liquidationPrice(contract, cash, holding);
  if (price === undefined) return undefined;
  return Number((price.over + (holding.side === 1n ? price.under - 1n : 0n)) / price.under);
}

/** A running grid: funds, holdings, resting orders. */
export interface HeldCase {
  readonly contract: Contract;
  readonly tickLotUnits: number;
  readonly cashUnits: bigint;
  /** Negative of a short position; its cost has the same sign. */
  readonly lots: bigint;
  readonly costUnits: bigint;
  readonly orders: readonly { readonly sells: boolean; readonly ticks: number; readonly lots: bigint }[];
}

/** The same as `worstPrices` for a running grid: every resting buy is filled, or every sell. */
export function heldPrices(held: HeldCase): readonly [number | undefined, number | undefined] {
  const { contract, tickLotUnits, cashUnits } = held;
  const priceOf = (sells: boolean): number | undefined => {
    const sign = sells ? -1n : 1n;
    let [lots, cost] = [held.lots * sign, held.costUnits * sign];
    for (const order of held.orders) {
      if (order.sells !== sells) continue;
      lots += order.lots;
      cost += order.lots * BigInt(order.ticks) * BigInt(tickLotUnits);
    }
    // A position still on the other side with all of them filled loses nothing on this one.
    return lots <= 0n ? undefined : deathTicks(contract, cashUnits, { side: sign as 1n | -1n, lots, cost });
  };
  return [priceOf(false), priceOf(true)];
}

const isIn = (lines: GridLines, ticks: number | undefined): boolean =>
  ticks !== undefined && ticks >= (lines.at(0) as number) && ticks <= (lines.at(lines.length - 1) as number);

/** Whether a running grid would be liquidated before the price has left its range. */
export function heldDiesInside(held: HeldCase, lines: GridLines): boolean {
  return heldPrices(held).some((ticks) => isIn(lines, ticks));
}

/** Whether a side with every line filled would be liquidated before the price has left the range. */
export function diesInside(worst: WorstCase): boolean {
  return worstPrices(worst).some((ticks) => isIn(worst.lines, ticks));
}
