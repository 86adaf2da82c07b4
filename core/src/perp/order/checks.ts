// Owns what an order on a perpetual market must pass beyond the checks all orders share: quantity cut to the position
// when it may only reduce, tier, margin, and never closing beyond bankruptcy. Changes nothing but the order at hand.

import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { mulDivCeil, mulDivFloor } from "@clockwork/kit/money";
import { R_LOTS } from "../../book/book.ts";
import {
  FLAG_IN_QUOTE,
  FLAG_MARKET,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  TIF_GTC,
  TIF_GTD,
  TIF_SHIFT,
} from "../../book/orders.ts";
import { atCell, CF_AVAILABLE } from "../../ledger/ledger.ts";
import { AM_QUOTE_CELL, AM_SYMBOL_MARGIN, AM_TAKER_RATE, atAccountMarket } from "../../market/account-markets.ts";
import { atMarket, M_MARK } from "../../market/markets.ts";
import { getDouble, getWord } from "../../memory/record.ts";
import { REJECT } from "../../protocol/rejection.ts";
import { feeCeil } from "../../spot/settle.ts";
import type { Core } from "../../state/core.ts";
import type { Views } from "../../state/views.ts";
import { bonusLeverageMax } from "../margin/bonus.ts";
import { crossEquity, freeMargin, markOf, profitOf } from "../margin/equity.ts";
import { marginRequired, openLoss, requestedOf, symbolMarginOf } from "../margin/exposure.ts";
import {
  atContract,
  atMarginAccount,
  atPosition,
  atSymbolMargin,
  CT_DEGRADED,
  CT_KIND,
  CT_LEVERAGES,
  CT_TIERS,
  CTF_CAPS,
  CTF_FACTOR,
  MA_OPEN,
  MA_REDUCING,
  MA_STALE,
  MAF_BONUS,
  MAF_REQUIRED,
  MODE_AUTO_APPEND,
  MODE_HEDGE,
  MODE_SPLIT,
  PO_SYMBOL_MARGIN,
  POF_COST,
  POF_LOTS,
  POF_MARGIN,
  SM_ACCOUNT_MARKET,
  SM_FLAGS,
  SM_LEVERAGE_LONG,
  SM_LEVERAGE_SHORT,
  SM_LONG,
  SM_MARGIN_ACCOUNT,
  SM_SHORT,
  SMF_BUY_LOTS,
  SMF_BUY_VALUE,
  SMF_REDUCE_BUY,
  SMF_REDUCE_SELL,
  SMF_REQUIRED,
  SMF_SELL_LOTS,
  SMF_SELL_VALUE,
} from "../state/records.ts";
import { isIsolated } from "../state/symbol-margins.ts";
import { capOfLeverage, worthCeil, worthFloor, worthOfLotCeil } from "../state/values.ts";
import { lotsReducing } from "./trim.ts";

const LINEAR = 1;
/** One part of a rate, rounded; good for bounds only. */
const RATE_UNIT = 1e-8;
/** Units by which all roundings of the bound together cannot be more. */
const SLACK_UNITS = 16;
/** No order is worth more. */
const VALUE_MAX = Number.MAX_SAFE_INTEGER / 4;

/**
 * Runs the checks; may cut R_LOTS. `named` is the split position a closing order names. Returns the limit to match at,
 * which the bound of bankruptcy may have moved, or a code below zero.
 */
export function checkPerpOrder(
  v: Views,
  accountMarket: number,
  market: number,
  flags: number,
  limit: number,
  named: number,
): number {
  const { core, contractWords: contracts } = v;
  const contractAt = atContract(market) & v.contractMask;
  if ((flags & FLAG_IN_QUOTE) !== 0) return 0 - REJECT.INVALID_COMBINATION;
  if (getWord(contracts, contractAt, CT_TIERS) === 0) return 0 - REJECT.MARKET_NOT_TRADING;
  if ((flags & FLAG_MARKET) !== 0 && getWord(contracts, contractAt, CT_DEGRADED) !== 0)
    return 0 - REJECT.INDEX_DEGRADED;
  // Without a mark no margin can be measured.
  if (getWord(v.limits, atMarket(market) & v.marketMask, M_MARK) === 0) return 0 - REJECT.NO_REFERENCE_PRICE;
  return isCovered(v, accountMarket, market, flags, limit)
    ? limit
    : checkMargin(core, accountMarket, market, flags, limit, named);
}

