// Owns the end of a perpetual market: every position is settled at the last mark, without fees. Never cancels orders.

import { X_LEFT } from "@clockwork/kit/exact-cost";
import { M_MARK } from "../market/markets.ts";
import { BUSINESSES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";
import { profitOf } from "./margin/equity.ts";
import { finishFill, leaveRemainder, reducePosition, sweepRemainder } from "./margin/fill.ts";
import { trimTouched } from "./order/trim.ts";
import { CTF_ROUNDED, PO_SYMBOL_MARGIN } from "./state/records.ts";
import { gainSign, worthCeil, worthExcess } from "./state/values.ts";

const REALIZED = BUSINESSES.indexOf("realized");

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
  let whole = 0;
  for (const position of open) {
    const held = perps.lots(position);
    const lots = Math.abs(held);
    const value = worthCeil(perps, market, lots, mark);
    const excess = worthExcess(perps, market, lots, mark);
    const sign = gainSign(perps, market, held);
    // What the values of both sides differ by in the last part of a unit is left over.
    whole -= sign * value;
    perps.exact[X_LEFT] = sign * excess;
    leaveRemainder(core, market);
    const profit = reducePosition(core.views, position, lots, value, excess, 0, REALIZED, perps.positionId(position));
    finishFill(core.views, position, perps.position(position, PO_SYMBOL_MARGIN), profit);
  }
  perps.setContractDouble(market, CTF_ROUNDED, perps.contractDouble(market, CTF_ROUNDED) + whole);
  sweepRemainder(core, market);
  trimTouched(core);
}
