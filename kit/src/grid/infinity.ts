// Owns the specifics of an infinity grid: lines without an upper end, orders of the same value instead of the same
// lots, and how its window of cells follows the price. Pure, like the rule.
import { PRICE_TICKS_MAX } from "../instrument.ts";
import { mulDivFloor } from "../money.ts";
import { nearestRoot } from "./lines.ts";
import type { GridCell, GridLines, GridState, GridTerms } from "./rule.ts";

/**
 * Lines by their number: the lowest is 0, `count` cells are below the initial price, and the factor continues above.
 */
export interface Lattice {
  readonly lowTicks: number;
  readonly highTicks: number;
  readonly cells: number;
}

/** Twice the cells below the price are kept. */
export const INFINITY_CELLS_MAX = 100;

/** low × (high ÷ low)^(index ÷ cells), to the nearest tick and exact for any index. */
export function latticeLine({ lowTicks, highTicks, cells }: Lattice, index: number): number {
  const [low, high] = [BigInt(lowTicks), BigInt(highTicks)];
  const above = index - cells;
  if (above <= 0) return Number(nearestRoot(low ** BigInt(0 - above) * high ** BigInt(index), 1n, cells));
  return Number(nearestRoot(high ** BigInt(index), low ** BigInt(above), cells));
}

export function latticeLines(lattice: Lattice, from: number, cells: number): number[] {
  return Array.from({ length: cells + 1 }, (_, i) => latticeLine(lattice, from + i));
}

/** Lots of a cell's order. An infinity grid's `lots` are the value of every order, in ticks of lots. */
export function lotsAt({ kind, lots }: Pick<GridTerms, "kind" | "lots">, highTicks: number): number {
  return kind === "infinity" ? Math.floor(lots / highTicks) : lots;
}

/** Coins for all lines beyond the highest: value ÷ (top × (factor − 1)), the sum of a row without end. */
function lotsBeyond({ lots }: GridTerms, lines: GridLines): number {
  const top = lines.at(lines.length - 1) as number;
  const below = lines.at(lines.length - 2) as number;
  return mulDivFloor(lots, below, top * (top - below));
}

/** Initial lots of an infinity grid: what it sells at every line above, to the end of all prices. */
export function infinityLots(terms: GridTerms, lines: GridLines, gap: number): number {
  let held = lotsBeyond(terms, lines);
  for (let cell = gap; cell < lines.length - 1; cell++) held += lotsAt(terms, lines.at(cell + 1) as number);
  return held;
}

/** Value of every order, in ticks of lots, that an amount in ticks of lots pays for. Each part is rounded up. */
export function infinityValue(lines: readonly number[], gap: number, priceTicks: number, money: bigint): bigint {
  const ONE = 1_000_000_000_000n;
  const part = (over: bigint, under: bigint): bigint => (over * ONE + under - 1n) / under;
  const price = BigInt(priceTicks);
  let needed = 0n;
  for (let cell = 0; cell < lines.length - 1; cell++)
    needed += part(cell < gap ? BigInt(lines[cell] as number) : price, BigInt(lines[cell + 1] as number));
  const [top, below] = [BigInt(lines.at(-1) as number), BigInt(lines.at(-2) as number)];
  needed += part(price * below, top * (top - below));
  return (money * ONE) / needed;
}

export interface Followed {
  /** New lines, the nearest first. */
  readonly lines: readonly number[];
  /** Lots of lines the price has jumped over, bought when positive and sold when negative. */
  readonly lots: number;
}

/** Half a window further, and beyond the price. Undefined when the price has jumped over more than the window. */
export function followPrice(terms: GridTerms, state: GridState, ticks: number, isUp: boolean): Followed | undefined {
  const { lattice } = terms;
  if (lattice === undefined) return undefined;
  const count = state.cells.length;
  const index = state.latticeIndex ?? 0;
  const most = isUp ? count : Math.min(count, index);
  const lines: number[] = [];
  for (let i = 1; i <= most; i++) {
    const line = latticeLine(lattice, isUp ? index + count + i : index - i);
    if (line > PRICE_TICKS_MAX) break;
    lines.push(line);
    if (i * 2 >= count && (isUp ? line > ticks : line < ticks)) break;
  }
  const last = lines.at(-1);
  if (last === undefined || (isUp && last <= ticks)) return undefined;
  const isAllBelow = !isUp && last > ticks && lines.length < index;
  if (isAllBelow) return undefined;
  let lots = 0;
  for (const { highTicks, side } of followedCells(state, ticks, isUp, lines))
    if (isUp && side === "buy") lots -= lotsAt(terms, highTicks);
    else if (!isUp && side === "sell") lots += lotsAt(terms, highTicks);
  return { lines, lots };
}

interface FollowedCell {
  readonly highTicks: number;
  readonly side: GridCell["side"];
}

/** The cells of new lines, from the lowest: those the price has passed have sold, or bought, already. */
export function followedCells(
  { lines: old }: GridState,
  ticks: number,
  isUp: boolean,
  added: readonly number[],
): FollowedCell[] {
  const edges = isUp ? [old.at(old.length - 1) as number, ...added] : [...added.toReversed(), old.at(0) as number];
  return edges.slice(1).map((highTicks, i) => {
    const isPassed = isUp ? highTicks <= ticks : (edges[i] as number) >= ticks;
    return { highTicks, side: isUp === isPassed ? "buy" : "sell" };
  });
}