/**
 * Whether an order passes tier and margin by a bound that needs no quotient and no branch on side or sign: both sides, the
 * position and the order together, every distance from the mark a loss. What is not covered is measured by checkMargin.
 */
function isCovered(v: Views, accountMarket: number, market: number, flags: number, price: number): boolean {
  const {
    contractWords: contracts,
    contractDoubles,
    marginAccountWords: marginAccounts,
    marginAccountDoubles,
    symbolMarginWords: symbolMargins,
    symbolMarginDoubles,
  } = v;
  const accountMarketAt = atAccountMarket(accountMarket) & v.accountMarketMask;
  const symbolMargin = getWord(v.accountMarkets, accountMarketAt, AM_SYMBOL_MARGIN);
  const at = atSymbolMargin(symbolMargin) & v.symbolMarginMask;
  const marginAccountAt = atMarginAccount(getWord(symbolMargins, at, SM_MARGIN_ACCOUNT)) & v.marginAccountMask;
  const contractAt = atContract(market) & v.contractMask;
  const positionAt = atPosition(getWord(symbolMargins, at, SM_LONG)) & v.positionMask;
  const leverage = getWord(symbolMargins, at, SM_LEVERAGE_LONG);
  const rate = getWord(v.accountMarkets, accountMarketAt, AM_TAKER_RATE);
  if (
    (flags & FLAG_REDUCE_ONLY) !== 0 ||
    (getWord(symbolMargins, at, SM_FLAGS) & ~MODE_AUTO_APPEND) !== 0 ||
    getWord(contracts, contractAt, CT_KIND) !== LINEAR ||
    getWord(contracts, contractAt, CT_LEVERAGES) < leverage ||
    getWord(marginAccounts, marginAccountAt, MA_REDUCING) !== 0 ||
    getDouble(marginAccountDoubles, marginAccountAt, MAF_BONUS) !== 0 ||
    rate < 0
  )
    return false;
  const held = getDouble(v.positionDoubles, positionAt, POF_LOTS);
  const open = getWord(marginAccounts, marginAccountAt, MA_OPEN);
  const waiting = getWord(marginAccounts, marginAccountAt, MA_STALE);
  if (open > 1 || (open !== 0 && held === 0) || (waiting !== 0 && waiting !== symbolMargin)) return false;
  const factor = getDouble(contractDoubles, contractAt, CTF_FACTOR);
  const mark = getWord(v.limits, atMarket(market) & v.marketMask, M_MARK);
  const one = mark * factor;
  const lots = getDouble(v.registers, 0, R_LOTS);
  const value = lots * price * factor;
  const cost = getDouble(v.positionDoubles, positionAt, POF_COST);
  const buyValue = getDouble(symbolMarginDoubles, at, SMF_BUY_VALUE);
  const sellValue = getDouble(symbolMarginDoubles, at, SMF_SELL_VALUE);
  const values = buyValue + sellValue + value;
  const most = cost + values;
  if (most > getDouble(contractDoubles, contractAt, CTF_CAPS) || most > VALUE_MAX) return false;
  // The order's own distance counts twice: among its side's orders, and alone.
  const lost =
    Math.abs(Math.abs(held) * one - cost) +
    Math.abs(buyValue - getDouble(symbolMarginDoubles, at, SMF_BUY_LOTS) * one) +
    Math.abs(getDouble(symbolMarginDoubles, at, SMF_SELL_LOTS) * one - sellValue) +
    2 * Math.abs(mark - price) * lots * factor;
  const others =
    getDouble(marginAccountDoubles, marginAccountAt, MAF_REQUIRED) - getDouble(symbolMarginDoubles, at, SMF_REQUIRED);
  const cell = getWord(v.accountMarkets, accountMarketAt, AM_QUOTE_CELL);
  const cash = getDouble(v.cellDoubles, atCell(cell) & v.cellMask, CF_AVAILABLE);
  return (cash - others - lost - values * rate * RATE_UNIT - SLACK_UNITS) * leverage >= most;
}

