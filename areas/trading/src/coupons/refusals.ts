// Refusals of coupons, with status and message.
import { CLAIMANT_REFUSALS } from "@clockwork/host/claimant";
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_COUPON: [404, "Coupon not found."],
  ACCOUNT_NOT_READY: [503, "Your account is being set up. Try again in a moment.", { retryAfterSeconds: 2 }],
  COUPON_CONVERTING: [503, "Conversion in progress. Check again in a moment.", { retryAfterSeconds: 2 }],
  COUPON_EXPIRED: [409, "This coupon has expired."],
  COUPON_VOLUME_SHORT: [409, "Required trading volume not reached. Trade more before you convert."],
  NO_REFERENCE_PRICE: [503, "This coin has no price yet.", { retryAfterSeconds: 10 }],
  COUPON_TOO_SMALL: [422, "The coupon has no value at the current price."],
  COUPON_BUDGET_SPENT: [503, "Coupons cannot be paid right now. Try again later.", { retryAfterSeconds: 60 }],
  ...CLAIMANT_REFUSALS,
} as const satisfies RefusalTable<string>;

export type CouponRefusal = keyof typeof REFUSALS;

export const ISSUE_REFUSALS = {
  UNKNOWN_ASSET: [404, "Coin not found."],
  ACCOUNT_UNKNOWN: [404, "User not found."],
  INVALID_AMOUNT: [400, "Amounts can have up to 6 decimals; the value must be above zero."],
} as const satisfies RefusalTable<string>;

export type IssueRefusal = keyof typeof ISSUE_REFUSALS;
