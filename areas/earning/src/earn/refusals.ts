// Refusals of earn and its console, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  PRODUCT_UNKNOWN: [404, "Product not found."],
  PRODUCT_CLOSED: [409, "This product is closed to new subscriptions."],
  KYC_LEVEL_REQUIRED: [403, "Earn requires identity level 1. Verify your identity first."],
  INVALID_AMOUNT: [400, "Enter an amount above zero, with no more decimals than the coin supports."],
  BELOW_MINIMUM: [422, "The amount is below the product's minimum."],
  USER_QUOTA: [422, "This exceeds the limit per user for this product."],
  QUOTA_EXCEEDED: [409, "The remaining quota of this product is too small."],
  POOL_FULL: [409, "Today's quota is full. It reopens at 00:00 UTC."],
  REDEEM_POOL_USED: [409, "Today's redemption quota is used up. It reopens at 00:00 UTC."],
  TREASURY_SHORT: [503, "This interest cannot be guaranteed right now. Nothing was debited."],
  COUPON_UNKNOWN: [404, "You have no such coupon."],
  COUPON_USED: [409, "This coupon has already been used."],
  COUPON_EXPIRED: [409, "This coupon has expired."],
  COUPON_UNFIT: [422, "This coupon does not apply to this product."],
  COUPON_ACTIVE: [409, "A coupon is already applied to this holding."],
  CLIENT_ID_REUSED: [409, "This clientId was already used for another request."],
  INSUFFICIENT_BALANCE: [422, "Insufficient balance in your spot account."],
  ACCOUNT_BLOCKED: [403, "Transfers out of this account are blocked. Contact support."],
  HOLDING_UNKNOWN: [404, "You have no such holding."],
  HOLDING_ENDED: [409, "This holding has ended."],
  NO_EARLY_EXIT: [409, "A shark fin cannot be redeemed before settlement."],
  WHOLE_ONLY: [422, "A fixed term can only be redeemed in full."],
  HOLDING_SHORT: [422, "The amount exceeds the holding."],
  EARN_BUSY: [
    503,
    "The exchange is temporarily unavailable. Retry with the same clientId; the request is executed only once.",
  ],
  LEDGER_REFUSED: [422, "The ledger rejected this."],
} as const satisfies RefusalTable<string>;

export type EarnRefusal = keyof typeof REFUSALS;

/** Of proposals; the named field gives the details. */
export const DESK_REFUSALS = {
  UNKNOWN_ASSET: [404, "Coin not found."],
  UNKNOWN_USER: [404, "Account not found."],
  PRODUCT_UNKNOWN: [404, "Flexible product not found."],
  PRODUCT_EXISTS: [409, "This name is already in use."],
  INVALID_AMOUNT: [422, "Must be above zero, with no more decimals than the coin supports."],
  INVALID_TIERS: [422, "Tiers must be ascending, and the last one has no upper limit."],
  INVALID_TERM: [422, "This term is not available for this product type."],
  INVALID_STRIKES: [422, "Enter two strikes on ticks, the lower one first."],
  INVALID_RATES: [422, "Rates must be in ascending order: base, low, high."],
} as const satisfies RefusalTable<string>;

export type DeskRefusal = keyof typeof DESK_REFUSALS;
