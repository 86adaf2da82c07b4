// Owns the rule of a running grid as a pure function: state and event in, state and intents out. Core, back-test and
// preview run this one. It sends nothing and has no clock.

import { exitLooks, isExit, noteBest } from "./exit.ts";
import { bottomOf, empty, freshCells, topOf, trail, trailAt } from "./follow.ts";
import { infinityLots, type Lattice, lotsAt } from "./infinity.ts";
import type { GridSpacing } from "./lines.ts";
import { type GridKind, isSpotGrid, startLotsOf } from "./plan.ts";

export type GridStatus = "WAIT_TRIGGER" | "INITIALISING" | "RUNNING" | "OUT_OF_RANGE" | "STOPPING" | "CLOSED";
export type GridReason =
  | "USER"
  | "TAKE_PROFIT"
  | "STOP_LOSS"
  | "ENDED"
  | "START_UNFILLED"
  | "LIQUIDATED"
  | "TRAILING_EXIT"
  | "DELISTED"
  | "PRICE_JUMPED";
type Side = "buy" | "sell";

export interface GridTerms {
  readonly kind: GridKind;
  readonly spacing: GridSpacing;
  /** Lots of every order; of an infinity grid the value of every order, in ticks of lots. */
  readonly lots: number;
  /** Of an infinity grid: the prices of its lines, however far up. */
  readonly lattice?: Lattice;
  /** Spot: invested lots of the coin. */
  readonly baseLots?: number;
  /** Starts when the price comes here, from either side; without it at once. */
  readonly triggerTicks?: number;
  /** All ends when the price rises to, or falls to, these. */
  readonly stopAboveTicks?: number;
  readonly stopBelowTicks?: number;
  /** The range follows the price up, or down, until its edge would be beyond these. */
  readonly trailUpTicks?: number;
  readonly trailDownTicks?: number;
  /** Ends when the price has come back this far from the best it has seen, in 1e-4 of that. */
  readonly exitBps?: number;
  readonly endsAt?: number;
  /** Spot: whether coins are sold when the grid ends automatically. */
  readonly sellsAtEnd?: boolean;
}

/** A cell always has one intended order: a buy at its lower line, or a sell at its upper one. */
export interface GridCell {
  readonly side: Side;
  readonly filledLots: number;
  /** Quote received less quote paid, fees included, since its last pair was closed. */
  readonly flowUnits: number;
  /** The earlier order of a pair is filled. */
  readonly isHalf: boolean;
}

/** Lines and cells as array-likes, so that the core can keep its own in tables. */
export interface GridLines {
  readonly length: number;
  at(index: number): number | undefined;
}

export interface GridCells {
  readonly length: number;
  at(index: number): GridCell | undefined;
  with(index: number, cell: GridCell): GridCells;
}

export interface GridState {
  readonly status: GridStatus;
  readonly reason?: GridReason;
  /** On which side of its trigger the first price was. */
  readonly isBelowTrigger?: boolean;
  /** One more than there are cells, from the lowest. */
  readonly lines: GridLines;
  readonly cells: GridCells;
  /** Of an infinity grid: the number of its lowest line. */
  readonly latticeIndex?: number;
  /** With a trailing exit: the best price since the start, in its steps. */
  readonly bestTicks?: number;
  /** The money for following the price was short: the range no longer moves. */
  readonly isTrailOver?: boolean;
  readonly pairs: number;
  readonly profitUnits: number;
  readonly feesUnits: number;
}

export type GridEvent =
  | { readonly kind: "price"; readonly ticks: number; readonly time: number }
  /** The trigger was reached, and the terms have the lots of the current price. Without any it cannot start. */
  | { readonly kind: "found"; readonly ticks: number }
  /** The order of the start is completed. */
  | { readonly kind: "started"; readonly filledLots: number; readonly feeUnits?: number }
  | {
      readonly kind: "fill";
      readonly cell: number;
      readonly lots: number;
      readonly valueUnits: number;
      readonly feeUnits: number;
    }
  /** A trail intent was carried out, or could not be paid. */
  | {
      readonly kind: "trailed";
      readonly isUp: boolean;
      /** The price of the intent. */
      readonly ticks: number;
      readonly lines: readonly number[];
      readonly isFilled: boolean;
      readonly feeUnits: number;
    }
  | { readonly kind: "stop"; readonly sells: boolean; readonly reason?: GridReason }
  /** Nothing of it rests or is held any more, or what is held is kept. */
  | { readonly kind: "closed" };

