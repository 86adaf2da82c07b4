// Owns what an order on a perpetual market must pass beyond the checks all orders share: quantity cut to the position
// when it may only reduce, tier, margin, and never closing beyond bankruptcy. Changes nothing but the order at hand.
import { mulDivCeil, mulDivFloor } from "@clockwork/kit/money";
import { R_LOTS } from "../../book/book.ts";
import { PRICE_TICKS_MAX } from "../../book/ladder.ts";
import {
  FLAG_IN_QUOTE,
  FLAG_MARKET,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  TIF_GTC,
  TIF_GTD,
  TIF_SHIFT,
} from "../../book/orders.ts";
import { SE_TAKER_RATE, SEAT_SHIFT } from "../../market/account-markets.ts";
import { REJECT } from "../../protocol/rejection.ts";
import { feeCeil } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";
import { bonusLeverageMax } from "../margin/bonus.ts";
import { crossEquity, freeMargin, markOf, profitOf } from "../margin/equity.ts";
import { askedOf, marginAsked, openLoss, standOf } from "../margin/exposure.ts";
import {
  CONTRACT_SHIFT,
  CT_DEGRADED,
  CT_TIERS,
  CTF_FACTOR,
  PO_STAND,
  POF_COST,
  POF_LOTS,
  POF_MARGIN,
  POSITION_DOUBLE_SHIFT,
  PU_REDUCING,
  PUF_BONUS,
  PURSE_DOUBLE_SHIFT,
  PURSE_SHIFT,
  ST_FLAGS,
  ST_LEVERAGE_LONG,
  ST_LEVERAGE_SHORT,
  ST_LONG,
  ST_PURSE,
  ST_SEAT,
  ST_SHORT,
  STAND_DOUBLE_SHIFT,
  STAND_HEDGE,
  STAND_HOUSE,
  STAND_SHIFT,
  STAND_SPLIT,
  STF_BUY_LOTS,
  STF_BUY_VALUE,
  STF_REDUCE_BUY,
  STF_REDUCE_SELL,
  STF_SELL_LOTS,
  STF_SELL_VALUE,
} from "../state/records.ts";
import { isIsolated } from "../state/symbol-margins.ts";
import { capOfLeverage, worthCeil, worthFloor, worthOfLotCeil } from "../state/values.ts";

/** Runs the checks; may cut R_LOTS and move core.limitTicks. `named` is the split position a closing order names. */
export function checkPerpOrder(core: Core, seat: number, market: number, flags: number): number {
  const { perps } = core;
  const words = perps.contractWords;
  if ((flags & FLAG_IN_QUOTE) !== 0) return REJECT.INVALID_COMBINATION;
  if (words[(market << CONTRACT_SHIFT) | CT_TIERS] === 0) return REJECT.MARKET_NOT_TRADING;
  if ((flags & FLAG_MARKET) !== 0 && words[(market << CONTRACT_SHIFT) | CT_DEGRADED] !== 0)
    return REJECT.INDEX_DEGRADED;
  // Without a mark no margin can be measured.
  if (markOf(core, market) === 0) return REJECT.NO_REFERENCE_PRICE;
  const stand = standOf(core, seat);
  const standFlags = perps.standWords[(stand << STAND_SHIFT) | ST_FLAGS] as number;
  if ((flags & FLAG_REDUCE_ONLY) !== 0) return checkReducing(core, stand, market, flags, standFlags);
  if ((standFlags & STAND_HOUSE) !== 0) return 0;
  const purse = perps.standWords[(stand << STAND_SHIFT) | ST_PURSE] as number;
  if (perps.purseWords[(purse << PURSE_SHIFT) | PU_REDUCING] !== 0) return REJECT.REDUCE_ONLY_REJECTED;
  if ((standFlags & STAND_HEDGE) === 0) {
    const closes = closingLots(core, stand, flags);
    const lots = core.books.registers[R_LOTS] as number;
    // An order that only closes asks for no margin, whatever the state of the account.
    if (closes >= lots) return guardBankruptcy(core, perps.stand(stand, ST_LONG), market, flags, lots);
  }
  return checkOpening(core, stand, purse, market, flags, standFlags);
}

