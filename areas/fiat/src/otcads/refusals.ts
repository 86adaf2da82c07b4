// Refusals of otcads, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { SECOND_FACTOR_WORDS } from "@clockwork/kit/otc/order-machine";

export const REFUSALS = {
  MERCHANT_REQUIRED: [403, "Only active merchants can post ads."],
  BOND_INCOMPLETE: [403, "Top up your bond first."],
  ADS_FULL: [409, "You have reached the ad limit of your bond."],
  AD_PRICE: [400, "Enter either a price or a percentage of the index."],
  AD_PRICE_BAND: [422, "The price is too far from the index price."],
  AD_QUANTITY: [400, "Enter a quantity above zero, with no more decimals than the coin supports."],
  AD_LIMITS: [400, "The minimum order must be above zero and not above the maximum."],
  AD_ORDER_MAX: [422, "The maximum order exceeds the limit of your bond."],
  AD_PAYMENT: [422, "Select your own payment accounts in this currency."],
  AD_UNKNOWN: [404, "Ad not found."],
  AD_STATE: [409, "This action is not available in the ad's current state."],
  AD_ONLINE: [409, "Take the ad offline before you change its coin or quantity."],
  AD_ORDERS_OPEN: [409, "The ad has open orders. You can change its terms when they end."],
  AD_BUSY: [409, "An order of this ad is being completed. Try again in a moment."],
  AD_BANNED: [403, "An operator has banned this ad."],
  AD_NOTHING: [400, "Provide a new state or new terms."],
  AMOUNT_INVALID: [400, "Enter either an amount or a quantity above zero."],
  NO_PRICE: [503, "This coin has no price right now."],
  NO_MATCH: [404, "No matching ad. Try another amount or payment method."],
  MATCH_UNKNOWN: [404, "Match not found."],
  IDENTITY_LEVEL: [403, "OTC trading requires identity level 2."],
  SECOND_FACTOR_REQUIRED: [403, SECOND_FACTOR_WORDS],
  INSUFFICIENT_BALANCE: [422, "Insufficient balance in your funding account."],
  CLIENT_ID_REUSED: [409, "This clientId was already used for another ad."],
  LEDGER_AWAY: [503, "The exchange is temporarily unavailable. Try again."],
} as const satisfies RefusalTable<string>;

export type AdRefusal = keyof typeof REFUSALS;