export type GridIntent =
  /** The trigger is reached: its lots are planned by the current price, and `found` returns the plan. */
  | { readonly kind: "plan" }
  | { readonly kind: "market"; readonly side: Side; readonly lots: number }
  | {
      readonly kind: "place";
      readonly cell: number;
      readonly side: Side;
      readonly ticks: number;
      readonly lots: number;
    }
  /**
   * The range moves by these new lines: as many cells at the other end lose their order, this many lots are bought
   * (when negative sold) at the market whole or not at all, and `trailed` returns the result.
   */
  | {
      readonly kind: "trail";
      readonly isUp: boolean;
      readonly ticks: number;
      readonly lines: readonly number[];
      readonly lots: number;
    }
  | { readonly kind: "cancelAll" }
  /** Sells the coins or closes the position at the market. */
  | { readonly kind: "closeHeld" }
  | { readonly kind: "returnFunds" };

export interface GridStep {
  readonly state: GridState;
  readonly intents: readonly GridIntent[];
}

export function openGrid(lines: readonly number[]): GridState {
  const cells = lines.slice(1).map(() => empty("buy"));
  return { status: "WAIT_TRIGGER", lines, cells, pairs: 0, profitUnits: 0, feesUnits: 0 };
}

const stay = (state: GridState): GridStep => ({ state, intents: [] });

export function stepGrid(terms: GridTerms, state: GridState, event: GridEvent): GridStep {
  switch (event.kind) {
    case "price":
      return seePrice(terms, state, event.ticks, event.time);
    case "found":
      if (state.status !== "WAIT_TRIGGER") return stay(state);
      return terms.lots > 0 ? begin(terms, state, event.ticks) : stop(terms, state, "PRICE_JUMPED", false);
    case "started":
      return state.status === "INITIALISING"
        ? drawLines(terms, { ...state, feesUnits: state.feesUnits + (event.feeUnits ?? 0) }, event.filledLots)
        : stay(state);
    case "fill":
      return takeFill(terms, state, event);
    case "trailed":
      return takeTrail(terms, { ...state, feesUnits: state.feesUnits + event.feeUnits }, event);
    case "stop":
      return stop(terms, state, event.reason ?? "USER", event.sells);
    case "closed":
      return state.status === "STOPPING"
        ? { state: { ...state, status: "CLOSED" }, intents: [{ kind: "returnFunds" }] }
        : stay(state);
  }
}

function seePrice(terms: GridTerms, state: GridState, ticks: number, time: number): GridStep {
  const isWaiting = state.status === "WAIT_TRIGGER";
  if (!isWaiting && state.status !== "RUNNING" && state.status !== "OUT_OF_RANGE") return stay(state);
  const sells = terms.sellsAtEnd !== false;
  if (terms.endsAt !== undefined && time >= terms.endsAt) return stop(terms, state, "ENDED", sells);
  if (isWaiting) return waitForTrigger(terms, state, ticks);
  const { stopAboveTicks, stopBelowTicks, kind } = terms;
  if (stopAboveTicks !== undefined && ticks >= stopAboveTicks)
    return stop(terms, state, isSpotGrid(kind) || kind === "long" ? "TAKE_PROFIT" : "STOP_LOSS", sells);
  if (stopBelowTicks !== undefined && ticks <= stopBelowTicks)
    return stop(terms, state, kind === "short" ? "TAKE_PROFIT" : "STOP_LOSS", sells);
  const best = noteBest(terms, state, ticks);
  if (isExit(terms, best, ticks)) return stop(terms, best, "TRAILING_EXIT", sells);
  const isInside = ticks >= bottomOf(state) && ticks <= topOf(state);
  const status = isInside ? "RUNNING" : "OUT_OF_RANGE";
  const seen = status === best.status ? best : { ...best, status: status as GridStatus };
  const intents = isInside ? [] : [trail(terms, seen, ticks, true), trail(terms, seen, ticks, false)];
  return { state: seen, intents: intents.filter((intent) => intent !== undefined) };
}

