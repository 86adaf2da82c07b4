// Owns the fills of a perpetual taker: each trade, whose positions it reaches, and what the liquidation account has
// traded. Never matches and never checks margin.

import {
  S_DONE,
  S_KIND,
  S_MAKER,
  S_PRICE,
  SF_LOTS,
  STEP_DEPTH,
  STEP_DOUBLE_SHIFT,
  STEP_SHIFT,
  STEP_TRADE,
} from "../../book/book.ts";
import { FLAG_IN_QUOTE, FLAG_SELL, O_ACCOUNT_MARKET, O_FLAGS, ORDER_SHIFT } from "../../book/orders.ts";
import { ACCOUNT_BOT } from "../../ledger/ledger.ts";
import {
  ACCOUNT_MARKET_SHIFT,
  AM_ACCOUNT,
  AM_FLAGS,
  AM_MAKER_RATE,
  AM_TAKER_RATE,
} from "../../market/account-markets.ts";
import { getWord, setDouble } from "../../memory/record.ts";
import { afterFill, beforeFill, finishTrade, writeTrade } from "../../order/fill/fills.ts";
import { G_NOW } from "../../state/core.ts";
import { canWrite, takeWord, type Views, writeDepth } from "../../state/views.ts";
import { RATE_MAKER, RATE_NONE, RATE_TAKER } from "../margin/fill.ts";
import { fillSide, isOrdinarySide, PR_FORCED, PR_FORCED_VALUE } from "../margin/settle.ts";
import { atContract, CT_MIRRORED, CTF_LAST_TRADE } from "../state/records.ts";

const _LINEAR = 1;

/**
 * Settles a taker's trades and depth from step `first` on; returns the step it stopped at. `open` holds the lots the
 * taker still has.
 */
export function fillPerpSteps(
  v: Views,
  market: number,
  slot: number,
  accountMarket: number,
  flags: number,
  first: number,
  open: Float64Array,
): number {
  const { perps, contractWords: contracts, contractDoubles } = v;
  const { core, owner: books, events, orderWords: orders, accountMarkets, accountMarketMask, orderMask } = v;
  const takerAt = (slot << ORDER_SHIFT) & orderMask;
  const takerMarketAt = (accountMarket << ACCOUNT_MARKET_SHIFT) & accountMarketMask;
  const takerSells = flags & FLAG_SELL;
  const taker = accountMarkets[takerMarketAt + AM_ACCOUNT] as number;
  // What the house sends pays the liquidation fee instead, by value.
  const forced = perps.registers[PR_FORCED] !== 0;
  const takerRate = forced ? RATE_NONE : RATE_TAKER;
  const { steps, stepDoubles, stepCount } = books;
  const { growths, i32 } = v;
  for (let step = first; step < stepCount; step++) {
    if (!canWrite(v)) return step;
    const kind = steps[(step << STEP_SHIFT) + S_KIND] as number;
    const price = steps[(step << STEP_SHIFT) + S_PRICE] as number;
    const lots = stepDoubles[(step << STEP_DOUBLE_SHIFT) + SF_LOTS] as number;
    if (kind === STEP_DEPTH) {
      writeDepth(v, market, takerSells ^ FLAG_SELL, price, lots);
      continue;
    }
    if (kind !== STEP_TRADE) return step;
    const maker = steps[(step << STEP_SHIFT) + S_MAKER] as number;
    const done = steps[(step << STEP_SHIFT) + S_DONE] as number;
    const makerAt = (maker << ORDER_SHIFT) & orderMask;
    const makerFlags = orders[makerAt + O_FLAGS] as number;
    const makerMarket = orders[makerAt + O_ACCOUNT_MARKET] as number;
    const makerMarketAt = (makerMarket << ACCOUNT_MARKET_SHIFT) & accountMarketMask;
    const makerAccount = accountMarkets[makerMarketAt + AM_ACCOUNT] as number;
    const isBots =
      (((accountMarkets[makerMarketAt + AM_FLAGS] as number) | (accountMarkets[takerMarketAt + AM_FLAGS] as number)) &
        ACCOUNT_BOT) !==
      0;
    const before = isBots ? beforeFill(core, slot, accountMarket, maker, makerMarket) : undefined;
    const left = (open[0] as number) - lots;
    open[0] = left;
    const eventFlags = takerSells | (done << 1) | (left === 0 && (flags & FLAG_IN_QUOTE) === 0 ? 4 : 0);
    const trade = writeTrade(v, takeWord(v), market, taker, slot, maker, makerAccount, eventFlags, price, lots);
    const delta = takerSells !== 0 ? lots : 0 - lots;
    if (isOrdinarySide(v, market, makerMarket, lots, price, AM_MAKER_RATE))
      fillSide(v, market, maker, makerMarket, makerFlags, delta, price, RATE_MAKER, trade);
    else fillSide(core.views, market, maker, makerMarket, makerFlags, delta, price, RATE_MAKER, trade);
    const takerFlags = orders[takerAt + O_FLAGS] as number;
    const took =
      !forced && isOrdinarySide(v, market, accountMarket, lots, price, AM_TAKER_RATE)
        ? fillSide(v, market, slot, accountMarket, takerFlags, 0 - delta, price, RATE_TAKER, trade)
        : fillSide(core.views, market, slot, accountMarket, takerFlags, 0 - delta, price, takerRate, trade);
    if (forced) perps.registers[PR_FORCED_VALUE] = (perps.registers[PR_FORCED_VALUE] as number) + took;
    setDouble(contractDoubles, atContract(market), CTF_LAST_TRADE, v.clock[G_NOW] as number);
    if (before !== undefined) afterFill(core, before, takerSells !== 0, price, lots, 0);
    if (getWord(contracts, atContract(market), CT_MIRRORED) !== 0) perps.realTrades.push(market, price, lots);
    if (canWrite(v)) finishTrade(v, market, slot, accountMarket, maker, makerMarket, price, lots, done);
    else finishTrade(core.views, market, slot, accountMarket, maker, makerMarket, price, lots, done);
    if (core.growths !== growths || events.i32 !== i32) return step + 1;
  }
  return stepCount;
}
