// Refusals of earn and its console, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  PRODUCT_UNKNOWN: [404, "There is no such product."],
  PRODUCT_CLOSED: [409, "This product takes no subscriptions now."],
  KYC_LEVEL_REQUIRED: [403, "Earn needs a verified identity, level 1."],
  INVALID_AMOUNT: [400, "Give an amount above zero with as many decimals as the coin has."],
  BELOW_MINIMUM: [422, "The amount is below the product's minimum."],
  USER_QUOTA: [422, "This is more than one person may put into this product."],
  QUOTA_EXCEEDED: [409, "There is not so much left of this product."],
  POOL_FULL: [409, "Today's pool is full; it opens again at 00:00 UTC."],
  REDEEM_POOL_USED: [409, "Today's pool for redemptions is used up; it opens again at 00:00 UTC."],
  TREASURY_SHORT: [503, "The treasury cannot promise this interest now; nothing was taken."],
  COUPON_UNKNOWN: [404, "You have no such coupon."],
  COUPON_USED: [409, "This coupon was used."],
  COUPON_EXPIRED: [409, "This coupon has expired."],
  COUPON_UNFIT: [422, "This coupon does not fit this product."],
  COUPON_ACTIVE: [409, "A coupon adds to this holding already."],
  CLIENT_ID_REUSED: [409, "This clientId was used for something else."],
  INSUFFICIENT_BALANCE: [422, "There is not enough of this coin in your spot account."],
  ACCOUNT_BLOCKED: [403, "Nothing can be moved out of this account now; contact support."],
  HOLDING_UNKNOWN: [404, "You have no such holding."],
  HOLDING_ENDED: [409, "This holding has ended."],
  NO_EARLY_EXIT: [409, "A shark fin cannot be left before it settles."],
  WHOLE_ONLY: [422, "A fixed term is redeemed whole."],
  HOLDING_SHORT: [422, "The holding has less than this."],
  EARN_BUSY: [503, "The exchange cannot answer now. Repeat with the same clientId: nothing happens twice."],
  LEDGER_REFUSED: [422, "The ledger refused this."],
} as const satisfies RefusalTable<string>;

export type EarnRefusal = keyof typeof REFUSALS;

/** Of proposals; the named field gives the details. */
export const DESK_REFUSALS = {
  UNKNOWN_ASSET: [404, "There is no such coin."],
  UNKNOWN_USER: [404, "There is no such account."],
  PRODUCT_UNKNOWN: [404, "There is no such flexible product."],
  PRODUCT_EXISTS: [409, "This name is taken."],
  INVALID_AMOUNT: [422, "Above zero, with as many decimals as the coin has."],
  INVALID_TIERS: [422, "Tiers grow and the last has no end."],
  INVALID_TERM: [422, "These days do not fit this kind of product."],
  INVALID_STRIKES: [422, "Two strikes on ticks, the lower first."],
  INVALID_RATES: [422, "The base rate is no more than the low one, and that no more than the high."],
} as const satisfies RefusalTable<string>;

export type DeskRefusal = keyof typeof DESK_REFUSALS;