function waitForTrigger(terms: GridTerms, state: GridState, ticks: number): GridStep {
  const { triggerTicks } = terms;
  if (triggerTicks === undefined) return begin(terms, state, ticks);
  const isBelow = state.isBelowTrigger ?? ticks < triggerTicks;
  const isReached = isBelow ? ticks >= triggerTicks : ticks <= triggerTicks;
  return isReached ? { state, intents: [{ kind: "plan" }] } : stay({ ...state, isBelowTrigger: isBelow });
}

/** The highest line not above the price has no order: cells below it start with a buy, the others with a sell. */
function begin(terms: GridTerms, state: GridState, ticks: number): GridStep {
  const count = state.cells.length;
  let gap = 0;
  while (gap < count && (state.lines.at(gap + 1) as number) <= ticks) gap++;
  let { cells } = state;
  for (let cell = 0; cell < count; cell++) cells = cells.with(cell, empty(cell < gap ? "buy" : "sell"));
  const started: GridState = { ...noteBest(terms, state, ticks), cells, status: "INITIALISING" };
  const startLots = startOf(terms, state.lines, gap);
  if (startLots === 0) return drawLines(terms, started, 0);
  const side: Side = startLots > 0 ? "buy" : "sell";
  return { state: started, intents: [{ kind: "market", side, lots: Math.abs(startLots) }] };
}

function startOf(terms: GridTerms, lines: GridLines, gap: number): number {
  const { kind, lots, baseLots = 0 } = terms;
  if (kind === "infinity") return infinityLots(terms, lines, gap) - baseLots;
  return startLotsOf(kind, lines.length - 1, gap, lots, baseLots);
}

/** Places every cell's first order; a start without fills ends the grid instead of leaving lines without cover. */
function drawLines(terms: GridTerms, state: GridState, filledLots: number): GridStep {
  const gap = countBuys(state.cells);
  const startLots = startOf(terms, state.lines, gap);
  if (filledLots < Math.abs(startLots)) return stop(terms, state, "START_UNFILLED", false);
  const running: GridState = { ...state, status: "RUNNING" };
  return { state: running, intents: ordersOf(terms, running, 0, state.cells.length) };
}

function countBuys(cells: GridCells): number {
  let count = 0;
  while (count < cells.length && cells.at(count)?.side === "buy") count++;
  return count;
}

function ordersOf(terms: GridTerms, state: GridState, from: number, to: number): GridIntent[] {
  return Array.from({ length: to - from }, (_, i) => orderOf(terms, state, from + i));
}

/** The intended order of a cell. */
export function orderOf(
  terms: GridTerms,
  { cells, lines }: GridState,
  cell: number,
): Extract<GridIntent, { readonly kind: "place" }> {
  const wanted = cells.at(cell) as GridCell;
  const highTicks = lines.at(cell + 1) as number;
  const ticks = orderTicks(wanted, lines.at(cell) as number, highTicks);
  return { kind: "place", cell, side: wanted.side, ticks, lots: lotsAt(terms, highTicks) - wanted.filledLots };
}

/** The price of a cell's order between two lines. */
export function orderTicks({ side }: GridCell, lowTicks: number, highTicks: number): number {
  return side === "buy" ? lowTicks : highTicks;
}

export interface FilledCell {
  readonly cell: GridCell;
  /** The order is filled whole: its counter order is due. */
  readonly isWhole: boolean;
  readonly isPair: boolean;
  /** Of the pair that this closed, else 0. */
  readonly profitUnits: number;
}

/** Parts of an order add up; the counter order comes when it is whole, and a pair counts with its later order. */
export function fillCell(
  cell: GridCell,
  orderLots: number,
  { lots, valueUnits, feeUnits }: Pick<Extract<GridEvent, { kind: "fill" }>, "lots" | "valueUnits" | "feeUnits">,
): FilledCell {
  const isBuy = cell.side === "buy";
  const flowUnits = cell.flowUnits + (isBuy ? 0 - valueUnits : valueUnits) - feeUnits;
  const filledLots = cell.filledLots + lots;
  if (filledLots < orderLots) {
    const part = { side: cell.side, filledLots, flowUnits, isHalf: cell.isHalf };
    return { cell: part, isWhole: false, isPair: false, profitUnits: 0 };
  }
  const isPair = cell.isHalf;
  const turned: GridCell = {
    side: isBuy ? "sell" : "buy",
    filledLots: 0,
    flowUnits: isPair ? 0 : flowUnits,
    isHalf: !isPair,
  };
  return { cell: turned, isWhole: true, isPair, profitUnits: isPair ? flowUnits : 0 };
}