/** Tier, margin and bankruptcy, exactly. */
function checkMargin(
  core: Core,
  accountMarket: number,
  market: number,
  flags: number,
  limit: number,
  named: number,
): number {
  const { perps } = core;
  const symbolMargin = symbolMarginOf(core, accountMarket);
  const symbolMarginFlags = getWord(perps.symbolMarginWords, atSymbolMargin(symbolMargin), SM_FLAGS);
  if ((flags & FLAG_REDUCE_ONLY) !== 0)
    return checkReducing(core, symbolMargin, market, flags, limit, symbolMarginFlags, named);
  const marginAccount = getWord(perps.symbolMarginWords, atSymbolMargin(symbolMargin), SM_MARGIN_ACCOUNT);
  if (getWord(perps.marginAccountWords, atMarginAccount(marginAccount), MA_REDUCING) !== 0)
    return 0 - REJECT.REDUCE_ONLY_REJECTED;
  if ((symbolMarginFlags & MODE_HEDGE) === 0) {
    const closes = closingLots(core, symbolMargin, flags);
    const lots = core.books.registers[R_LOTS] as number;
    // An order that only closes asks for no margin, whatever the state of the account.
    if (closes >= lots)
      return guardBankruptcy(core, perps.symbolMargin(symbolMargin, SM_LONG), market, flags, limit, lots);
  }
  const code = checkOpening(core, symbolMargin, marginAccount, market, flags, limit, symbolMarginFlags);
  return code !== 0 ? 0 - code : limit;
}

/** Lots of the one-way position an order can close, those that others on its side will close already left out. */
function closingLots(core: Core, symbolMargin: number, flags: number): number {
  const { perps } = core;
  const long = getWord(perps.symbolMarginWords, atSymbolMargin(symbolMargin), SM_LONG);
  const held = getDouble(perps.positionDoubles, atPosition(long), POF_LOTS);
  const sells = (flags & FLAG_SELL) !== 0;
  if (held === 0 || held > 0 !== sells) return 0;
  const base = atSymbolMargin(symbolMargin);
  const others = getDouble(perps.symbolMarginDoubles, base, sells ? SMF_SELL_LOTS : SMF_BUY_LOTS);
  return Math.abs(held) - others;
}