/** Lots of the one-way position an order can close, those that others on its side will close already left out. */
function closingLots(core: Core, stand: number, flags: number): number {
  const { perps } = core;
  const long = perps.standWords[(stand << STAND_SHIFT) | ST_LONG] as number;
  const held = perps.positionDoubles[(long << POSITION_DOUBLE_SHIFT) | POF_LOTS] as number;
  const sells = (flags & FLAG_SELL) !== 0;
  if (held === 0 || held > 0 !== sells) return 0;
  const base = stand << STAND_DOUBLE_SHIFT;
  const others = perps.standDoubles[base + (sells ? STF_SELL_LOTS : STF_BUY_LOTS)] as number;
  return Math.abs(held) - others;
}

/** Tier of the leverage, then margin. */
function checkOpening(
  core: Core,
  stand: number,
  purse: number,
  market: number,
  flags: number,
  standFlags: number,
): number {
  const { perps } = core;
  const sells = (flags & FLAG_SELL) !== 0;
  const hedge = (standFlags & STAND_HEDGE) !== 0;
  const lots = core.books.registers[R_LOTS] as number;
  const one = worthOfLotCeil(perps, market, core.limitTicks);
  const value = lots * one;
  if (value > Number.MAX_SAFE_INTEGER / 4) return core.refuse(REJECT.NOTIONAL_TOO_LARGE, Number.MAX_SAFE_INTEGER);
  const base = stand << STAND_DOUBLE_SHIFT;
  const f64 = perps.standDoubles;
  const buyValue = f64[base | STF_BUY_VALUE] as number;
  const buyLots = f64[base | STF_BUY_LOTS] as number;
  const sellValue = f64[base | STF_SELL_VALUE] as number;
  const sellLots = f64[base | STF_SELL_LOTS] as number;
  const at = stand << STAND_SHIFT;
  const leverage = perps.standWords[at + (hedge && sells ? ST_LEVERAGE_SHORT : ST_LEVERAGE_LONG)] as number;
  const position = perps.standWords[at + (hedge && sells ? ST_SHORT : ST_LONG)] as number;
  const from = position << POSITION_DOUBLE_SHIFT;
  const cost = perps.positionDoubles[from | POF_COST] as number;
  const held = perps.positionDoubles[from | POF_LOTS] as number;
  // In split layout every order is a position of its own.
  const before =
    (standFlags & STAND_SPLIT) !== 0
      ? 0
      : (sells ? sellValue : buyValue) + (hedge || held > 0 !== sells ? cost : 0 - cost);
  const cap = capOfLeverage(perps, market, leverage);
  if (before + value > cap) return core.refuse(REJECT.POSITION_LIMIT, Math.max(0, Math.floor((cap - before) / one)));
  if ((perps.purseDoubles[(purse << PURSE_DOUBLE_SHIFT) | PUF_BONUS] as number) > 0) {
    const most = bonusLeverageMax(core, purse);
    if (leverage > most) return core.refuse(REJECT.LEVERAGE_TOO_HIGH, most);
  }
  const asked = sells
    ? marginAsked(core, stand, buyValue, buyLots, sellValue + value, sellLots + lots)
    : marginAsked(core, stand, buyValue + value, buyLots + lots, sellValue, sellLots);
  const free = freeMargin(core, purse);
  let cost0 = asked - askedOf(core, stand);
  const own = sells ? openLoss(core, market, 0, 0, value, lots) : openLoss(core, market, value, lots, 0, 0);
  if (own > 0) {
    // Orders on the good side of the mark must not hide what this one loses at once.
    const now = openLoss(core, market, buyValue, buyLots, sellValue, sellLots);
    const then = sells
      ? openLoss(core, market, buyValue, buyLots, sellValue + value, sellLots + lots)
      : openLoss(core, market, buyValue + value, buyLots + lots, sellValue, sellLots);
    cost0 += Math.max(0, own - (then - now));
  }
  if (cost0 <= 0) return 0;
  return cost0 > free ? core.refuse(REJECT.INSUFFICIENT_MARGIN, Math.max(0, free)) : 0;
}

