// Refusals of otcproviders, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  IDENTITY_LEVEL: [403, "Trading money needs identity level 2."],
  PROVIDER_UNKNOWN: [404, "There is no such provider."],
  PROVIDER_FIAT: [422, "This provider does not take this currency."],
  PROVIDER_LIMITS: [422, "The amount is outside the provider's limits."],
  AMOUNT_INVALID: [400, "Give an amount above zero."],
  NO_PRICE: [503, "This coin has no price now."],
  DEAL_UNKNOWN: [404, "There is no such deal."],
  DEAL_STATE: [409, "This deal has gone on already."],
  QUOTE_EXPIRED: [409, "The quote has expired; ask for another."],
  MONEY_SHORT: [422, "You hold less of this currency with the provider."],
  INSUFFICIENT_BALANCE: [422, "There is not enough of this coin in your funding account."],
  RESTRICTED: [422, "Coins bought within a day cannot be sold on yet."],
  SIGNATURE_WRONG: [403, "The signature does not fit."],
  LEDGER_AWAY: [503, "The exchange cannot answer now; ask again."],
} as const satisfies RefusalTable<string>;

export type ProviderRefusal = keyof typeof REFUSALS;
