// Owns the views of the tables the hot functions read and write, and the events most commands write. A function that takes
// views as its first parameter is written once: called with the current views it is the general text; bound to them by a
// closure that was made once, the compiler inlines it and sees constants.
import { atTop, TF_SEQUENCE } from "../book/book.ts";
import { atOrder, EVENT_FLAGS, O_FLAGS, O_GENERATION, O_PRICE } from "../book/orders.ts";
import { atCell, C_ACCOUNT, C_ASSET, CF_AVAILABLE, CF_FROZEN } from "../ledger/ledger.ts";
import {
  type Begin,
  type Double,
  getDouble,
  getWord,
  type Id,
  setDouble,
  setWord,
  type Word,
} from "../memory/record.ts";
import { eventPlaces } from "../protocol/event.ts";
import { EVENT_SHIFT, EVENT_WORDS } from "../protocol/event-log.ts";
import type { Core } from "./core.ts";

/** Of all that starts, changes or ends an order: their members are in the same places. */
const ORDER_ENDED = eventPlaces("orderEnded");
const DEPTH = eventPlaces("depth");
const POSTING = eventPlaces("posting");
/** Doubles of a depth; the rest of its record is zero. */
const DEPTH_DOUBLES = 5;
/** Records a step writes at most before it asks for room again: a trade, four legs, two fees of three legs each, one more. */
export const STEP_RECORDS_MAX = 12;
const POSITIVE = 0x7fffffff;
const ACCOUNT: Word<"event"> = 1;
const COMMAND_SEQUENCE: Double<"event"> = 1;
const SEQUENCE: Double<"clock"> = 0;

export type Views = ReturnType<typeof takeViews>;

/** Bound views are only used where there is room for a step. */
const nothing = (): void => {};

/** A literal, because its fields are constants to the compiler then; good until a table grows or the log leaves home. */
export function takeViews(core: Core) {
  const { books, events, ledger, markets, clock, accountMarkets, perps } = core;
  return {
    core,
    events,
    markets,
    clock,
    perps,
    growths: core.growths,
    makeRoom: nothing,
    accountMarkets: accountMarkets.words,
    openOrders: accountMarkets.openOrders.i32,
    limits: markets.words,
    sizes: markets.doubles,
    cellDoubles: ledger.cellDoubles,
    moved: ledger.moved,
    cellWords: ledger.cellWords,
    orderTable: books.orders.table,
    owner: books,
    orderWords: books.orderWords,
    orderDoubles: books.orderDoubles,
    levelWords: books.levelWords,
    levelDoubles: books.levelDoubles,
    ladders: books.ladders,
    topWords: books.topWords,
    topDoubles: books.topDoubles,
    registers: books.registers,
    contractWords: perps.contractWords,
    contractDoubles: perps.contractDoubles,
    marginAccountWords: perps.marginAccountWords,
    marginAccountDoubles: perps.marginAccountDoubles,
    symbolMarginWords: perps.symbolMarginWords,
    symbolMarginDoubles: perps.symbolMarginDoubles,
    positionWords: perps.positionWords,
    positionDoubles: perps.positionDoubles,
    i32: events.i32,
    f64: events.f64,
    // Every index is masked by its table, which changes nothing and spares the compiler to look whether it lies inside.
    accountMarketMask: accountMarkets.table.mask,
    marketMask: markets.table.mask,
    cellMask: ledger.cells.mask,
    orderMask: books.orders.table.mask,
    topMask: books.tops.mask,
    contractMask: perps.contracts.mask,
    marginAccountMask: perps.marginAccounts.mask,
    symbolMarginMask: perps.symbolMargins.mask,
    positionMask: perps.positions.mask,
    /** The last word at which a record can start, and a step's records. */
    lastWord: events.i32.length - EVENT_WORDS,
    roomWords: events.i32.length - STEP_RECORDS_MAX * EVENT_WORDS,
  };
}

/** Whether the views are good, and the log has room for a step. */
export function canWrite(v: Views): boolean {
  const { core, events } = v;
  return core.growths === v.growths && events.i32 === v.i32 && events.count + STEP_RECORDS_MAX <= events.limit;
}

/** The first word of the next record, which is taken. Views that are bound were given room for a step's records. */
export function takeWord(v: Views): number {
  v.makeRoom();
  return Math.min((v.events.count++ << EVENT_SHIFT) & POSITIVE, v.lastWord);
}

