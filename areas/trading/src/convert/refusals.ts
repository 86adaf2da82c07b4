// Refusals of convert, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_ASSET: [404, "There is no such coin."],
  SAME_ASSET: [400, "Choose two different coins."],
  INVALID_AMOUNT: [400, "Give an amount above zero with as many decimals as the coin has."],
  NOT_TRADED: [422, "One of these coins is not traded now."],
  BOOK_TOO_THIN: [422, "The market is too thin for this amount; ask for less."],
  PRICE_MOVED: [409, "The price has moved; ask for another quote."],
  TOO_MANY_QUOTES: [409, "You have three open quotes; take one of them or wait until one expires."],
  USER_LIMIT: [422, "This is more than you may convert within 24 hours; ask for less or trade on the market."],
  COIN_LIMIT: [422, "The house converts no more of this coin now; ask for less or trade on the market."],
  QUOTE_UNKNOWN: [404, "There is no such quote."],
  QUOTE_EXPIRED: [409, "The quote has expired; ask for another."],
  INSUFFICIENT_BALANCE: [422, "There is not enough of this coin in your spot account."],
  IN_DEBT: [
    403,
    "A deposit of yours was taken back by its network and is owed: until it is repaid, nothing can leave and only what repays it is open.",
  ],
  HOUSE_SHORT: [503, "The house cannot pay this out now; ask for less."],
  LEDGER_AWAY: [503, "The exchange cannot answer now; ask again."],
  NOTHING_SMALL: [422, "There are no small balances to convert."],
} as const satisfies RefusalTable<string>;

export type ConvertRefusal = keyof typeof REFUSALS;