function takeFill(terms: GridTerms, state: GridState, event: Extract<GridEvent, { kind: "fill" }>): GridStep {
  const before = state.cells.at(event.cell);
  if (before === undefined || state.status === "CLOSED") return stay(state);
  const { cell, isWhole, isPair, profitUnits } = fillCell(
    before,
    lotsAt(terms, state.lines.at(event.cell + 1) as number),
    event,
  );
  const after: GridState = {
    ...state,
    cells: state.cells.with(event.cell, cell),
    pairs: state.pairs + (isPair ? 1 : 0),
    profitUnits: state.profitUnits + profitUnits,
    feesUnits: state.feesUnits + event.feeUnits,
  };
  const continues = isWhole && state.status !== "STOPPING";
  return { state: after, intents: continues ? [orderOf(terms, after, event.cell)] : [] };
}

function takeTrail(terms: GridTerms, state: GridState, event: Extract<GridEvent, { kind: "trailed" }>): GridStep {
  const { isUp, lines: added, isFilled } = event;
  const count = state.cells.length;
  const moved = added.length;
  if (!isFilled) {
    const over: GridState = { ...state, isTrailOver: true };
    return {
      state: over,
      intents: isUp ? ordersOf(terms, over, 0, moved) : ordersOf(terms, over, count - moved, count),
    };
  }
  const oldLines = Array.from({ length: state.lines.length }, (_, i) => state.lines.at(i) as number);
  const oldCells = Array.from({ length: count }, (_, i) => state.cells.at(i) as GridCell);
  const fresh = freshCells(terms, state, event);
  const lines = isUp ? [...oldLines.slice(moved), ...added] : [...added.toReversed(), ...oldLines.slice(0, -moved)];
  const cells = isUp ? [...oldCells.slice(moved), ...fresh] : [...fresh, ...oldCells.slice(0, count - moved)];
  const at = terms.kind === "infinity" ? { latticeIndex: (state.latticeIndex ?? 0) + (isUp ? moved : 0 - moved) } : {};
  const isInside = event.ticks >= (lines[0] as number) && event.ticks <= (lines.at(-1) as number);
  const after: GridState = { ...state, ...at, lines, cells, status: isInside ? "RUNNING" : "OUT_OF_RANGE" };
  return {
    state: after,
    intents: isUp ? ordersOf(terms, after, count - moved, count) : ordersOf(terms, after, 0, moved),
  };
}

function stop({ kind }: GridTerms, state: GridState, reason: GridReason, sells: boolean): GridStep {
  if (state.status === "STOPPING" || state.status === "CLOSED") return stay(state);
  const stopped: GridState = { ...state, status: "STOPPING", reason };
  // A position is always closed: it cannot remain in a book that ends.
  const intents: GridIntent[] = [{ kind: "cancelAll" }];
  if (sells || !isSpotGrid(kind)) intents.push({ kind: "closeHeld" });
  return { state: stopped, intents };
}

/** A grid that started beyond its range, over which the price jumped, must be evaluated at that price once more. */
export function isUnseen(state: GridState, ticks: number): boolean {
  return state.status === "RUNNING" && (ticks < bottomOf(state) || ticks > topOf(state));
}

/** The nearest prices above and below one at which the grid must be evaluated; Infinity and 0 when there are none. */
export function nextChecks(
  terms: GridTerms,
  state: GridState,
  ticks: number,
): { readonly above: number; readonly below: number } {
  const looks: (number | undefined)[] = [];
  if (state.status === "WAIT_TRIGGER") looks.push(terms.triggerTicks);
  else if (state.status === "RUNNING" || state.status === "OUT_OF_RANGE") {
    const [bottom, top] = [bottomOf(state), topOf(state)];
    looks.push(bottom - 1, bottom, top, top + 1, terms.stopAboveTicks, terms.stopBelowTicks);
    looks.push(trailAt(terms, state, true), trailAt(terms, state, false), ...exitLooks(terms, state));
  }
  let above = Number.POSITIVE_INFINITY;
  let below = 0;
  for (const look of looks) {
    if (look === undefined) continue;
    if (look > ticks && look < above) above = look;
    if (look < ticks && look > below) below = look;
  }
  return { above, below };
}
