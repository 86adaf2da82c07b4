// Owns what a follower holds: what it has gained so far, what all of it is worth, and closing it at the market.
import { R_LOTS } from "../book/book.ts";
import { FLAG_SELL, TIF_IOC, TIF_SHIFT } from "../book/orders.ts";
import { M_SELL_MIN, MF_STEP_UNITS } from "../market/markets.ts";
import { cancelAll } from "../order/end/cancel-all.ts";
import { R_EXPIRES, R_VISIBLE } from "../order/entry/checks.ts";
import { submitOrder } from "../order/entry/place.ts";
import { closeAll } from "../perp/account/closing.ts";
import { profitOf } from "../perp/margin/equity.ts";
import { equityOf } from "../perp/margin/lead.ts";
import { trimTouched } from "../perp/order/trim.ts";
import { MA_POSITIONS, PO_NEXT } from "../perp/state/records.ts";
import { commandPlaces } from "../protocol/command.ts";
import type { Core } from "../state/core.ts";
import { fairBound } from "../value/bound.ts";
import { WHOLE_FAIR_BPS } from "./fair.ts";
import { ask } from "./input.ts";
import { cashOf } from "./share/hold.ts";
import { holdingsOf, worthOfUnits } from "./share/lots.ts";
import {
  COPY_FUTURES,
  FO_ACCOUNT,
  FO_CELL,
  FO_KIND,
  FOF_HELD,
  HO_ASSET,
  HO_MARKET,
  HOF_COST,
  HOF_UNITS,
} from "./state/records.ts";

const CANCEL_ALL = commandPlaces("cancelAll");
const CLOSE_ALL = commandPlaces("closeAll");

const EVERY_MARKET = -1;

function marginAccountOf(core: Core, follow: number): number {
  const { follows } = core.copies;
  const asset = core.ledger.cellAsset(follows.word(follow, FO_CELL));
  return core.perps.marginAccountIndex.find(follows.word(follow, FO_ACCOUNT), asset);
}

/** What a spot holding is worth. */
function worthOf(core: Core, follow: number, holding: number): number {
  const { holdings } = core.copies;
  return worthOfUnits(core, follow, holdings.word(holding, HO_ASSET), holdings.double(holding, HOF_UNITS));
}

/** Profit of what is open, at the marks. */
export function unrealizedOf(core: Core, follow: number): number {
  const { follows, holdings } = core.copies;
  let profit = 0;
  if (follows.word(follow, FO_KIND) === COPY_FUTURES) {
    const { perps } = core;
    const marginAccount = marginAccountOf(core, follow);
    for (let at = perps.marginAccount(marginAccount, MA_POSITIONS); at !== 0; at = perps.position(at, PO_NEXT))
      profit += profitOf(core, at);
    return profit;
  }
  for (const holding of holdingsOf(core, follow))
    if (holdings.double(holding, HOF_UNITS) > 0)
      profit += worthOf(core, follow, holding) - holdings.double(holding, HOF_COST);
  return profit;
}

/** All that is the follower's own: without what is set aside for the leader. */
export function followerEquity(core: Core, follow: number): number {
  const { follows } = core.copies;
  const held = follows.double(follow, FOF_HELD);
  if (follows.word(follow, FO_KIND) === COPY_FUTURES) return equityOf(core, marginAccountOf(core, follow)) - held;
  let equity = cashOf(core, follow) - held;
  for (const holding of holdingsOf(core, follow)) equity += worthOf(core, follow, holding);
  return equity;
}

/** Withdraws every order and closes at the market, coins within reach of the fair price; what cannot be closed is told and stays. */
export function closeHeld(core: Core, follow: number): void {
  const { follows } = core.copies;
  const account = follows.word(follow, FO_ACCOUNT);
  ask(
    core,
    account,
    cancelAll,
    new Map([
      [CANCEL_ALL.market, EVERY_MARKET],
      [CANCEL_ALL.conditionals >> 2, 1],
    ]),
  );
  if (follows.word(follow, FO_KIND) === COPY_FUTURES) {
    ask(core, account, closeAll, new Map([[CLOSE_ALL.market, EVERY_MARKET]]));
    if (core.perps.touched.length !== 0) trimTouched(core);
    return;
  }
  for (const holding of holdingsOf(core, follow)) sellHolding(core, account, holding);
}

function sellHolding(core: Core, account: number, holding: number): void {
  const { holdings } = core.copies;
  const market = holdings.word(holding, HO_MARKET);
  const cell = core.ledger.cellOf(account, holdings.word(holding, HO_ASSET));
  const units = Math.min(holdings.double(holding, HOF_UNITS), core.ledger.available(cell));
  const lots = Math.floor(units / core.markets.double(market, MF_STEP_UNITS));
  if (lots === 0) return;
  const { registers } = core.books;
  registers[R_LOTS] = lots;
  registers[R_EXPIRES] = 0;
  registers[R_VISIBLE] = 0;
  core.checkLimit[0] = 0;
  core.markets.refreshBand(market, core.now);
  const limit = Math.max(fairBound(core, market, true, WHOLE_FAIR_BPS), core.markets.word(market, M_SELL_MIN));
  const flags = FLAG_SELL | (TIF_IOC << TIF_SHIFT);
  const code = submitOrder(core, core.accountMarketOf(account, market), market, flags, limit, 0);
  if (code !== 0) core.emitRejected(code, account, market, 0, core.checkLimit[0] as number);
  core.checkLimit[0] = 0;
}
