// Pure rules of grid strategies: rows of a bot ⇄ wire, the meaning of refusals, the ranking. Changes nothing.

import { isSimulatedUser } from "@clockwork/core/protocol/names";
import { decimalText } from "@clockwork/kit/decimal";
import type { BackTestResult } from "@clockwork/kit/grid/back-test";
import { latticeLine, latticeLines } from "@clockwork/kit/grid/infinity";
import { type GridRange, gridLines, profitRates } from "@clockwork/kit/grid/lines";
import { type GridInvestment, heldPrices, isSpotGrid, leastInvestment, worstPrices } from "@clockwork/kit/grid/plan";
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import type { Contract } from "@clockwork/kit/margin";
import { toCoreUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { BackTest, Bot, RankedBot } from "./contract.ts";
import type { BookWorth, RestingOrder } from "./needs.ts";
import { type GridRefusal, REFUSALS } from "./refusals.ts";
import type { OwnedBot } from "./store.ts";

/** The conditions for a ranked bot. */
export const RANKED = { ageMs: DAY_MS, pairs: 20, /** In whole coins. */ invested: 100n } as const;

/** Whether others may see it: the ranking shows it, or it is simulated. For all others it does not exist. */
export function isPublished(row: OwnedBot, { settle }: MarketPair, nowMs: number): boolean {
  if (isSimulatedUser(row.user_id)) return true;
  return (
    (row.status === "RUNNING" || row.status === "OUT_OF_RANGE") &&
    nowMs - row.created_ms >= RANKED.ageMs &&
    row.pairs >= RANKED.pairs &&
    BigInt(row.invested_units) >= RANKED.invested * 10n ** BigInt(settle.scale)
  );
}

const CORE_CODES: Readonly<Record<string, GridRefusal>> = {
  MODE_LOCKED: "TRIGGER_PASSED",
  NOT_A_PERPETUAL: "NOT_A_FUTURES_BOT",
  BOOK_NOT_TRADABLE: "INVALID_KIND",
  UNKNOWN_MARKET: "UNKNOWN_PAIR",
  NOT_TRANSFERABLE: "INVALID_KIND",
};

/** The refusal here for one of the core. */
export function refusalOf(code: string | undefined): GridRefusal {
  if (code === undefined) return "NOT_DONE";
  return code in REFUSALS ? (code as GridRefusal) : (CORE_CODES[code] ?? "NOT_DONE");
}

const RATE_DECIMALS = 8;
const SHOWN_DECIMALS = 6;

export const rateText = (rate: number): string => decimalText(BigInt(rate), RATE_DECIMALS);

/** One amount relative to another, truncated to six decimals. */
function shareText(over: bigint, under: bigint): string {
  return under === 0n ? "0" : decimalText((over * 10n ** BigInt(SHOWN_DECIMALS)) / under, SHOWN_DECIMALS);
}

/** The annual rate of a profit over a time; null in the first day. */
export function aprOf(earnedUnits: bigint, investedUnits: bigint, ageMs: number): string | null {
  if (ageMs < DAY_MS || investedUnits <= 0n) return null;
  return shareText(earnedUnits * BigInt(365 * DAY_MS), investedUnits * BigInt(ageMs));
}

/** A bot's worth beyond its investment, including withdrawals. */
export function totalOf(row: OwnedBot, market: MarketPair, worth: BookWorth, lastTicks: number): bigint {
  const value = BigInt(Math.abs(worth.lots)) * BigInt(lastTicks) * BigInt(market.factor);
  const held =
    worth.costUnits === undefined ? value : worth.lots >= 0 ? value - worth.costUnits : worth.costUnits - value;
  return worth.quoteUnits + held - BigInt(row.invested_units) + BigInt(row.taken_units);
}

export function describeBot(
  row: OwnedBot,
  market: MarketPair,
  totalUnits: bigint,
  lastTicks: number,
  nowMs: number,
  isSimulated: boolean,
): Bot {
  const price = (ticks: number): string | null => (ticks === 0 ? null : priceText(market, ticks));
  const money = (units: bigint): string => valueText(market, units);
  const gridUnits = BigInt(row.profit_units);
  const isShort = row.grid === "short";
  const isClosed = row.status === "CLOSED";
  const ageMs = (isClosed ? row.updated_ms : nowMs) - row.created_ms;
  return {
    id: row.bot,
    kind: row.grid,
    pairCode: market.pairCode,
    base: market.base.symbol,
    quote: market.settle.symbol,
    spacing: row.spacing,
    status: row.status,
    reason: row.reason,
    lower: priceText(market, lowestTicks(row)),
    upper: priceText(market, row.high_ticks),
    count: row.cells,
    quantity: quantityText(market, orderLots(row, lastTicks)),
    leverage: row.leverage,
    invested: money(BigInt(row.invested_units)),
    total: money(totalUnits),
    grid: money(gridUnits),
    float: money(totalUnits - gridUnits),
    apr: aprOf(gridUnits, BigInt(row.invested_units), ageMs),
    pairs: row.pairs,
    fees: money(BigInt(row.fees_units)),
    taken: money(BigInt(row.taken_units)),
    startPrice: priceText(market, row.start_ticks),
    lastPrice: priceText(market, lastTicks),
    createdAtMs: row.created_ms,
    updatedAtMs: row.updated_ms,
    trigger: price(row.trigger_ticks),
    takeProfit: price(isShort ? row.stop_below_ticks : row.stop_above_ticks),
    stopLoss: price(isShort ? row.stop_above_ticks : row.stop_below_ticks),
    trailUp: price(row.grid === "infinity" ? 0 : row.trail_up_ticks),
    trailDown: price(row.grid === "infinity" ? 0 : row.trail_down_ticks),
    exitBps: row.exit_bps === 0 ? null : row.exit_bps,
    endsAtMs: row.ends_ms === 0 ? null : row.ends_ms,
    keeps: Boolean(row.keeps),
    isSimulated,
  };
}

/** Of an order at the price: an infinity grid's orders have the same value, not the same quantity. */
function orderLots({ grid, lots }: OwnedBot, lastTicks: number): bigint {
  return grid === "infinity" ? BigInt(lots) / BigInt(Math.max(1, lastTicks)) : BigInt(lots);
}

/** The current lines. Those of a range that has moved may differ by a tick from the bot's own. */
export function linesOf(row: OwnedBot): number[] {
  if (row.grid === "infinity") return infinityLines(row);
  const range: GridRange = {
    lowTicks: row.low_ticks,
    highTicks: row.high_ticks,
    cells: row.cells,
    spacing: row.spacing,
  };
  return gridLines(range);
}

/** A bot's lowest buy: an infinity grid's window may have moved up. */
export const lowestTicks = (row: OwnedBot): number => (row.grid === "infinity" ? row.trail_down_ticks : row.low_ticks);

/** The initial shape of a clone at a price; an infinity grid's cells are counted from there. */
export function clonedRange(row: OwnedBot, priceTicks: number): Pick<GridInvestment, "kind" | "range" | "leverage"> {
  const { grid: kind, spacing, leverage } = row;
  const isInfinity = kind === "infinity";
  const highTicks = isInfinity ? priceTicks : row.high_ticks;
  const cells = isInfinity ? row.cells / 2 : row.cells;
  return { kind, range: { lowTicks: lowestTicks(row), highTicks, cells, spacing }, leverage };
}

type Bounds = "stopAboveTicks" | "stopBelowTicks" | "trailUpTicks" | "trailDownTicks";

/**
 * Stops and bounds of a clone. A range that has moved may have passed them: a stop then keeps its initial distance from
 * the edge, and a bound that is reached is dropped.
 */
export function clonedBounds(
  row: OwnedBot,
  first: Pick<OwnedBot, "low_ticks" | "high_ticks">,
): Readonly<Record<Bounds, number>> {
  const { stop_above_ticks: above, stop_below_ticks: below, trail_up_ticks: up, trail_down_ticks: down } = row;
  if (row.grid === "infinity")
    return { stopAboveTicks: above, stopBelowTicks: below, trailUpTicks: 0, trailDownTicks: 0 };
  const { low_ticks: low, high_ticks: high } = row;
  const isAboveInside = above !== 0 && above <= high;
  const isBelowInside = below !== 0 && below >= low;
  return {
    stopAboveTicks: isAboveInside ? high + Math.max(1, above - first.high_ticks) : above,
    stopBelowTicks: isBelowInside ? Math.max(1, low - Math.max(1, first.low_ticks - below)) : below,
    trailUpTicks: up <= high ? 0 : up,
    trailDownTicks: down >= low ? 0 : down,
  };
}

/** The window of an infinity grid, found by its lowest line. */
function infinityLines(row: OwnedBot): number[] {
  const lattice = { lowTicks: row.trail_down_ticks, highTicks: row.trail_up_ticks, cells: row.cells / 2 };
  let index = 0;
  while (latticeLine(lattice, index) < row.low_ticks) index++;
  return latticeLines(lattice, index, row.cells);
}

/** Where a long and a short side with all their lines filled would be liquidated; for a waiting bot by its plan. */
export function liquidationTicks(
  row: OwnedBot,
  market: MarketPair,
  contract: Contract | undefined,
  worth: BookWorth,
  orders: readonly RestingOrder[],
): readonly [number | undefined, number | undefined] {
  if (isSpotGrid(row.grid) || contract === undefined || row.status === "CLOSED") return [undefined, undefined];
  if (row.status === "WAIT_TRIGGER")
    return worstPrices({
      kind: row.grid,
      lines: linesOf(row),
      lots: toCoreUnits(units(row.lots)),
      priceTicks: row.trigger_ticks,
      quoteUnits: BigInt(row.invested_units),
      tickLotUnits: market.factor,
      contract,
    });
  const cost = worth.costUnits ?? 0n;
  return heldPrices({
    contract,
    tickLotUnits: market.factor,
    cashUnits: worth.quoteUnits,
    lots: BigInt(worth.lots),
    costUnits: worth.lots >= 0 ? cost : 0n - cost,
    orders: orders.map(({ side, priceTicks, lots, filledLots }) => ({
      sells: side === "sell",
      ticks: priceTicks,
      lots: BigInt(lots) - BigInt(filledLots),
    })),
  });
}

/** The minimum of a clone at the current price. */
export function leastOf(
  { grid, spacing, leverage }: OwnedBot,
  market: MarketPair,
  lines: readonly number[],
  lastTicks: number,
): bigint | undefined {
  const [lowTicks, highTicks] = [lines[0] as number, lines.at(-1) as number];
  return leastInvestment(
    {
      kind: grid,
      range: { lowTicks, highTicks, cells: lines.length - 1, spacing },
      priceTicks: lastTicks,
      feeRate: market.takerRate,
      tickLotUnits: market.factor,
      minLots: market.minLots,
      minNotionalUnits: market.minNotionalUnits,
      leverage,
    },
    lines,
  );
}

export function cellRates(
  lines: readonly number[],
  market: MarketPair,
): { readonly min: string; readonly max: string } {
  const { min, max } = profitRates(lines, market.takerRate);
  return { min: rateText(min), max: rateText(max) };
}

export function describeBackTest(result: BackTestResult, market: MarketPair): BackTest {
  const money = (units: number): string => valueText(market, BigInt(units));
  const spanMs = Math.max(1, result.toMs - result.fromMs);
  const gross = result.gridUnits + result.feesUnits;
  return {
    candles: result.candles,
    days: Math.round((spanMs / DAY_MS) * 10) / 10,
    status: result.status,
    pairs: result.pairs,
    invested: money(result.investedUnits),
    total: money(result.totalUnits),
    grid: money(result.gridUnits),
    float: money(result.floatUnits),
    fees: money(result.feesUnits),
    funding: money(result.fundingUnits),
    fundingFromMs: result.fundingFromMs ?? null,
    closeFee: money(result.closeFeeUnits),
    apr: aprOf(BigInt(result.gridUnits), BigInt(result.investedUnits), spanMs),
    drawdown: rateText(result.drawdownRate),
    inside: rateText(result.insideRate),
    holding: shareText(BigInt(result.endTicks - result.startTicks), BigInt(result.startTicks)),
    feeShare: gross <= 0 ? "0" : shareText(BigInt(result.feesUnits), BigInt(gross)),
    curve: result.curve.map(({ timeMs, totalUnits, gridUnits }) => ({
      timeMs,
      total: money(totalUnits),
      grid: money(gridUnits),
    })),
  };
}

export const RANK_DAYS = 7;
export const SPARK_POINTS = 24;

/** The cumulative profit over a week as a line that never falls, in thousandths of its end. */
export function sparkOf(parts: readonly { readonly point: number; readonly units: bigint }[]): number[] {
  const total = parts.reduce((sum, { units }) => sum + units, 0n);
  const byPoint = new Map(parts.map(({ point, units }) => [point, units]));
  let sum = 0n;
  return Array.from({ length: SPARK_POINTS }, (_, point) => {
    sum += byPoint.get(point) ?? 0n;
    return total <= 0n ? 0 : Number((sum * 1_000n) / total);
  });
}

export interface Candidate {
  readonly row: OwnedBot;
  readonly market: MarketPair;
  /** Grid profit of the last week, and of each part of it. */
  readonly earnedUnits: bigint;
  readonly parts: readonly { readonly point: number; readonly units: bigint }[];
  /** The maximum drawdown of its worth: 0 to 1. */
  readonly drawdown: number;
  readonly usedBy: number;
  readonly isSimulated: boolean;
}

export function describeCandidate(candidate: Candidate, nowMs: number): Omit<RankedBot, "rank" | "isYours"> {
  const { row, market, earnedUnits, parts, drawdown, usedBy, isSimulated } = candidate;
  const fromMs = Math.max(row.created_ms, nowMs - RANK_DAYS * DAY_MS);
  const one = 10 ** SHOWN_DECIMALS;
  return {
    id: row.bot,
    kind: row.grid,
    pairCode: market.pairCode,
    spacing: row.spacing,
    leverage: row.leverage,
    apr: aprOf(earnedUnits, BigInt(row.invested_units), Math.max(DAY_MS, nowMs - fromMs)) ?? "0",
    profit: valueText(market, earnedUnits),
    invested: valueText(market, BigInt(row.invested_units)),
    spark: sparkOf(parts),
    lower: priceText(market, lowestTicks(row)),
    upper: priceText(market, row.high_ticks),
    count: row.cells,
    pairs: row.pairs,
    drawdown: decimalText(BigInt(Math.floor(drawdown * one)), SHOWN_DECIMALS),
    ageMs: nowMs - row.created_ms,
    usedBy,
    isSimulated,
  };
}
