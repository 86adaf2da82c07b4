// Pure rules of grid strategies: what a bot's rows say on the wire, what refusals mean, how a ranking is made. Changes nothing.
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import { decimalText } from "@clockwork/kit/decimal";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import type { BackTestResult } from "@clockwork/kit/grid/back-test";
import { latticeLine, latticeLines } from "@clockwork/kit/grid/infinity";
import { type GridRange, gridLines, profitRates } from "@clockwork/kit/grid/lines";
import { type GridInvestment, heldPrices, isSpotGrid, leastInvestment, worstPrices } from "@clockwork/kit/grid/plan";
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import type { Contract } from "@clockwork/kit/margin";
import { toCoreUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type { BackTest, Bot, RankedBot } from "./contract.ts";
import type { BookWorth, GridMarket, RestingOrder } from "./needs.ts";
import type { OwnedBot } from "./store.ts";

/** What a bot needs to be ranked. */
export const RANKED = { ageMs: DAY_MS, pairs: 20, /** In whole coins. */ invested: 100n } as const;

/** Whether others may see it: the ranking shows it, or it is simulated. To everybody else it is a bot there is not. */
export function isPublished(row: OwnedBot, { settle }: GridMarket, nowMs: number): boolean {
  if (isSimulatedUser(row.user_id)) return true;
  return (
    (row.status === "RUNNING" || row.status === "OUT_OF_RANGE") &&
    nowMs - row.created_ms >= RANKED.ageMs &&
    row.pairs >= RANKED.pairs &&
    BigInt(row.invested_units) >= RANKED.invested * 10n ** BigInt(settle.scale)
  );
}

export type GridRefusal =
  | "UNKNOWN_PAIR"
  | "UNKNOWN_BOT"
  | "INVALID_PRICE"
  | "INVALID_AMOUNT"
  | "INVALID_KIND"
  | "AGREEMENT_REQUIRED"
  | "IDENTITY_REQUIRED"
  | "ACCOUNT_NOT_READY"
  | "ACCOUNT_BLOCKED"
  | "IN_DEBT"
  | "INSUFFICIENT_BALANCE"
  | "TOO_MANY_BOTS"
  | "BOT_NOT_RUNNING"
  | "BOT_PROFIT_TOO_SMALL"
  | "GRID_RANGE_INVALID"
  | "GRID_COUNT_INVALID"
  | "GRID_LINES_NOT_DISTINCT"
  | "GRID_CELL_EARNS_NOTHING"
  | "GRID_PRICE_OUTSIDE"
  | "GRID_INVESTMENT_TOO_SMALL"
  | "GRID_LIQUIDATION_INSIDE"
  | "GRID_OUTSIDE_BAND"
  | "GRID_STOP_INSIDE"
  | "GRID_TRAIL_INVALID"
  | "GRID_EXIT_INVALID"
  | "GRID_START_UNFILLED"
  | "INVALID_EXPIRY"
  | "INVALID_LEVERAGE"
  | "LEVERAGE_TOO_HIGH"
  | "MARKET_NOT_TRADING"
  | "UNKNOWN_ORDER"
  | "REFERENCE_REUSED"
  | "TRIGGER_PASSED"
  | "TOO_FEW_CANDLES"
  | "UNKNOWN_TASK"
  | "TOO_MANY_TASKS"
  | "NOT_A_FUTURES_BOT"
  | "NOT_DONE";

export const REFUSALS: RefusalTable<GridRefusal> = {
  UNKNOWN_PAIR: [404, "There is no such market."],
  UNKNOWN_BOT: [404, "There is no such bot of yours."],
  INVALID_PRICE: [400, "A price is not a multiple of the market's tick."],
  INVALID_AMOUNT: [400, "Give an amount above zero with as many decimals as the coin has."],
  INVALID_KIND: [400, "This kind of grid is not made here."],
  AGREEMENT_REQUIRED: [403, "Accept the strategy agreement first."],
  IDENTITY_REQUIRED: [403, "Strategies open with identity level 1: verify your identity first."],
  ACCOUNT_NOT_READY: [503, "The account is being opened; try again in a moment."],
  ACCOUNT_BLOCKED: [403, "Your account is blocked."],
  IN_DEBT: [
    403,
    "A deposit of yours was taken back by its network and is owed: until it is repaid, nothing can leave and only what repays it is open.",
  ],
  INSUFFICIENT_BALANCE: [422, "There is not enough in the account the money comes from."],
  TOO_MANY_BOTS: [422, "Twenty bots can run at once; stop one first."],
  BOT_NOT_RUNNING: [409, "The bot is not running any more."],
  BOT_PROFIT_TOO_SMALL: [422, "Only realised grid profit above the reserve for fees can be taken out."],
  GRID_RANGE_INVALID: [422, "The upper price must lie above the lower one."],
  GRID_COUNT_INVALID: [422, "A grid has 2 to 200 cells, and at least 5 to follow the price."],
  GRID_LINES_NOT_DISTINCT: [422, "The lines lie closer than a tick: take fewer cells or a wider range."],
  GRID_CELL_EARNS_NOTHING: [422, "A cell would earn nothing after fees: take fewer cells or a wider range."],
  GRID_PRICE_OUTSIDE: [422, "The price must lie inside of the range when the grid begins."],
  GRID_INVESTMENT_TOO_SMALL: [422, "The investment is too small for the smallest order in every cell."],
  GRID_LIQUIDATION_INSIDE: [422, "With every line filled the position would be liquidated inside of the range."],
  GRID_OUTSIDE_BAND: [422, "A line lies outside of the prices the market takes now."],
  GRID_STOP_INSIDE: [422, "Take profit and stop loss must lie outside of the range."],
  GRID_TRAIL_INVALID: [422, "The range can follow the price only beyond its edges."],
  GRID_EXIT_INVALID: [422, "A trailing exit lies 0.5 to 50 % back, and a neutral grid has none."],
  GRID_START_UNFILLED: [422, "The market was too thin to begin; nothing was spent."],
  INVALID_EXPIRY: [422, "The end must lie ahead."],
  INVALID_LEVERAGE: [422, "Choose a leverage of at least 1."],
  LEVERAGE_TOO_HIGH: [422, "The contract does not allow such leverage."],
  MARKET_NOT_TRADING: [422, "The market is not trading now."],
  UNKNOWN_ORDER: [404, "The bot has no such order."],
  REFERENCE_REUSED: [409, "This clientId was used for something else."],
  TRIGGER_PASSED: [422, "The bot has begun; its trigger cannot change any more."],
  TOO_FEW_CANDLES: [422, "There are not enough candles of this market."],
  UNKNOWN_TASK: [404, "There is no such back-test."],
  TOO_MANY_TASKS: [429, "Too many back-tests run now; wait for one to end."],
  NOT_A_FUTURES_BOT: [422, "Margin belongs to futures grids."],
  NOT_DONE: [503, "The exchange cannot answer now; ask again."],
};

const CORE_CODES: Readonly<Record<string, GridRefusal>> = {
  MODE_LOCKED: "TRIGGER_PASSED",
  NOT_A_PERPETUAL: "NOT_A_FUTURES_BOT",
  BOOK_NOT_TRADABLE: "INVALID_KIND",
  UNKNOWN_MARKET: "UNKNOWN_PAIR",
  NOT_TRANSFERABLE: "INVALID_KIND",
};

/** What a refusal of the core is called here. */
export function refusalOf(code: string | undefined): GridRefusal {
  if (code === undefined) return "NOT_DONE";
  return code in REFUSALS ? (code as GridRefusal) : (CORE_CODES[code] ?? "NOT_DONE");
}

const RATE_DECIMALS = 8;
const SHOWN_DECIMALS = 6;

export const rateText = (rate: number): string => decimalText(BigInt(rate), RATE_DECIMALS);

/** One amount of another, cut after six decimals. */
function shareText(over: bigint, under: bigint): string {
  return under === 0n ? "0" : decimalText((over * 10n ** BigInt(SHOWN_DECIMALS)) / under, SHOWN_DECIMALS);
}

/** A year's rate of what was earned in so long; null in the first day. */
export function aprOf(earnedUnits: bigint, investedUnits: bigint, ageMs: number): string | null {
  if (ageMs < DAY_MS || investedUnits <= 0n) return null;
  return shareText(earnedUnits * BigInt(365 * DAY_MS), investedUnits * BigInt(ageMs));
}

/** What a bot is worth beyond what was put in, with what was taken out. */
export function totalOf(row: OwnedBot, market: GridMarket, worth: BookWorth, lastTicks: number): bigint {
  const value = BigInt(Math.abs(worth.lots)) * BigInt(lastTicks) * BigInt(market.factor);
  const held =
    worth.costUnits === undefined ? value : worth.lots >= 0 ? value - worth.costUnits : worth.costUnits - value;
  return worth.quoteUnits + held - BigInt(row.invested_units) + BigInt(row.taken_units);
}

export function describeBot(
  row: OwnedBot,
  market: GridMarket,
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

/** The lines as they lie now. Those of a range that has moved may lie a tick beside the bot's own. */
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

/** Where a bot buys last: an infinity grid's window may lie higher now. */
export const lowestTicks = (row: OwnedBot): number => (row.grid === "infinity" ? row.trail_down_ticks : row.low_ticks);

/** The shape a clone begins with at a price; an infinity grid's cells are counted from there. */
export function clonedRange(row: OwnedBot, priceTicks: number): Pick<GridInvestment, "kind" | "range" | "leverage"> {
  const { grid: kind, spacing, leverage } = row;
  const isInfinity = kind === "infinity";
  const highTicks = isInfinity ? priceTicks : row.high_ticks;
  const cells = isInfinity ? row.cells / 2 : row.cells;
  return { kind, range: { lowTicks: lowestTicks(row), highTicks, cells, spacing }, leverage };
}

type Bounds = "stopAboveTicks" | "stopBelowTicks" | "trailUpTicks" | "trailDownTicks";

/**
 * Stops and bounds of a clone. A range that has moved may lie beyond them by now: a stop then stays as far from the edge as it was
 * when the bot began, and a bound that is reached is none any more.
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

/** Where a long and a short side with all their lines filled would be liquidated; a bot that waits by its plan. */
export function liquidationTicks(
  row: OwnedBot,
  market: GridMarket,
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

/** What a clone at the price of now needs at least. */
export function leastOf(
  { grid, spacing, leverage }: OwnedBot,
  market: GridMarket,
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
  market: GridMarket,
): { readonly min: string; readonly max: string } {
  const { min, max } = profitRates(lines, market.takerRate);
  return { min: rateText(min), max: rateText(max) };
}

export function describeBackTest(result: BackTestResult, market: GridMarket): BackTest {
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

/** Profit of the parts of a week as a line that only rises, in thousandths of its end. */
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
  readonly market: GridMarket;
  /** Grid profit of the last week, and of each part of it. */
  readonly earnedUnits: bigint;
  readonly parts: readonly { readonly point: number; readonly units: bigint }[];
  /** How deep its worth fell below its highest, of that highest: 0 to 1. */
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
