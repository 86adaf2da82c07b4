// Refusals of coupons, with status and message.
import { CLAIMANT_REFUSALS } from "@clockwork/host/claimant";
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_COUPON: [404, "There is no such coupon."],
  ACCOUNT_NOT_READY: [503, "The account is being opened; try again in a moment.", { retryAfterSeconds: 2 }],
  COUPON_CONVERTING: [503, "The coupon is being converted; look again in a moment.", { retryAfterSeconds: 2 }],
  COUPON_EXPIRED: [409, "This coupon has expired."],
  COUPON_VOLUME_SHORT: [409, "Trade more before you convert this coupon."],
  NO_REFERENCE_PRICE: [503, "This coin has no price yet.", { retryAfterSeconds: 10 }],
  COUPON_TOO_SMALL: [422, "At this price the coupon brings nothing."],
  COUPON_BUDGET_SPENT: [503, "Coupons cannot be paid at the moment; try again later.", { retryAfterSeconds: 60 }],
  ...CLAIMANT_REFUSALS,
} as const satisfies RefusalTable<string>;

export type CouponRefusal = keyof typeof REFUSALS;

export const ISSUE_REFUSALS = {
  UNKNOWN_ASSET: [404, "There is no such coin."],
  ACCOUNT_UNKNOWN: [404, "Nobody has this number."],
  INVALID_AMOUNT: [400, "Amounts have at most 6 decimals; the face is above zero."],
} as const satisfies RefusalTable<string>;

export type IssueRefusal = keyof typeof ISSUE_REFUSALS;
