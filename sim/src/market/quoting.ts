// How the simulated maker keeps a book: one order in every stretch of prices, near ones close together, far ones wide
// apart. Orders stay where they are while their stretch needs them; only what is in the way or missing moves, so that a
// moving price costs a few orders a tick. Pure: orders and a middle price in, commands out.
import type { Command } from "@clockwork/core/protocol/command";
import type { Random } from "@clockwork/kit/random";
import { lognormal } from "./chance.ts";
import { lotCost, type PairNature, type SimulatedPair } from "./instruments.ts";

export interface RestingOrder {
  readonly id: number;
  readonly side: "buy" | "sell";
  price: number;
  /** Lots still open, and filled so far: an amend states both together. */
  open: number;
  filled: number;
}

export interface QuoteInput {
  readonly account: number;
  readonly pair: SimulatedPair;
  readonly nature: PairNature;
  /** In ticks, with its fraction. */
  readonly middle: number;
  /** What a USDT is in quote coins, to size orders. */
  readonly quotePerUsdt: number;
  readonly orders: Iterable<RestingOrder>;
  /** How nervous the market is: wider and thinner above 1. */
  readonly heat: number;
  readonly itemsMax: number;
}

/** Levels a side. */
export const LEVELS = 32;
const WIDTH_GROWTH = 1.13;
/** Orders that no stretch needs, kept for the next move. */
const SPARE_MAX = 4;

/** Distances from the middle, in ticks, where the stretches begin; one more ends the last. */
export function stretches(middle: number, nature: PairNature, heat: number): number[] {
  const half = Math.max(0.5, (middle * nature.halfSpreadBps * Math.sqrt(heat)) / 10_000);
  const edges = [half];
  let width = Math.max(1, (middle * 0.45 * nature.halfSpreadBps ** 0.3) / 10_000);
  for (let level = 0; level < LEVELS; level += 1) {
    edges.push((edges[level] as number) + width);
    width *= WIDTH_GROWTH;
  }
  return edges;
}

export function quoteItems(input: QuoteInput, random: Random): Command[] {
  const edges = stretches(input.middle, input.nature, input.heat);
  const mine = { buy: [] as RestingOrder[], sell: [] as RestingOrder[] };
  for (const order of input.orders) mine[order.side].push(order);
  // The side in the price's way goes first, and alone when that is all there is time for: the other would run into it.
  const isInside = (order: RestingOrder): boolean => distanceOf(input, order) < (edges[0] as number);
  const sides = mine.sell.some(isInside) ? (["sell", "buy"] as const) : (["buy", "sell"] as const);
  const inside = mine.buy.filter(isInside).length + mine.sell.filter(isInside).length;
  const items: Command[] = [];
  for (const side of sides) items.push(...sideItems(input, side, edges, mine[side], random));
  items.push(...refreshItems(input, mine, random));
  return items.slice(0, Math.max(input.itemsMax, inside * 3));
}

function sideItems(
  input: QuoteInput,
  side: "buy" | "sell",
  edges: readonly number[],
  orders: readonly RestingOrder[],
  random: Random,
): Command[] {
  const holders: (RestingOrder | undefined)[] = new Array(LEVELS).fill(undefined);
  const inside: RestingOrder[] = [];
  const spare: RestingOrder[] = [];
  for (const order of [...orders].sort((left, right) => left.id - right.id)) {
    const level = levelOf(edges, distanceOf(input, order));
    if (level < 0) inside.push(order);
    else if (level >= LEVELS || holders[level] !== undefined) spare.push(order);
    else holders[level] = order;
  }
  const items: Command[] = [];
  // What is in the way must move; what is doubled or too far away may.
  const free = [...inside, ...spare.reverse()];
  for (let level = 0; level < LEVELS; level += 1) {
    if (holders[level] !== undefined) continue;
    const price = priceIn(input.middle, side, edges[level] as number, edges[level + 1] as number, random);
    if (price < 1) continue;
    const lots = sizeAt(input, level, price, random);
    const order = free.shift();
    items.push(
      order === undefined
        ? { kind: "placeOrder", account: input.account, market: input.pair.market, side, price, quantity: lots }
        : { kind: "amendOrder", account: input.account, orderId: order.id, price, quantity: order.filled + lots },
    );
  }
  for (const [index, order] of free.entries()) {
    if (inside.includes(order) || index >= SPARE_MAX) {
      items.push({ kind: "cancelOrder", account: input.account, orderId: order.id });
    }
  }
  return items;
}

/** Now and then somebody near the touch changes his mind about the size. */
function refreshItems(
  input: QuoteInput,
  mine: Readonly<Record<"buy" | "sell", readonly RestingOrder[]>>,
  random: Random,
): Command[] {
  const items: Command[] = [];
  for (const side of ["buy", "sell"] as const) {
    if (random.chance(1, 2)) continue;
    const near = [...mine[side]].sort((left, right) =>
      side === "buy" ? right.price - left.price : left.price - right.price,
    );
    const level = random.below(8);
    const order = near[level];
    if (order === undefined) continue;
    const quantity = order.filled + sizeAt(input, level, order.price, random);
    items.push({ kind: "amendOrder", account: input.account, orderId: order.id, quantity });
  }
  return items;
}

/** How far from the middle an order stands, in ticks; below 0 on the wrong side of it. */
function distanceOf({ middle }: QuoteInput, { side, price }: RestingOrder): number {
  return side === "buy" ? middle - price : price - middle;
}

/** Which stretch a distance lies in; −1 before the first, LEVELS beyond the last. */
function levelOf(edges: readonly number[], distance: number): number {
  let level = -1;
  while (level < LEVELS && distance >= (edges[level + 1] as number)) level += 1;
  return level;
}

function priceIn(middle: number, side: "buy" | "sell", from: number, to: number, random: Random): number {
  // The stretch is at least a tick wide, so it holds a whole price.
  if (side === "buy") {
    const high = Math.floor(middle - from);
    const low = Math.min(high, Math.floor(middle - to) + 1);
    return random.between(low, high);
  }
  const low = Math.ceil(middle + from);
  const high = Math.max(low, Math.ceil(middle + to) - 1);
  return random.between(low, high);
}

function sizeAt(
  { pair, nature, quotePerUsdt, heat }: QuoteInput,
  level: number,
  price: number,
  random: Random,
): number {
  const growth = 0.3 + 1.5 * (level / LEVELS) ** 0.7;
  const worth = (nature.levelWorth * growth * lognormal(random, 0.7)) / Math.sqrt(heat);
  return lotsFor(pair, worth * quotePerUsdt, price);
}

/** Lots worth about so many quote coins, within what the market admits. */
export function lotsFor(pair: SimulatedPair, quoteCoins: number, price: number): number {
  const cost = lotCost(pair, price);
  const least = Math.ceil((pair.minNotional * 1.05) / cost);
  return Math.min(pair.maxLots, Math.max(1, least, Math.round(quoteCoins / cost)));
}
