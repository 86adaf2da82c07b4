// Owns a bot's records as the rule of kit/grid knows them, and writing back what the rule made of them. The cells a step
// changes are written where they lie; nothing is copied for a fill.

import type { Lattice } from "@clockwork/kit/grid/infinity";
import type { GridKind } from "@clockwork/kit/grid/plan";
import type { GridCell, GridCells, GridLines, GridState, GridTerms } from "@clockwork/kit/grid/rule";
import { atOrder, O_GENERATION } from "../../book/orders.ts";
import { getWord } from "../../memory/record.ts";
import { BOT_KINDS, BOT_REASONS, BOT_SPACINGS, BOT_STATUSES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import {
  BO_BEST,
  BO_BOTTOM,
  BO_CELLS,
  BO_EXIT,
  BO_FIRST,
  BO_KEEPS,
  BO_KIND,
  BO_LATTICE_CELLS,
  BO_LATTICE_HIGH,
  BO_LATTICE_INDEX,
  BO_LATTICE_LOW,
  BO_REASON,
  BO_SPACING,
  BO_STATUS,
  BO_STOP_ABOVE,
  BO_STOP_BELOW,
  BO_TOP,
  BO_TRAIL_DOWN,
  BO_TRAIL_OVER,
  BO_TRAIL_UP,
  BO_TRIGGER,
  BO_TRIGGER_SIDE,
  BOF_BASE_LOTS,
  BOF_ENDS,
  BOF_FEES,
  BOF_LOTS,
  BOF_PAIRS,
  BOF_PROFIT,
  type Bots,
  CE_GENERATION,
  CE_HALF,
  CE_HALF_SECOND,
  CE_LOW,
  CE_MISSING,
  CE_ORDER,
  CE_SELLS,
  CE_SLOT,
  CEF_FILLED,
  CEF_FLOW,
} from "../state/records.ts";

const INFINITY = BOT_KINDS.indexOf("infinity");

class LineView implements GridLines {
  readonly length: number;
  readonly #bots: Bots;
  readonly #first: number;

  constructor(bots: Bots, first: number, cells: number) {
    this.#bots = bots;
    this.#first = first;
    this.length = cells + 1;
  }

  at(index: number): number | undefined {
    return index < 0 || index >= this.length ? undefined : this.#bots.cells.word(this.#first + index, CE_LOW);
  }
}

class CellView implements GridCells {
  readonly length: number;
  readonly #bots: Bots;
  readonly #first: number;

  constructor(bots: Bots, first: number, cells: number) {
    this.#bots = bots;
    this.#first = first;
    this.length = cells;
  }

  at(index: number): GridCell | undefined {
    if (index < 0 || index >= this.length) return undefined;
    return readCell(this.#bots, this.#first + index);
  }

  with(index: number, cell: GridCell): GridCells {
    writeCell(this.#bots, this.#first + index, cell);
    return this;
  }
}

export function readCell({ cells }: Bots, record: number): GridCell {
  const order = cells.word(record, CE_ORDER);
  return {
    side: (order & CE_SELLS) !== 0 ? "sell" : "buy",
    filledLots: cells.double(record, CEF_FILLED),
    flowUnits: cells.double(record, CEF_FLOW),
    isHalf: (order & CE_HALF) !== 0,
  };
}

/** The order of the cell stays what it is. */
export function writeCell({ cells }: Bots, record: number, { side, isHalf, filledLots, flowUnits }: GridCell): void {
  const flags = (side === "sell" ? CE_SELLS : 0) | (isHalf ? CE_HALF : 0);
  cells.setWord(record, CE_ORDER, (cells.word(record, CE_ORDER) & CE_SLOT) | flags);
  cells.setDouble(record, CEF_FILLED, filledLots);
  cells.setDouble(record, CEF_FLOW, flowUnits);
}

function generationOf(core: Core, slot: number): number {
  return getWord(core.books.orderWords, atOrder(slot), O_GENERATION);
}

/** The order a cell has in the book, 0 for none. */
export function orderSlot(core: Core, record: number): number {
  const { cells } = core.bots;
  const slot = cells.word(record, CE_ORDER) & CE_SLOT;
  if (slot === 0) return 0;
  return generationOf(core, slot) === cells.word(record, CE_GENERATION) ? slot : 0;
}

/** The cell wants an order and has got none. */
export function setMissing({ bots: { cells } }: Core, record: number): void {
  cells.setWord(record, CE_ORDER, (cells.word(record, CE_ORDER) & ~CE_SLOT) | CE_MISSING);
}

export function isMissing({ bots: { cells } }: Core, record: number): boolean {
  return (cells.word(record, CE_ORDER) & CE_MISSING) !== 0;
}

export function setOrder(core: Core, record: number, slot: number): void {
  const { cells } = core.bots;
  cells.setWord(record, CE_ORDER, (cells.word(record, CE_ORDER) & ~(CE_SLOT | CE_MISSING)) | slot);
  cells.setWord(record, CE_GENERATION, slot === 0 ? 0 : generationOf(core, slot));
}

/** Undefined unless it is an infinity grid. */
export function latticeOf({ bots: { bots } }: Core, bot: number): Lattice | undefined {
  const cells = bots.word(bot, BO_LATTICE_CELLS);
  if (cells === 0) return undefined;
  return { lowTicks: bots.word(bot, BO_LATTICE_LOW), highTicks: bots.word(bot, BO_LATTICE_HIGH), cells };
}

/** Lots of the order of a cell, by its upper line. */
export function orderLots({ bots: { bots, cells } }: Core, bot: number, record: number): number {
  const lots = bots.double(bot, BOF_LOTS);
  return bots.word(bot, BO_KIND) === INFINITY ? Math.floor(lots / cells.word(record + 1, CE_LOW)) : lots;
}

export function termsOf(core: Core, bot: number): GridTerms {
  const { bots } = core.bots;
  const given = (word: number): number | undefined => bots.word(bot, word) || undefined;
  const terms = {
    kind: BOT_KINDS[bots.word(bot, BO_KIND)] as GridKind,
    spacing: BOT_SPACINGS[bots.word(bot, BO_SPACING)] as (typeof BOT_SPACINGS)[number],
    lots: bots.double(bot, BOF_LOTS),
    baseLots: bots.double(bot, BOF_BASE_LOTS),
    triggerTicks: given(BO_TRIGGER),
    stopAboveTicks: given(BO_STOP_ABOVE),
    stopBelowTicks: given(BO_STOP_BELOW),
    trailUpTicks: given(BO_TRAIL_UP),
    trailDownTicks: given(BO_TRAIL_DOWN),
    exitBps: given(BO_EXIT),
    endsAt: bots.double(bot, BOF_ENDS) || undefined,
    sellsAtEnd: bots.word(bot, BO_KEEPS) === 0,
    lattice: latticeOf(core, bot),
  };
  return terms as GridTerms;
}

export function stateOf(core: Core, bot: number): GridState {
  const { bots } = core.bots;
  const first = bots.word(bot, BO_FIRST);
  const count = bots.word(bot, BO_CELLS);
  const reason = BOT_REASONS[bots.word(bot, BO_REASON) - 1];
  const side = bots.word(bot, BO_TRIGGER_SIDE);
  const bestTicks = bots.word(bot, BO_BEST);
  return {
    status: BOT_STATUSES[bots.word(bot, BO_STATUS)] as GridState["status"],
    ...(reason === undefined ? {} : { reason }),
    ...(side === 0 ? {} : { isBelowTrigger: side === 1 }),
    ...(bestTicks === 0 ? {} : { bestTicks }),
    lines: new LineView(core.bots, first, count),
    cells: new CellView(core.bots, first, count),
    latticeIndex: bots.word(bot, BO_LATTICE_INDEX),
    isTrailOver: bots.word(bot, BO_TRAIL_OVER) !== 0,
    pairs: bots.double(bot, BOF_PAIRS),
    profitUnits: bots.double(bot, BOF_PROFIT),
    feesUnits: bots.double(bot, BOF_FEES),
  };
}

export function writeState(core: Core, bot: number, state: GridState): void {
  const { bots } = core.bots;
  bots.setWord(bot, BO_STATUS, BOT_STATUSES.indexOf(state.status));
  if (state.reason !== undefined) bots.setWord(bot, BO_REASON, BOT_REASONS.indexOf(state.reason) + 1);
  if (state.isBelowTrigger !== undefined) bots.setWord(bot, BO_TRIGGER_SIDE, state.isBelowTrigger ? 1 : 2);
  bots.setWord(bot, BO_BEST, state.bestTicks ?? 0);
  bots.setWord(bot, BO_LATTICE_INDEX, state.latticeIndex ?? 0);
  bots.setWord(bot, BO_TRAIL_OVER, state.isTrailOver === true ? 1 : 0);
  bots.setDouble(bot, BOF_PAIRS, state.pairs);
  bots.setDouble(bot, BOF_PROFIT, state.profitUnits);
  bots.setDouble(bot, BOF_FEES, state.feesUnits);
}

/** The range has moved by so many cells, up when positive: orders stay with their cells, new ones have none. */
export function writeMoved(core: Core, bot: number, { lines, cells }: GridState, moved: number): void {
  const { bots } = core.bots;
  const { table } = core.bots.cells;
  const first = bots.word(bot, BO_FIRST);
  const count = bots.word(bot, BO_CELLS);
  const { stride, i32 } = table;
  const kept = count - Math.abs(moved);
  const from = moved > 0 ? first + moved : first;
  const to = moved > 0 ? first : first - moved;
  i32.copyWithin(to * stride, from * stride, (from + kept) * stride);
  const fresh = moved > 0 ? first + kept : first;
  i32.fill(0, fresh * stride, (fresh + Math.abs(moved)) * stride);
  bots.setWord(bot, BO_BOTTOM, lines.at(0) as number);
  bots.setWord(bot, BO_TOP, lines.at(count) as number);
  for (let i = 0; i < lines.length; i++) core.bots.cells.setWord(first + i, CE_LOW, lines.at(i) as number);
  for (let i = 0; i < count; i++) writeCell(core.bots, first + i, cells.at(i) as GridCell);
}

/** The cell whose lower line is a price, or whose upper one; −1 when there is none such. */
export function cellAtLine(core: Core, bot: number, ticks: number, isUpper: boolean): number {
  const { bots, cells } = core.bots;
  const count = bots.word(bot, BO_CELLS);
  const guess = guessLine(bots, bot, count, ticks);
  if (guess < 0) return -1;
  const first = bots.word(bot, BO_FIRST);
  const line = cells.word(first + guess, CE_LOW) === ticks ? guess : searchLine(cells, first, count, ticks);
  const cell = isUpper ? line - 1 : line;
  return line < 0 || cell < 0 || cell >= count ? -1 : cell;
}

/** Where a line is when all are equally far, so that one look at the cells does: each may miss the cache. −1 outside. */
function guessLine(bots: Bots["bots"], bot: number, count: number, ticks: number): number {
  const bottom = bots.word(bot, BO_BOTTOM);
  const top = bots.word(bot, BO_TOP);
  if (ticks < bottom || ticks > top || count === 0) return -1;
  return Math.round(((ticks - bottom) / (top - bottom)) * count);
}

function searchLine(cells: Bots["cells"], first: number, count: number, ticks: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cells.word(first + middle, CE_LOW) < ticks) low = middle + 1;
    else high = middle;
  }
  return cells.word(first + low, CE_LOW) === ticks ? low : -1;
}

export function noteHalf(core: Core, record: number): void {
  core.bots.cells.setWord(record, CE_HALF_SECOND, Math.floor(core.now / 1_000));
}
