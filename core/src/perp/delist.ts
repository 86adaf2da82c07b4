// Owns the end of a perpetual market: every position is settled at the last mark, without fees. Never cancels orders.

import { M_MARK } from "../market/markets.ts";
import { BUSINESSES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";
import { post } from "./margin/cash.ts";
import { profitOf } from "./margin/equity.ts";
import { finishFill, reducePosition } from "./margin/fill.ts";
import { trimTouched } from "./order/trim.ts";
import { CT_CLEARING_CELL, CT_ROUNDING_CELL, PO_SYMBOL_MARGIN } from "./state/records.ts";
import { fillValue } from "./state/values.ts";

const REALIZED = BUSINESSES.indexOf("realized");
const ROUNDING = BUSINESSES.indexOf("rounding");

/**
 * Closes all positions of a market at its mark; losers first, so that what they lack is known before winners are paid.
 */
export function settleMarket(core: Core, market: number): void {
  const { perps } = core;
  const mark = core.markets.word(market, M_MARK);
  if (mark === 0) return;
  const open: number[] = [];
  for (let position = 1; position < perps.positions.count; position++)
    if (perps.lots(position) !== 0 && perps.marketOf(position) === market) open.push(position);
  const profits = new Map(open.map((position) => [position, profitOf(core, position)]));
  // Of equal ones the older first, as they were found.
  open.sort((a, b) => (profits.get(a) as number) - (profits.get(b) as number));
  let left = 0;
  for (const position of open) {
    const held = perps.lots(position);
    const value = fillValue(perps, market, Math.abs(held), mark, held > 0);
    left += held > 0 ? value : 0 - value;
    const profit = reducePosition(core, position, Math.abs(held), value, 0, REALIZED, perps.positionId(position));
    finishFill(core, position, perps.position(position, PO_SYMBOL_MARGIN), profit);
  }
  // Sellers' values round up and buyers' down, so an inverse market leaves some units over.
  if (left > 0)
    post(
      core,
      perps.contract(market, CT_CLEARING_CELL),
      perps.contract(market, CT_ROUNDING_CELL),
      left,
      ROUNDING,
      0,
      market,
    );
  trimTouched(core);
}
