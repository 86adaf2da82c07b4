// Owns the fees of a spot fill: their rounding, and those of books that pay in quote.
// Fees come from the asset received, except for books that pay in quote. What is paid rounds up; the fee book gets
// the exact part rounded down and the rounding book the rest, so every entry sums to zero.

import { assert } from "@clockwork/kit/assert";
import { RATE_ONE } from "@clockwork/kit/money";
import { atExtra, atOrder, O_EXTRA, XF_HELD } from "../book/orders.ts";
import { atMarket, M_QUOTE_FEES_CELL, M_QUOTE_ROUNDING_CELL } from "../market/markets.ts";
import { getDouble, getWord, setDouble } from "../memory/record.ts";
import { BUSINESSES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";

const FEE = BUSINESSES.indexOf("fee");
const ROUNDING = BUSINESSES.indexOf("rounding");

/** The fee on an amount, rounded down. Rates stay at or below 10 %, so both halves of the split product are exact. */
export function feeFloor(units: number, rate: number): number {
  const product = units * rate;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / RATE_ONE);
  const whole = Math.floor(units / RATE_ONE);
  return whole * rate + Math.floor(((units - whole * RATE_ONE) * rate) / RATE_ONE);
}

export function feeCeil(units: number, rate: number): number {
  const product = units * rate;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.ceil(product / RATE_ONE);
  const whole = Math.floor(units / RATE_ONE);
  return whole * rate + Math.ceil(((units - whole * RATE_ONE) * rate) / RATE_ONE);
}

/** A buyer who pays in quote pays from what his order set aside for fees, and never more than that. */
export function chargeReserved(
  core: Core,
  market: number,
  slot: number,
  payer: number,
  units: number,
  rate: number,
  tradeNumber: number,
): void {
  const extra = getWord(core.books.orderWords, atOrder(slot), O_EXTRA);
  const extras = core.books.orders.extras.f64;
  const reserve = getDouble(extras, atExtra(extra), XF_HELD);
  assert(reserve >= 0, "FEE-30", "an order has paid more fees than it set aside");
  const ceil = Math.min(feeCeil(units, rate), reserve);
  if (ceil === 0) return;
  const floor = Math.min(feeFloor(units, rate), ceil);
  setDouble(extras, atExtra(extra), XF_HELD, reserve - ceil);
  const at = atMarket(market);
  const fees = getWord(core.markets.words, at, M_QUOTE_FEES_CELL);
  const rounding = getWord(core.markets.words, at, M_QUOTE_ROUNDING_CELL);
  core.ledger.moveFrozen(payer, fees, floor);
  if (ceil !== floor) core.ledger.moveFrozen(payer, rounding, ceil - floor);
  core.emitPosting(FEE, payer, fees, -ceil, tradeNumber, market);
  if (floor !== 0) core.emitPosting(FEE, fees, payer, floor, tradeNumber, market);
  if (ceil !== floor) core.emitPosting(ROUNDING, rounding, payer, ceil - floor, tradeNumber, market);
}
