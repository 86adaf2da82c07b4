// Refusals of otcads, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { SECOND_FACTOR_WORDS } from "@clockwork/kit/otc/order-machine";

export const REFUSALS = {
  MERCHANT_REQUIRED: [403, "Only active merchants post ads."],
  BOND_INCOMPLETE: [403, "Refill your bond first."],
  ADS_FULL: [409, "Your bond allows no more ads."],
  AD_PRICE: [400, "Give either a price or a percentage of the index."],
  AD_PRICE_BAND: [422, "The price is too far from the index."],
  AD_QUANTITY: [400, "Give a quantity above zero with as many decimals as the coin has."],
  AD_LIMITS: [400, "The smallest order must be above zero and not above the largest."],
  AD_ORDER_MAX: [422, "The largest order is above what your bond allows."],
  AD_PAYMENT: [422, "Choose payment accounts of your own in this currency."],
  AD_UNKNOWN: [404, "There is no such ad."],
  AD_STATE: [409, "This cannot be done in the ad's present state."],
  AD_ONLINE: [409, "Take the ad offline before you change its coin or its quantity."],
  AD_ORDERS_OPEN: [409, "The ad has open orders; its terms stay until they have ended."],
  AD_BUSY: [409, "An order of this ad is coming to its end; try again in a moment."],
  AD_BANNED: [403, "An operator has banned this ad."],
  AD_NOTHING: [400, "Say which state or which terms the ad is to have."],
  AMOUNT_INVALID: [400, "Give either an amount or a quantity above zero."],
  NO_PRICE: [503, "This coin has no price now."],
  NO_MATCH: [404, "No ad takes this now; try another amount or way to pay."],
  MATCH_UNKNOWN: [404, "There is no such match."],
  IDENTITY_LEVEL: [403, "Trading with other people needs identity level 2."],
  SECOND_FACTOR_REQUIRED: [403, SECOND_FACTOR_WORDS],
  INSUFFICIENT_BALANCE: [422, "There is not enough of this coin in your funding account."],
  CLIENT_ID_REUSED: [409, "This clientId was used for another ad."],
  LEDGER_AWAY: [503, "The exchange cannot answer now; ask again."],
} as const satisfies RefusalTable<string>;

export type AdRefusal = keyof typeof REFUSALS;