/** Cuts a reducing order to what there is to reduce. */
function checkReducing(core: Core, stand: number, market: number, flags: number, standFlags: number): number {
  const { perps } = core;
  const sells = (flags & FLAG_SELL) !== 0;
  const split = (standFlags & STAND_SPLIT) !== 0;
  const hedge = (standFlags & STAND_HEDGE) !== 0;
  const position = split ? core.joinPosition : perps.stand(stand, hedge && !sells ? ST_SHORT : ST_LONG);
  if (split && position === 0) return REJECT.UNKNOWN_POSITION;
  const held = perps.lots(position);
  if (held === 0 || held > 0 !== sells) return REJECT.REDUCE_ONLY_REJECTED;
  const timeInForce = (flags >> TIF_SHIFT) & 3;
  const rests = (flags & FLAG_MARKET) === 0 && (timeInForce === TIF_GTC || timeInForce === TIF_GTD);
  let most = Math.abs(held);
  if (rests && !split)
    most -= perps.standDoubles[(stand << STAND_DOUBLE_SHIFT) + (sells ? STF_REDUCE_SELL : STF_REDUCE_BUY)] as number;
  if (most <= 0) return REJECT.REDUCE_ONLY_REJECTED;
  if ((core.books.registers[R_LOTS] as number) > most) core.books.registers[R_LOTS] = most;
  return guardBankruptcy(core, position, market, flags, core.books.registers[R_LOTS] as number);
}

/**
 * A close may not sell so far below the mark (or buy so far above) that the account could not pay for it. A market
 * order's limit is drawn in; a limit order beyond the bound is refused with it.
 */
function guardBankruptcy(core: Core, position: number, market: number, flags: number, lots: number): number {
  const { perps } = core;
  const mark = markOf(core, market);
  const sells = (flags & FLAG_SELL) !== 0;
  const limit = core.limitTicks;
  if (mark === 0 || (sells ? limit >= mark : limit <= mark)) return 0;
  const purse = perps.purseOf(position);
  const equity = isIsolated(perps, position)
    ? perps.positionDouble(position, POF_MARGIN) + profitOf(core, position)
    : crossEquity(core, purse);
  const now = worthCeil(perps, market, lots, mark);
  const stand = perps.position(position, PO_STAND);
  const seat = perps.stand(stand, ST_SEAT);
  const rate = core.seats.words[(seat << SEAT_SHIFT) | SE_TAKER_RATE] as number;
  const budget = equity - feeCeil(worthCeil(perps, market, lots, limit), rate);
  const loss = Math.abs(worthCeil(perps, market, lots, limit) - worthFloor(perps, market, lots, mark));
  if (loss <= budget) return 0;
  const inverse = perps.isInverse(market);
  const factor = perps.contractDouble(market, CTF_FACTOR);
  // The value at which the budget is used up, then the price that gives it, rounded toward the mark.
  const grows = sells === inverse;
  const edge = grows ? now + Math.max(0, budget) : Math.max(1, now - Math.max(0, budget));
  const bound = inverse
    ? sells
      ? mulDivCeil(factor, lots, edge)
      : mulDivFloor(factor, lots, edge)
    : sells
      ? Math.ceil(edge / (lots * factor))
      : Math.floor(edge / (lots * factor));
  const ticks = sells ? Math.min(mark, bound) : Math.min(PRICE_TICKS_MAX, Math.max(mark, bound));
  if ((flags & FLAG_MARKET) === 0) return core.refuse(REJECT.BANKRUPTCY_PRICE, ticks);
  core.limitTicks = ticks;
  return 0;
}
