// Owns the two events nearly every command on a fast path writes, with the views bound as constants; see fast-paths.ts.
// Never makes room: the path has asked for it.
import { TF_SEQUENCE, TOP_DOUBLE_SHIFT } from "../book/book.ts";
import { O_FLAGS, O_GENERATION, ORDER_SHIFT } from "../book/orders.ts";
import { CELL_DOUBLE_SHIFT } from "../ledger/ledger.ts";
import { EVENTS } from "../protocol/event.ts";
import { type Core, G_SEQUENCE } from "../state/core.ts";

const KIND_DEPTH = EVENTS.depth.kind;

export interface FastEvents {
  /** What `level` shows now, under the market's next book sequence. */
  writeDepth(record: number, market: number, sell: number, price: number, level: number): void;
  /** The shape of orderAccepted and orderEnded; their lots and units are the caller's to write. */
  writeOrder(record: number, head: number, account: number, slot: number, price: number, cell: number): void;
}

export function bindFastEvents(core: Core): FastEvents {
  const { books, events, ledger, clock } = core;
  const cells = ledger.cellDoubles;
  const orders = books.orderWords;
  const levelDoubles = books.levelDoubles;
  const topDoubles = books.topDoubles;
  const i32 = events.i32;
  const f64 = events.f64;

  function writeDepth(record: number, market: number, sell: number, price: number, level: number): void {
    const topAt = (market << TOP_DOUBLE_SHIFT) | TF_SEQUENCE;
    const bookSequence = (topDoubles[topAt] as number) + 1;
    topDoubles[topAt] = bookSequence;
    const word = record << 4;
    const double = record << 3;
    i32[word] = KIND_DEPTH | (sell << 16);
    i32[word + 1] = 0;
    f64[double + 1] = clock[G_SEQUENCE] as number;
    i32[word + 4] = market;
    i32[word + 5] = price;
    f64[double + 3] = levelDoubles[(level << 1) | 1] as number;
    f64[double + 4] = bookSequence;
    f64[double + 5] = 0;
    f64[double + 6] = 0;
    f64[double + 7] = 0;
  }

  function writeOrder(record: number, head: number, account: number, slot: number, price: number, cell: number): void {
    const word = record << 4;
    const double = record << 3;
    const order = slot << ORDER_SHIFT;
    i32[word] = head;
    i32[word + 1] = account;
    f64[double + 1] = clock[G_SEQUENCE] as number;
    i32[word + 4] = slot;
    i32[word + 5] = orders[order | O_GENERATION] as number;
    i32[word + 6] = (orders[order | O_FLAGS] as number) >>> 16;
    i32[word + 7] = price;
    f64[double + 6] = cells[cell << CELL_DOUBLE_SHIFT] as number;
    f64[double + 7] = cells[(cell << CELL_DOUBLE_SHIFT) + 1] as number;
  }

  return { writeDepth, writeOrder };
}
