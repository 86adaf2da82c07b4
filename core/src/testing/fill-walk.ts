// Owns a random market around a grid bot, by seed: gaps through many lines, orders that fill a line in part, thin books, time that
// passes, profit taken out, and restarts on the way. A row of steps for whoever has an exchange to take them on; for tests and long
// runs, never part of a running exchange.
import { stopsOf } from "@clockwork/kit/grid/back-test-task";
import { isSpotGrid } from "@clockwork/kit/grid/plan";
import type { GridWalk } from "@clockwork/kit/grid/walk-fixture";
import { toCoreUnits } from "@clockwork/kit/money";
import { createRandom, type Random } from "@clockwork/kit/random";
import type { Command } from "../protocol/command.ts";
import { type Calculation, startTicksOf } from "./fill-calculation.ts";

export type CreateBot = Extract<Command, { readonly kind: "createBot" }>;

/** Where the walk is taken: a market, whose money, and two who trade there. */
export interface WalkServer {
  readonly market: number;
  /** The contract whose index its coin is worth; the same market for futures. */
  readonly contract: number;
  readonly source: number;
  readonly maker: number;
  readonly other: number;
}

export type WalkStep =
  | { readonly kind: "send"; readonly command: Command }
  | { readonly kind: "wait"; readonly ms: number }
  /** The process ends here and comes back from what it kept. */
  | { readonly kind: "restart" }
  /** Nothing is under way: figures may be compared. */
  | { readonly kind: "look" };

/** A lot of the coin in units, as on the stage of bots. */
const LOT_UNITS = 1_000;
const DEEP_LOTS = 200_000;
const THIN_LOTS = 40;
const PRINT_LOTS = 10;
const TAKEN_UNITS = 20_000_000;
const LONGEST_MS = 90_000;

/** What somebody would send for the grid of a walk. */
export function createOf(walk: GridWalk): Omit<CreateBot, "kind" | "account" | "market" | "reference"> {
  const { requested } = walk;
  const { kind, triggerTicks } = requested;
  const { above, below } = stopsOf(kind, requested.takeProfitTicks, requested.stopLossTicks);
  return {
    grid: kind,
    spacing: requested.spacing,
    lowTicks: requested.lowTicks,
    highTicks: kind === "infinity" ? startTicksOf(walk) : requested.highTicks,
    cells: requested.cells,
    quoteUnits: toCoreUnits(requested.quoteUnits),
    baseUnits: requested.baseLots * LOT_UNITS,
    leverage: requested.leverage,
    triggerTicks,
    stopAboveTicks: above,
    stopBelowTicks: below,
    trailUpTicks: requested.trailUpTicks,
    trailDownTicks: requested.trailDownTicks,
    exitBps: requested.exitBps,
  };
}

/** The price comes to its first place, the bot is made there, and every price of the walk brings a step of one kind or another. */
export function* walkSteps(walk: GridWalk, seed: number, place: WalkServer, seen: Calculation): Generator<WalkStep> {
  const random = createRandom(seed ^ 0x5eed);
  const [first = 0, ...prices] = walk.prices;
  yield* sendAll(moveTo(walk, place, first, first, DEEP_LOTS));
  const { market, source } = place;
  const made = { kind: "createBot", account: source, market, reference: `walk:${seed}`, ...createOf(walk) } as const;
  yield { kind: "send", command: made };
  yield { kind: "look" };
  if (seen.account === 0) return;
  for (const [at, ticks] of prices.entries()) {
    yield* stepOf(walk, place, seen, random, ticks, `walk:${seed}:${at}`);
    if (random.chance(1, 12)) yield { kind: "restart" };
    yield { kind: "look" };
  }
  // What could not be closed in a thin book is closed in a deep one.
  if (seen.status === "STOPPING") yield* sendAll(moveTo(walk, place, seen.lastTicks, seen.lastTicks, DEEP_LOTS));
  yield { kind: "wait", ms: LONGEST_MS };
  yield { kind: "restart" };
  yield { kind: "look" };
}

function* stepOf(
  walk: GridWalk,
  place: WalkServer,
  seen: Calculation,
  random: Random,
  ticks: number,
  reference: string,
): Generator<WalkStep> {
  const depth = random.chance(1, 6) ? random.between(1, THIN_LOTS) : DEEP_LOTS;
  if (random.chance(1, 10)) {
    const units = random.between(1, TAKEN_UNITS);
    yield { kind: "send", command: { kind: "takeBotProfit", account: seen.account, units, reference } };
  }
  if (random.chance(1, 6)) yield { kind: "wait", ms: random.between(500, LONGEST_MS) };
  // Twice as often in parts as through all that lies between.
  if (random.chance(1, 3)) yield* sendAll(moveTo(walk, place, seen.lastTicks, ticks, depth));
  else {
    const most = Math.max(2, 3 * lotsNear(walk, seen));
    yield* sendAll(nibble(walk, place, seen.lastTicks, ticks, depth, random.between(1, most)));
  }
}

/** Of an order near the price. */
function lotsNear({ requested }: GridWalk, { lots, lastTicks }: Calculation): number {
  return requested.kind === "infinity" ? Math.floor(lots / lastTicks) : lots;
}

function* sendAll(commands: readonly Command[]): Generator<WalkStep> {
  for (const command of commands) yield { kind: "send", command };
}

/** What the coin is worth, as bots see it. */
function marked(walk: GridWalk, { contract: market }: WalkServer, ticks: number): Command {
  const isSpot = isSpotGrid(walk.requested.kind);
  return { kind: "setReferencePrice", market, ...(isSpot ? { indexTicks: ticks } : { markTicks: ticks }) };
}

/** Trades all that lies between two prices and prints at the second, with a book on both sides of it. */
function moveTo(walk: GridWalk, place: WalkServer, from: number, ticks: number, depth: number): Command[] {
  const { market, maker, other } = place;
  const side = ticks < from ? "sell" : "buy";
  const order = { kind: "placeOrder", account: maker, market, price: ticks } as const;
  const bid: Command = { ...order, side: "buy", price: ticks - 1, quantity: depth };
  const ask: Command = { ...order, side: "sell", price: ticks + 1, quantity: depth };
  return [
    { kind: "cancelAll", account: maker, market },
    marked(walk, place, ticks),
    // What lies behind first, so that a bot that ends meanwhile finds somebody.
    ...(side === "buy" ? [ask, bid] : [bid, ask]),
    { ...order, account: other, side, quantity: DEEP_LOTS, timeInForce: "IOC" },
    { ...order, side: side === "buy" ? "sell" : "buy", quantity: PRINT_LOTS },
    { ...order, account: other, side, quantity: PRINT_LOTS },
  ];
}

/** So many lots and no more, as far as a price: some lines are filled whole, one in part. */
function nibble(
  walk: GridWalk,
  place: WalkServer,
  from: number,
  ticks: number,
  depth: number,
  lots: number,
): Command[] {
  const { market, maker, other } = place;
  const side = ticks < from ? "sell" : "buy";
  const rest = { kind: "placeOrder", account: maker, market, quantity: depth, postOnly: "reject" } as const;
  const [low, high] = [Math.min(from, ticks) - 1, Math.max(from, ticks) + 1];
  return [
    { kind: "cancelAll", account: maker, market },
    marked(walk, place, from),
    { ...rest, side: "buy", price: low },
    { ...rest, side: "sell", price: high },
    { kind: "placeOrder", account: other, market, side, price: ticks, quantity: lots, timeInForce: "IOC" },
  ];
}
