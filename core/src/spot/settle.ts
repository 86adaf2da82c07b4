// Owns spot settlement: what a fill moves between buyer, seller and house, and the fees it costs.
// Fees come from the asset received, except for books that pay in quote. What is paid rounds up; the fee book gets
// the exact part rounded down and the rounding book the rest, so every entry sums to zero.

import { assert } from "@clockwork/kit/assert";
import { RATE_ONE } from "@clockwork/kit/money";
import { atExtra, atOrder, O_EXTRA, XF_HELD } from "../book/orders.ts";
import { ACCOUNT_FEE_IN_QUOTE } from "../ledger/ledger.ts";
import {
  AM_BASE_CELL,
  AM_FLAGS,
  AM_MAKER_RATE,
  AM_QUOTE_CELL,
  AM_TAKER_RATE,
  atAccountMarket,
} from "../market/account-markets.ts";
import {
  atMarket,
  M_BASE_FEES_CELL,
  M_BASE_ROUNDING_CELL,
  M_QUOTE_FEES_CELL,
  M_QUOTE_ROUNDING_CELL,
  MF_STEP_UNITS,
  MF_TICK_LOT_UNITS,
} from "../market/markets.ts";
import { getDouble, getWord, setDouble } from "../memory/record.ts";
import { BUSINESSES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";

const TRADE = BUSINESSES.indexOf("trade");
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

/**
 * Settles `lots` at `price` between two account markets. `holdPrice` is the buyer's own limit, which his money is
 * frozen at (0 when a quote amount is frozen instead): the improvement goes back to available.
 */
export function settleSpot(
  core: Core,
  market: number,
  buyer: number,
  seller: number,
  buyerSlot: number,
  takerSells: boolean,
  price: number,
  holdPrice: number,
  lots: number,
  tradeNumber: number,
): void {
  const f64 = core.markets.doubles;
  const unit = getDouble(f64, atMarket(market), MF_TICK_LOT_UNITS);
  const notional = price * lots * unit;
  const base = lots * getDouble(f64, atMarket(market), MF_STEP_UNITS);
  const accountMarkets = core.accountMarkets.words;
  const buyerQuote = getWord(accountMarkets, atAccountMarket(buyer), AM_QUOTE_CELL);
  const buyerBase = getWord(accountMarkets, atAccountMarket(buyer), AM_BASE_CELL);
  const sellerQuote = getWord(accountMarkets, atAccountMarket(seller), AM_QUOTE_CELL);
  const sellerBase = getWord(accountMarkets, atAccountMarket(seller), AM_BASE_CELL);
  const ledger = core.ledger;
  assert(
    lots > 0 && (holdPrice === 0 || price <= holdPrice),
    "SPOT-30",
    "a buyer pays more than his limit, or for nothing",
  );
  if (holdPrice > price) ledger.unfreeze(buyerQuote, (holdPrice - price) * lots * unit);
  ledger.moveFrozen(buyerQuote, sellerQuote, notional);
  core.emitPosting(TRADE, buyerQuote, sellerQuote, -notional, tradeNumber, market);
  core.emitPosting(TRADE, sellerQuote, buyerQuote, notional, tradeNumber, market);
  ledger.moveFrozen(sellerBase, buyerBase, base);
  core.emitPosting(TRADE, sellerBase, buyerBase, -base, tradeNumber, market);
  core.emitPosting(TRADE, buyerBase, sellerBase, base, tradeNumber, market);
  const markets = core.markets.words;
  const at = atMarket(market);
  const buyerRate = getWord(accountMarkets, atAccountMarket(buyer), takerSells ? AM_MAKER_RATE : AM_TAKER_RATE);
  const sellerRate = getWord(accountMarkets, atAccountMarket(seller), takerSells ? AM_TAKER_RATE : AM_MAKER_RATE);
  if ((getWord(accountMarkets, atAccountMarket(buyer), AM_FLAGS) & ACCOUNT_FEE_IN_QUOTE) !== 0) {
    chargeReserved(core, market, buyerSlot, buyerQuote, notional, buyerRate, tradeNumber);
  } else if (buyerRate !== 0) {
    charge(
      core,
      market,
      buyerBase,
      getWord(markets, at, M_BASE_FEES_CELL),
      getWord(markets, at, M_BASE_ROUNDING_CELL),
      base,
      buyerRate,
      tradeNumber,
    );
  }
  if (sellerRate !== 0) {
    charge(
      core,
      market,
      sellerQuote,
      getWord(markets, at, M_QUOTE_FEES_CELL),
      getWord(markets, at, M_QUOTE_ROUNDING_CELL),
      notional,
      sellerRate,
      tradeNumber,
    );
  }
}

/** The fee rounded up, when its floor is known: one division less on the hot path. */
function feeFrom(floor: number, units: number, rate: number): number {
  const product = units * rate;
  if (product > Number.MAX_SAFE_INTEGER) return feeCeil(units, rate);
  return floor * RATE_ONE === product ? floor : floor + 1;
}

/** Takes a fee from what was just received, so it is always there. */
function charge(
  core: Core,
  market: number,
  payer: number,
  fees: number,
  rounding: number,
  units: number,
  rate: number,
  tradeNumber: number,
): void {
  const floor = feeFloor(units, rate);
  const ceil = feeFrom(floor, units, rate);
  if (floor !== 0) core.ledger.move(payer, fees, floor);
  if (ceil !== floor) core.ledger.move(payer, rounding, ceil - floor);
  core.emitPosting(FEE, payer, fees, -ceil, tradeNumber, market);
  if (floor !== 0) core.emitPosting(FEE, fees, payer, floor, tradeNumber, market);
  if (ceil !== floor) core.emitPosting(ROUNDING, rounding, payer, ceil - floor, tradeNumber, market);
}

/** A buyer who pays in quote pays from what his order set aside for fees, and never more than that. */
function chargeReserved(
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
