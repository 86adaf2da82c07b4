// Owns random grids with a series of prices each, by seed: core, back-test and preview get the same ones. For tests and
// soaks; never part of a running exchange.
import { units } from "../money.ts";
import { createRandom, type Random } from "../random.ts";
import type { RequestedGrid, TestedMarket } from "./back-test-task.ts";
import { GRID_CELLS_MAX } from "./lines.ts";

export interface GridWalk {
  readonly requested: RequestedGrid;
  readonly market: TestedMarket;
  /** The first is the starting price. */
  readonly prices: readonly number[];
}

/** One tick of one lot is one unit on spot and a hundred on futures, as on the stage of core/testing. */
const SPOT: TestedMarket = {
  factor: 1,
  minLots: 1,
  minNotionalUnits: 5_000_000,
  makerRate: 100_000,
  takerRate: 100_000,
};
const FUTURES: TestedMarket = { factor: 100, minLots: 1, minNotionalUnits: 0, makerRate: 20_000, takerRate: 60_000 };
const KINDS = ["spot", "spot", "infinity", "neutral", "long", "short"] as const;
const FIRST = { spot: 1_004_000, futures: 500_000 } as const;

export function drawWalk(seed: number): GridWalk {
  const random = createRandom(seed);
  const kind = random.pick(KINDS);
  const isSpot = kind === "spot" || kind === "infinity";
  const first = isSpot ? FIRST.spot : FIRST.futures;
  const part = (bps: number): number => Math.round((first * bps) / 10_000);
  const [least, most] = isSpot ? [300, 1_000] : [100, 220];
  const lowTicks = first - part(random.between(least, most));
  const highTicks = kind === "infinity" ? 0 : first + part(random.between(least, most));
  const some = (hits: number, draw: () => number): number => (random.chance(hits, 10) ? draw() : 0);
  const isTrailing = kind !== "infinity";
  const requested: RequestedGrid = {
    kind,
    spacing: kind === "infinity" ? "geometric" : random.pick(["arithmetic", "geometric"]),
    lowTicks,
    highTicks,
    cells: random.between(5, kind === "infinity" ? 8 : Math.min(GRID_CELLS_MAX, 16)),
    quoteUnits: units(10_000_000_000n),
    baseLots: kind === "spot" ? some(3, () => random.between(1, 5_000)) : 0,
    leverage: isSpot ? 1 : 2,
    triggerTicks: some(2, () => first - part(random.between(10, least))),
    takeProfitTicks: some(2, () => stopOf(random, kind === "short", lowTicks, highTicks, part)),
    stopLossTicks: some(2, () => stopOf(random, kind !== "short", lowTicks, highTicks, part)),
    trailUpTicks: isTrailing ? some(4, () => highTicks + part(random.between(200, 3_000))) : 0,
    trailDownTicks: isTrailing ? some(4, () => lowTicks - part(random.between(200, 3_000))) : 0,
    exitBps: kind === "neutral" ? 0 : some(2, () => random.between(200, 1_500)),
  };
  return { requested, market: isSpot ? SPOT : FUTURES, prices: pricesOf(random, first, part, isSpot ? 1_500 : 280) };
}

/** Beyond the edge it belongs to; an infinity grid has no upper one, and stops far above. */
function stopOf(
  random: Random,
  isBelow: boolean,
  lowTicks: number,
  highTicks: number,
  part: (bps: number) => number,
): number {
  if (isBelow) return lowTicks - part(random.between(50, 400));
  return (highTicks === 0 ? lowTicks + part(2_500) : highTicks) + part(random.between(50, 400));
}

/**
 * Small steps, and occasionally a gap through many lines; never further than the market's band permits for one trade.
 */
function pricesOf(random: Random, first: number, part: (bps: number) => number, widestBps: number): number[] {
  const prices = [first];
  const [low, high] = [first - part(widestBps), first + part(widestBps)];
  for (let i = 0; i < 40; i++) {
    const far = part(random.chance(1, 6) ? widestBps / 2 : widestBps / 7);
    const next = (prices.at(-1) as number) + random.between(0 - far, far);
    prices.push(Math.min(high, Math.max(low, next)));
  }
  return prices;
}
