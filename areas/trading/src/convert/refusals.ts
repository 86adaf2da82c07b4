// Refusals of convert, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_ASSET: [404, "Coin not found."],
  SAME_ASSET: [400, "Choose two different coins."],
  INVALID_AMOUNT: [400, "Enter an amount above zero, with no more decimals than the coin supports."],
  NOT_TRADED: [422, "One of these coins is not tradable right now."],
  BOOK_TOO_THIN: [422, "Not enough liquidity for this amount. Enter a smaller amount."],
  PRICE_MOVED: [409, "The price has changed. Request a new quote."],
  TOO_MANY_QUOTES: [409, "You have three open quotes. Accept one or wait until one expires."],
  USER_LIMIT: [422, "This exceeds your 24-hour conversion limit. Enter a smaller amount or trade on the market."],
  COIN_LIMIT: [422, "The conversion limit for this coin is reached. Enter a smaller amount or trade on the market."],
  QUOTE_UNKNOWN: [404, "Quote not found."],
  QUOTE_EXPIRED: [409, "The quote has expired. Request a new one."],
  INSUFFICIENT_BALANCE: [422, "Insufficient balance in your spot account."],
  IN_DEBT: [
    403,
    "A deposit was reversed by its network and must be repaid. Until then you cannot withdraw or transfer, and only actions that repay it are available.",
  ],
  HOUSE_SHORT: [503, "This amount is not available right now. Enter a smaller amount."],
  LEDGER_AWAY: [503, "The exchange is temporarily unavailable. Try again."],
  NOTHING_SMALL: [422, "You have no small balances to convert."],
} as const satisfies RefusalTable<string>;

export type ConvertRefusal = keyof typeof REFUSALS;
