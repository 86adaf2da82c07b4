// Refusals of otcproviders, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  IDENTITY_LEVEL: [403, "Fiat trading requires identity level 2."],
  PROVIDER_UNKNOWN: [404, "Provider not found."],
  PROVIDER_FIAT: [422, "This provider does not support this currency."],
  PROVIDER_LIMITS: [422, "The amount is outside the provider's limits."],
  AMOUNT_INVALID: [400, "Enter an amount above zero."],
  NO_PRICE: [503, "This coin has no price right now."],
  DEAL_UNKNOWN: [404, "Transaction not found."],
  DEAL_STATE: [409, "This transaction has already been processed."],
  QUOTE_EXPIRED: [409, "The quote has expired. Request a new one."],
  MONEY_SHORT: [422, "Insufficient balance with the provider."],
  INSUFFICIENT_BALANCE: [422, "Insufficient balance in your funding account."],
  RESTRICTED: [422, "Coins bought within the last 24 hours cannot be sold yet."],
  SIGNATURE_WRONG: [403, "The signature is invalid."],
  LEDGER_AWAY: [503, "The exchange is temporarily unavailable. Try again."],
} as const satisfies RefusalTable<string>;

export type ProviderRefusal = keyof typeof REFUSALS;
