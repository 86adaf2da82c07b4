// Owns the bills of the fast path: legs of profit and fees and the report of a position, with every table's view bound
// as a constant and units in registers. Never makes room for events: the path has asked for it.
import { RATE_ONE } from "@clockwork/kit/money";
import { TF_TRADES, TOP_DOUBLE_SHIFT } from "../../book/book.ts";
import { CELL_DOUBLE_SHIFT } from "../../ledger/ledger.ts";
import { M_SETTLE, MARKET_SHIFT } from "../../market/markets.ts";
import { EVENTS } from "../../protocol/event.ts";
import { BUSINESSES, FEES_ACCOUNT, ROUNDING_ACCOUNT } from "../../protocol/names.ts";
import { type Core, G_SEQUENCE } from "../../state/core.ts";
import { writeExcess } from "../margin/emit.ts";
import {
  CONTRACT_SHIFT,
  CT_FEES_CELL,
  CT_ROUNDING_CELL,
  PO_GENERATION,
  PO_LEVERAGE,
  POF_COST,
  POF_EXCESS,
  POF_LOTS,
  POF_MARGIN,
  POSITION_DOUBLE_SHIFT,
  POSITION_SHIFT,
} from "../state/records.ts";
import { RATE_UNIT, W_ROUNDED } from "./exposure.ts";

const KIND_POSTING = EVENTS.posting.kind;
const KIND_POSITION = EVENTS.positionChanged.kind;
export const HEAD_REALIZED = KIND_POSTING | (BUSINESSES.indexOf("realized") << 8);
export const HEAD_OPEN_FEE = KIND_POSTING | (BUSINESSES.indexOf("openFee") << 8);
export const HEAD_CLOSE_FEE = KIND_POSTING | (BUSINESSES.indexOf("closeFee") << 8);
const HEAD_ROUNDING = KIND_POSTING | (BUSINESSES.indexOf("rounding") << 8);

/** Registers beyond the exposure's: units of a leg and profit of the change at hand. */
export const W_DELTA = 6;
export const W_PROFIT = 7;

export interface Bills {
  /** One leg of W_DELTA units between two accounts; the cell is the first one's and holds the balance after it. */
  post(record: number, head: number, account: number, cell: number, other: number, market: number): void;
  /** A fee on W_DELTA units; the payer has it. Returns the next record. */
  charge(first: number, head: number, account: number, cell: number, rate: number, market: number): number;
  /** positionChanged with W_PROFIT realised. */
  publish(record: number, position: number, account: number, market: number): void;
}

export function bindBills(core: Core, wide: Float64Array): Bills {
  const { books, events, ledger, clock, perps } = core;
  const cells = ledger.cellDoubles;
  const limits = core.markets.words;
  const topDoubles = books.topDoubles;
  const contracts = perps.contractWords;
  const positions = perps.positionWords;
  const positionDoubles = perps.positionDoubles;
  const i32 = events.i32;
  const f64 = events.f64;

  function post(record: number, head: number, account: number, cell: number, other: number, market: number): void {
    const word = record << 4;
    const double = record << 3;
    i32[word] = head;
    i32[word | 1] = account;
    f64[double | 1] = clock[G_SEQUENCE] as number;
    i32[word | 4] = limits[(market << MARKET_SHIFT) | M_SETTLE] as number;
    i32[word | 5] = other;
    f64[double | 3] = wide[W_DELTA] as number;
    f64[double | 4] = topDoubles[(market << TOP_DOUBLE_SHIFT) | TF_TRADES] as number;
    i32[word | 10] = market;
    i32[word | 11] = 0;
    f64[double | 6] = cells[cell << CELL_DOUBLE_SHIFT] as number;
    f64[double | 7] = cells[(cell << CELL_DOUBLE_SHIFT) | 1] as number;
  }

  function charge(first: number, head: number, account: number, cell: number, rate: number, market: number): number {
    let record = first;
    const contractAt = market << CONTRACT_SHIFT;
    // A product by the reciprocal is off by one at most, and the remainder, which is exact below 2^53, tells.
    const product = (wide[W_DELTA] as number) * rate;
    if (product === 0) return record;
    // What Math rounds goes through a register: see exposure.ts.
    wide[W_ROUNDED] = Math.floor(product * RATE_UNIT);
    let floor = wide[W_ROUNDED] as number;
    let rest = product - floor * RATE_ONE;
    if (rest < 0) {
      floor -= 1;
      rest += RATE_ONE;
    } else if (rest >= RATE_ONE) {
      floor += 1;
      rest -= RATE_ONE;
    }
    const fee = rest === 0 ? floor : floor + 1;
    const fees = contracts[contractAt | CT_FEES_CELL] as number;
    const rounding = contracts[contractAt | CT_ROUNDING_CELL] as number;
    cells[cell << CELL_DOUBLE_SHIFT] = (cells[cell << CELL_DOUBLE_SHIFT] as number) - fee;
    cells[fees << CELL_DOUBLE_SHIFT] = (cells[fees << CELL_DOUBLE_SHIFT] as number) + floor;
    cells[rounding << CELL_DOUBLE_SHIFT] = (cells[rounding << CELL_DOUBLE_SHIFT] as number) + (fee - floor);
    wide[W_DELTA] = 0 - fee;
    post(record++, head, account, cell, FEES_ACCOUNT, market);
    if (floor !== 0) {
      wide[W_DELTA] = floor;
      post(record++, head, FEES_ACCOUNT, fees, account, market);
    }
    if (fee !== floor) {
      wide[W_DELTA] = 1;
      post(record++, HEAD_ROUNDING, ROUNDING_ACCOUNT, rounding, account, market);
    }
    return record;
  }

  function publish(record: number, position: number, account: number, market: number): void {
    const word = record << 4;
    const double = record << 3;
    const from = position << POSITION_DOUBLE_SHIFT;
    i32[word] = KIND_POSITION;
    i32[word | 1] = account;
    f64[double | 1] = clock[G_SEQUENCE] as number;
    i32[word | 4] = position;
    i32[word | 5] = positions[(position << POSITION_SHIFT) | PO_GENERATION] as number;
    i32[word | 6] = market;
    i32[word | 7] = positions[(position << POSITION_SHIFT) | PO_LEVERAGE] as number;
    if (positionDoubles[from | POF_EXCESS] !== 0) writeExcess(i32, word, positionDoubles[from | POF_EXCESS] as number);
    f64[double | 4] = positionDoubles[from | POF_LOTS] as number;
    f64[double | 5] = positionDoubles[from | POF_COST] as number;
    f64[double | 6] = positionDoubles[from | POF_MARGIN] as number;
    f64[double | 7] = wide[W_PROFIT] as number;
  }

  return { post, charge, publish };
}
