// Owns how a grid's range follows the price: where it starts to, and the new lines and cells. Pure, a part of the rule.
import { followedCells, followPrice } from "./infinity.ts";
import { lineAbove, lineBelow } from "./lines.ts";
import type { GridCell, GridEvent, GridIntent, GridLines, GridState, GridTerms } from "./rule.ts";

export const empty = (side: GridCell["side"]): GridCell => ({ side, filledLots: 0, flowUnits: 0, isHalf: false });

export const bottomOf = ({ lines }: GridState): number => lines.at(0) as number;
export const topOf = ({ lines }: GridState): number => lines.at(lines.length - 1) as number;

/** The next line beyond an edge. */
function beyond({ spacing }: GridTerms, lines: GridLines, edge: number, inner: number, isUp: boolean): number {
  const step = ((lines.at(lines.length - 1) as number) - (lines.at(0) as number)) / (lines.length - 1);
  return isUp ? lineAbove(spacing, edge, inner, step) : lineBelow(spacing, edge, inner, step);
}

/** The price at which the range follows: one spacing beyond the edge; undefined when it does not. */
export function trailAt(terms: GridTerms, state: GridState, isUp: boolean): number | undefined {
  if (terms.kind === "infinity") {
    if (state.isTrailOver === true) return undefined;
    if (isUp) return topOf(state) + 1;
    return (state.latticeIndex ?? 0) > 0 ? bottomOf(state) - 1 : undefined;
  }
  const bound = isUp ? terms.trailUpTicks : terms.trailDownTicks;
  if (bound === undefined || state.isTrailOver === true) return undefined;
  const { lines } = state;
  const edge = (isUp ? lines.at(lines.length - 1) : lines.at(0)) as number;
  const inner = (isUp ? lines.at(lines.length - 2) : lines.at(1)) as number;
  const next = beyond(terms, lines, edge, inner, isUp);
  return (isUp ? next > bound : next < bound) || next <= 0 ? undefined : next;
}

/** New lines until the first beyond the price, so that the order on the new edge waits for the price. */
export function trail(terms: GridTerms, state: GridState, ticks: number, isUp: boolean): GridIntent | undefined {
  const first = trailAt(terms, state, isUp);
  if (first === undefined || (isUp ? ticks < first : ticks > first)) return undefined;
  if (terms.kind === "infinity") {
    const followed = followPrice(terms, state, ticks, isUp);
    return followed === undefined ? undefined : { kind: "trail", isUp, ticks, ...followed };
  }
  const { lines } = state;
  const bound = (isUp ? terms.trailUpTicks : terms.trailDownTicks) as number;
  let inner = (isUp ? topOf(state) : bottomOf(state)) as number;
  const added: number[] = [first];
  for (let edge = first; isUp ? edge <= ticks : edge >= ticks; ) {
    const next = beyond(terms, lines, edge, inner, isUp);
    if (next <= 0 || (isUp ? next > bound : next < bound) || added.length === lines.length - 1) return undefined;
    added.push(next);
    inner = edge;
    edge = next;
  }
  return { kind: "trail", isUp, ticks, lines: added, lots: isUp ? terms.lots : 0 - terms.lots };
}

/**
 * Lines at which new cells buy when the range has moved up: their money must be available in addition to the market
 * order's.
 */
export function trailBuys({ kind }: GridTerms, state: GridState, isUp: boolean, added: readonly number[]): number[] {
  return isUp && kind !== "infinity" ? [topOf(state), ...added].slice(0, added.length - 1) : [];
}

/** Cells of new lines, from the lowest: the edge waits for the price, passed ones for its return. */
export function freshCells(
  { kind }: GridTerms,
  state: GridState,
  { isUp, lines, ticks }: Extract<GridEvent, { kind: "trailed" }>,
): GridCell[] {
  if (kind === "infinity") return followedCells(state, ticks, isUp, lines).map(({ side }) => empty(side));
  const inner = Array.from({ length: lines.length - 1 }, () => empty(isUp ? "buy" : "sell"));
  return isUp ? [...inner, empty("sell")] : [empty("buy"), ...inner];
}
