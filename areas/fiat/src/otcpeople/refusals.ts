// Refusals of otcpeople, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  IDENTITY_LEVEL: [403, "A higher identity level is required. Verify your identity first."],
  SECOND_FACTOR_REQUIRED: [403, "Set up an authenticator or a passkey first."],
  ACCOUNT_TOO_YOUNG: [403, "Your account must be at least 30 days old."],
  STEP_UP_REQUIRED: [403, "Confirm it's you: this action requires a recent verification."],
  PAYMENT_FIELD: [400, "A field of this payment account is missing or invalid."],
  PAYMENT_NAME: [422, "The account must be in your verified name."],
  PAYMENT_NAME_UNKNOWN: [403, "Your identity has no verified name yet. Complete verification first."],
  PAYMENTS_FULL: [409, "You have reached the maximum number of payment accounts."],
  PAYMENT_UNKNOWN: [404, "Payment account not found."],
  PAYMENT_USED: [409, "One of your ads uses this account. Edit the ad first."],
  BLOCK_SELF: [400, "You cannot block yourself."],
  BLOCK_UNKNOWN: [404, "No merchant or previous counterparty with this ID."],
  BLOCKS_FULL: [409, "Your block list is full."],
  MERCHANT_STATE: [409, "This action is not available in the merchant's current state."],
  MERCHANT_NAME_TAKEN: [409, "This name is already used by another merchant."],
  MERCHANT_UNKNOWN: [404, "Merchant not found."],
  MERCHANT_ORDERS_OPEN: [409, "You have open orders. Complete them first."],
  BOND_SHORT: [422, "Insufficient USDT in your funding account for the bond."],
  BOND_FULL: [409, "The bond is fully funded."],
  LEVEL_NOT_HIGHER: [409, "Choose a higher bond than your current one."],
  LEDGER_AWAY: [503, "The exchange is temporarily unavailable. Try again."],
} as const satisfies RefusalTable<string>;

export type PeopleRefusal = keyof typeof REFUSALS;
