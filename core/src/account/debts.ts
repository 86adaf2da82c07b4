// Owns what a debt closes: who owes, and what is still open to him. Changes nothing.
import { FLAG_MARKET, FLAG_REDUCE_ONLY, FLAG_SELL } from "../book/orders.ts";
import { A_FLAGS, A_OWNER, ACCOUNT_INDEBTED } from "../ledger/ledger.ts";
import { AM_ACCOUNT } from "../market/account-markets.ts";
import { M_BASE, M_QUOTE } from "../market/markets.ts";
import { BUSINESSES } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { fairBound } from "../value/bound.ts";
import { isOutgoingBlocked } from "./moving.ts";

export const REORG = BUSINESSES.indexOf("reorg");
/** How far from the fair price an order that repays may be. */
const REPAY_FAIR_BPS = 500;
const ADJUSTMENT = BUSINESSES.indexOf("adjustment");

export function isIndebted(core: Core, account: number): boolean {
  return (core.ledger.accountWord(account, A_FLAGS) & ACCOUNT_INDEBTED) !== 0;
}

/** Whether the account's owner owes that asset. */
export function owes(core: Core, account: number, asset: number): boolean {
  return isIndebted(core, account) && core.debts.find(core.ledger.accountWord(account, A_OWNER), asset) !== 0;
}

/** Whether an order of somebody who owes is open to him: it brings a coin he owes, or reduces a position. */
export function repays(core: Core, accountMarket: number, market: number, flags: number): boolean {
  if (core.perps.isPerp(market)) return (flags & FLAG_REDUCE_ONLY) !== 0;
  const received = core.markets.word(market, (flags & FLAG_SELL) !== 0 ? M_QUOTE : M_BASE);
  return owes(core, core.accountMarkets.word(accountMarket, AM_ACCOUNT), received);
}

/**
 * An order that repays is near the fair price: else what is owed would leave by a sale for next to nothing. Of one at the market
 * the limit is brought there. Returns the limit, or a code below zero.
 */
export function checkRepaying(core: Core, market: number, flags: number, limit: number): number {
  if (core.perps.isPerp(market)) return limit;
  const sells = (flags & FLAG_SELL) !== 0;
  const bound = fairBound(core, market, sells, REPAY_FAIR_BPS);
  if (sells ? limit >= bound : limit <= bound) return limit;
  if ((flags & FLAG_MARKET) === 0) return 0 - core.refuse(sells ? REJECT.PRICE_TOO_LOW : REJECT.PRICE_TOO_HIGH, bound);
  return bound;
}

/** 0 when units may leave an account for another one or, as 0, the outside: a debtor's stay, but for what repays or corrects. */
export function checkIndebted(core: Core, account: number, to: number, business: number): number {
  if (!isIndebted(core, account) || business === REORG || business === ADJUSTMENT) return 0;
  const { ledger } = core;
  const isOwn = to !== 0 && ledger.accountWord(to, A_OWNER) === ledger.accountWord(account, A_OWNER);
  return isOwn ? 0 : REJECT.IN_DEBT;
}

/** Why nothing may be committed from an account, to a copy, a bot or a hold; 0 when it may. */
export function whyNotCommitted(core: Core, account: number): number {
  if (isOutgoingBlocked(core, account)) return REJECT.ACCOUNT_BLOCKED;
  return isIndebted(core, account) ? REJECT.IN_DEBT : 0;
}