/** What every event starts with; the caller writes all of its body. */
export function writeHead(v: Views, word: number, head: number, account: number): void {
  v.i32[word] = head;
  setWord(v.i32, word, ACCOUNT, account);
  setDouble(v.f64, word, COMMAND_SEQUENCE, getDouble(v.clock, 0, SEQUENCE));
}

export function writeId<E>(v: Views, word: Begin<E>, member: Id<E>, slot: number, generation: number): void {
  const at: number = member;
  setWord(v.i32, word, at as Word<unknown>, slot);
  setWord(v.i32, word, (at + 1) as Word<unknown>, generation);
}

/** That an order was accepted, changed or has ended, in the place of the next record; `cell` is what its units are in. */
export function writeOrder(
  v: Views,
  kind: number,
  sub: number,
  slot: number,
  account: number,
  cell: number,
  lots: number,
  units: number,
): void {
  const word = takeWord(v);
  const { i32, f64, orderWords, cellDoubles: cells } = v;
  const orderAt = atOrder(slot) & v.orderMask;
  const cellAt = atCell(cell) & v.cellMask;
  const flags = getWord(orderWords, orderAt, O_FLAGS);
  writeHead(v, word, kind | (sub << 8) | ((flags & EVENT_FLAGS) << 16), account);
  writeId(v, word, ORDER_ENDED.orderId, slot, getWord(orderWords, orderAt, O_GENERATION));
  setWord(i32, word, ORDER_ENDED.market, flags >>> 16);
  setWord(i32, word, ORDER_ENDED.price, getWord(orderWords, orderAt, O_PRICE));
  setDouble(f64, word, ORDER_ENDED.lots, lots);
  setDouble(f64, word, ORDER_ENDED.releasedUnits, units);
  setDouble(f64, word, ORDER_ENDED.availableUnits, getDouble(cells, cellAt, CF_AVAILABLE));
  setDouble(f64, word, ORDER_ENDED.frozenUnits, getDouble(cells, cellAt, CF_FROZEN));
}

/** A level's visible lots after a change, under the market's next book sequence. */
export function writeDepth(v: Views, market: number, sell: number, price: number, lots: number): void {
  const word = takeWord(v);
  const { topDoubles, i32, f64 } = v;
  const topAt = atTop(market) & v.topMask;
  const bookSequence = getDouble(topDoubles, topAt, TF_SEQUENCE) + 1;
  setDouble(topDoubles, topAt, TF_SEQUENCE, bookSequence);
  writeHead(v, word, DEPTH.kind | (sell << 16), 0);
  setWord(i32, word, DEPTH.market, market);
  setWord(i32, word, DEPTH.price, price);
  setDouble(f64, word, DEPTH.lots, lots);
  setDouble(f64, word, DEPTH.bookSequence, bookSequence);
  const rest = (word >> 1) + DEPTH_DOUBLES;
  f64[rest] = 0;
  f64[rest + 1] = 0;
  f64[rest + 2] = 0;
}

/** One leg of an entry; the cell already holds the balance after it. */
export function writePosting(
  v: Views,
  business: number,
  cell: number,
  counterparty: number,
  delta: number,
  reference: number,
  market: number,
): void {
  const word = takeWord(v);
  const { i32, f64, cellWords, cellDoubles } = v;
  const at = atCell(cell) & v.cellMask;
  writeHead(v, word, POSTING.kind | (business << 8), getWord(cellWords, at, C_ACCOUNT));
  setWord(i32, word, POSTING.asset, getWord(cellWords, at, C_ASSET));
  setWord(i32, word, POSTING.counterparty, getWord(cellWords, atCell(counterparty) & v.cellMask, C_ACCOUNT));
  setDouble(f64, word, POSTING.deltaUnits, delta);
  setDouble(f64, word, POSTING.reference, reference);
  setDouble(f64, word, POSTING.market >> 1, 0);
  setWord(i32, word, POSTING.market, market);
  setDouble(f64, word, POSTING.availableUnits, getDouble(cellDoubles, at, CF_AVAILABLE));
  setDouble(f64, word, POSTING.frozenUnits, getDouble(cellDoubles, at, CF_FROZEN));
}
