// Refusals of otcpeople, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  IDENTITY_LEVEL: [403, "Your identity must be verified to a higher level first."],
  SECOND_FACTOR_REQUIRED: [403, "Bind an authenticator or a passkey first."],
  ACCOUNT_TOO_YOUNG: [403, "Merchants' accounts are at least 30 days old."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  PAYMENT_FIELD: [400, "A field of this payment account is missing or does not fit."],
  PAYMENT_NAME: [422, "The account must be in the name of your identity."],
  PAYMENT_NAME_UNKNOWN: [403, "Your identity does not name you yet; complete it first."],
  PAYMENTS_FULL: [409, "You have as many payment accounts as there may be."],
  PAYMENT_UNKNOWN: [404, "There is no such payment account."],
  PAYMENT_USED: [409, "One of your ads uses this account; change the ad first."],
  BLOCK_SELF: [400, "You cannot block yourself."],
  BLOCK_UNKNOWN: [404, "There is no merchant of this number, nor anybody you have had an order with."],
  BLOCKS_FULL: [409, "You have blocked as many people as there may be."],
  MERCHANT_STATE: [409, "This cannot be done in the merchant's present state."],
  MERCHANT_NAME_TAKEN: [409, "Another merchant has this name."],
  MERCHANT_UNKNOWN: [404, "There is no such merchant."],
  MERCHANT_ORDERS_OPEN: [409, "There are open orders; end them first."],
  BOND_SHORT: [422, "There is not enough USDT in your funding account for the bond."],
  BOND_FULL: [409, "The bond is complete."],
  LEVEL_NOT_HIGHER: [409, "Choose a bond above the one you have."],
  LEDGER_AWAY: [503, "The exchange cannot answer now; ask again."],
} as const satisfies RefusalTable<string>;

export type PeopleRefusal = keyof typeof REFUSALS;