/** Tier of the leverage, then margin. */
function checkOpening(
  core: Core,
  symbolMargin: number,
  marginAccount: number,
  market: number,
  flags: number,
  limit: number,
  symbolMarginFlags: number,
): number {
  const { perps } = core;
  const sells = (flags & FLAG_SELL) !== 0;
  const hedge = (symbolMarginFlags & MODE_HEDGE) !== 0;
  const lots = core.books.registers[R_LOTS] as number;
  const one = worthOfLotCeil(perps, market, limit);
  const value = lots * one;
  if (value > VALUE_MAX) return core.refuse(REJECT.NOTIONAL_TOO_LARGE, Number.MAX_SAFE_INTEGER);
  const base = atSymbolMargin(symbolMargin);
  const f64 = perps.symbolMarginDoubles;
  const buyValue = getDouble(f64, base, SMF_BUY_VALUE);
  const buyLots = getDouble(f64, base, SMF_BUY_LOTS);
  const sellValue = getDouble(f64, base, SMF_SELL_VALUE);
  const sellLots = getDouble(f64, base, SMF_SELL_LOTS);
  const at = atSymbolMargin(symbolMargin);
  const leverage = getWord(perps.symbolMarginWords, at, hedge && sells ? SM_LEVERAGE_SHORT : SM_LEVERAGE_LONG);
  const position = getWord(perps.symbolMarginWords, at, hedge && sells ? SM_SHORT : SM_LONG);
  const from = atPosition(position);
  const cost = getDouble(perps.positionDoubles, from, POF_COST);
  const held = getDouble(perps.positionDoubles, from, POF_LOTS);
  // In split layout every order is a position of its own.
  const before =
    (symbolMarginFlags & MODE_SPLIT) !== 0
      ? 0
      : (sells ? sellValue : buyValue) + (hedge || held > 0 !== sells ? cost : 0 - cost);
  const cap = capOfLeverage(perps, market, leverage);
  if (before + value > cap) return core.refuse(REJECT.POSITION_LIMIT, Math.max(0, Math.floor((cap - before) / one)));
  if (getDouble(perps.marginAccountDoubles, atMarginAccount(marginAccount), MAF_BONUS) > 0) {
    const most = bonusLeverageMax(core, marginAccount);
    if (leverage > most) return core.refuse(REJECT.LEVERAGE_TOO_HIGH, most);
  }
  const requested = sells
    ? marginRequired(core, symbolMargin, buyValue, buyLots, sellValue + value, sellLots + lots)
    : marginRequired(core, symbolMargin, buyValue + value, buyLots + lots, sellValue, sellLots);
  const free = freeMargin(core, marginAccount);
  let cost0 = requested - requestedOf(core, symbolMargin);
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
function checkReducing(
  core: Core,
  symbolMargin: number,
  market: number,
  flags: number,
  limit: number,
  symbolMarginFlags: number,
  named: number,
): number {
  const { perps } = core;
  const sells = (flags & FLAG_SELL) !== 0;
  const split = (symbolMarginFlags & MODE_SPLIT) !== 0;
  const hedge = (symbolMarginFlags & MODE_HEDGE) !== 0;
  const position = split ? named : perps.symbolMargin(symbolMargin, hedge && !sells ? SM_SHORT : SM_LONG);
  if (split && position === 0) return 0 - REJECT.UNKNOWN_POSITION;
  const held = perps.lots(position);
  if (held === 0 || held > 0 !== sells) return 0 - REJECT.REDUCE_ONLY_REJECTED;
  const timeInForce = (flags >> TIF_SHIFT) & 3;
  const rests = (flags & FLAG_MARKET) === 0 && (timeInForce === TIF_GTC || timeInForce === TIF_GTD);
  let most = Math.abs(held);
  if (rests)
    most -= split
      ? lotsReducing(core, symbolMargin, flags & FLAG_SELL, position)
      : perps.symbolMarginDouble(symbolMargin, sells ? SMF_REDUCE_SELL : SMF_REDUCE_BUY);
  if (most <= 0) return 0 - REJECT.REDUCE_ONLY_REJECTED;
  if ((core.books.registers[R_LOTS] as number) > most) core.books.registers[R_LOTS] = most;
  return guardBankruptcy(core, position, market, flags, limit, core.books.registers[R_LOTS] as number);
}

/**
 * A close may not sell so far below the mark (or buy so far above) that the account could not pay for it. A market
 * order's limit is drawn in, and returned; a limit order beyond the bound is refused with it, by a code below zero.
 */
function guardBankruptcy(
  core: Core,
  position: number,
  market: number,
  flags: number,
  limit: number,
  lots: number,
): number {
  const { perps } = core;
  const mark = markOf(core, market);
  const sells = (flags & FLAG_SELL) !== 0;
  if (sells ? limit >= mark : limit <= mark) return limit;
  const marginAccount = perps.marginAccountOf(position);
  const equity = isIsolated(perps, position)
    ? perps.positionDouble(position, POF_MARGIN) + profitOf(core, position)
    : crossEquity(core, marginAccount);
  const now = worthCeil(perps, market, lots, mark);
  const symbolMargin = perps.position(position, PO_SYMBOL_MARGIN);
  const accountMarket = perps.symbolMargin(symbolMargin, SM_ACCOUNT_MARKET);
  const rate = getWord(core.accountMarkets.words, atAccountMarket(accountMarket), AM_TAKER_RATE);
  const budget = equity - feeCeil(worthCeil(perps, market, lots, limit), rate);
  const loss = Math.abs(worthCeil(perps, market, lots, limit) - worthFloor(perps, market, lots, mark));
  if (loss <= budget) return limit;
  const inverse = perps.isInverse(market);
  const factor = perps.contractDouble(market, CTF_FACTOR);
  // The value at which the budget is used up, then the price that gives it, rounded toward the mark. What is lost of a
  // falling value is less than all of it, and more than the budget: something is left.
  const grows = sells === inverse;
  const edge = grows ? now + Math.max(0, budget) : now - Math.max(0, budget);
  const bound = inverse
    ? sells
      ? mulDivCeil(factor, lots, edge)
      : mulDivFloor(factor, lots, edge)
    : sells
      ? Math.ceil(edge / (lots * factor))
      : Math.floor(edge / (lots * factor));
  const ticks = sells ? Math.min(mark, bound) : Math.min(PRICE_TICKS_MAX, Math.max(mark, bound));
  if ((flags & FLAG_MARKET) === 0) return 0 - core.refuse(REJECT.BANKRUPTCY_PRICE, ticks);
  return ticks;
}
