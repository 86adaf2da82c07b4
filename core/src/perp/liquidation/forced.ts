// Owns orders the house sends on a symbol margin's behalf: immediate, reducing, without the checks and fees of a user's
// order. Never used for anything a user asked.
import { R_LOTS } from "../../book/book.ts";
import { FLAG_REDUCE_ONLY, STP_EXPIRE_MAKER, STP_SHIFT, TIF_IOC, TIF_SHIFT } from "../../book/orders.ts";
import { R_EXPIRES, R_NEED, R_RESERVE, R_VISIBLE } from "../../order/entry/checks.ts";
import { placeForced } from "../../order/entry/place.ts";
import type { Core } from "../../state/core.ts";
import { PR_FORCED, PR_FORCED_VALUE } from "../margin/settle.ts";
import { PO_FLAGS, PO_SYMBOL_MARGIN, POSITION_SPLIT, SM_ACCOUNT_MARKET, SM_MARKET } from "../state/records.ts";

/** Reduces a position through the book at once, at the limit or better; returns the value that was traded. */
export function sendForced(core: Core, position: number, sell: number, limit: number, lots: number): number {
  const { perps } = core;
  const symbolMargin = perps.position(position, PO_SYMBOL_MARGIN);
  const registers = core.books.registers;
  registers[R_LOTS] = lots;
  registers[R_NEED] = 0;
  registers[R_RESERVE] = 0;
  registers[R_EXPIRES] = 0;
  registers[R_VISIBLE] = 0;
  const closed = (perps.position(position, PO_FLAGS) & POSITION_SPLIT) !== 0 ? position : 0;
  const flags = sell | FLAG_REDUCE_ONLY | (TIF_IOC << TIF_SHIFT) | (STP_EXPIRE_MAKER << STP_SHIFT);
  perps.registers[PR_FORCED] = 1;
  perps.registers[PR_FORCED_VALUE] = 0;
  placeForced(
    core,
    perps.symbolMargin(symbolMargin, SM_ACCOUNT_MARKET),
    perps.symbolMargin(symbolMargin, SM_MARKET),
    flags,
    limit,
    closed,
  );
  perps.registers[PR_FORCED] = 0;
  return perps.registers[PR_FORCED_VALUE] as number;
}
