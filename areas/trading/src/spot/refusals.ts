// Refusals of spot trading, with status and message. A bound is given in the pair's own units if it has one; all other
// rejections of the core are answered 422.
import type { Rejection } from "@clockwork/core/protocol/rejection";
import type { EngineRefusal } from "@clockwork/host/engine";
import type { RefusalTable } from "@clockwork/kit/endpoint";

/** Refusals the core does not have. */
export const OWN_REFUSALS = {
  ACCOUNT_NOT_READY: [503, "The account is being opened; try again in a moment.", { retryAfterSeconds: 2 }],
  FAUCET_EXHAUSTED: [429, "The faucet gives no more of this coin today.", { field: "amount" }],
} as const satisfies RefusalTable<string>;

const WORDS = {
  ...OWN_REFUSALS,
  ENGINE_BUSY: [503, "Too much is waiting just now; nothing was done. Try again.", { retryAfterSeconds: 1 }],
  ENGINE_STARTING: [503, "Trading is starting; nothing was done. Try again shortly.", { retryAfterSeconds: 2 }],
  ENGINE_CLOSED: [503, "Trading is closing; nothing was done. Try again shortly.", { retryAfterSeconds: 5 }],
  ENGINE_HALTED: [
    503,
    "Trading has stopped. Repeat the call with the same client id once it is back: it will not happen twice.",
    { retryAfterSeconds: 10 },
  ],
  UNKNOWN_ORDER: [404, "There is no such open order."],
  UNKNOWN_LIST: [404, "There is no such order list."],
  UNKNOWN_MARKET: [404, "There is no such pair.", { field: "pairCode" }],
  UNKNOWN_ASSET: [404, "There is no such coin.", { field: "asset" }],
  UNKNOWN_ACCOUNT: [403, "This account cannot trade."],
  ACCOUNT_BLOCKED: [403, "This account is blocked from trading; contact support."],
  IN_DEBT: [
    403,
    "A deposit of yours was taken back by its network and is owed: until it is repaid, only orders that repay it or reduce a position are accepted.",
  ],
  BOOK_NOT_TRADABLE: [403, "This account cannot trade this pair."],
  NOT_TRANSFERABLE: [403, "Nothing can be moved between these accounts."],
  SELF_TRADE_MODE_FORBIDDEN: [403, "This self-trade mode is not for customers.", { field: "selfTrade" }],
  MARKET_NOT_TRADING: [409, "This pair is not trading now.", { field: "pairCode" }],
  MARKET_CANCEL_ONLY: [409, "On this pair orders can only be canceled now.", { field: "pairCode" }],
  MARKET_AUCTION: [409, "Before the opening only limit orders that do not cross are taken.", { field: "type" }],
  REDUCE_ONLY_REJECTED: [409, "On this pair holdings can only be sold now.", { field: "side" }],
  DUPLICATE_CLIENT_ORDER_ID: [
    409,
    "This clientOrderId was used for another order in the last 24 hours.",
    { field: "clientOrderId" },
  ],
  REFERENCE_REUSED: [409, "This clientId was used for another transfer.", { field: "clientId" }],
  INVALID_CLIENT_ORDER_ID: [400, "1 to 36 letters, digits and ._:/- alone.", { field: "clientOrderId" }],
  INVALID_REFERENCE: [400, "Letters, digits and ._:/- alone.", { field: "clientId" }],
  INVALID_AMOUNT: [400, "The amount is not one the ledger can hold.", { field: "amount" }],
  INVALID_PRICE: [400, "The price is not one this pair can have.", { field: "price" }],
  INVALID_QUANTITY: [400, "The quantity is not one this pair can have.", { field: "quantity" }],
  INVALID_SLIPPAGE: [400, "Slippage may be 0.01 to 10 percent.", { field: "slippagePercent" }],
  INVALID_EXPIRY: [400, "An order may expire 60 seconds to 90 days ahead.", { field: "expiresAtMs" }],
  INVALID_ICEBERG: [
    400,
    "An iceberg shows at least a twentieth of the whole and has at most 100 slices.",
    { field: "visibleQuantity" },
  ],
  INVALID_COMBINATION: [400, "These options do not go together.", { field: "type" }],
  INVALID_TRIGGER: [400, "The stop price is not one this pair can have.", { field: "stopPrice" }],
  INVALID_CALLBACK: [400, "The callback may be 0.1 to 10 percent.", { field: "callbackPercent" }],
  INVALID_OCO_PRICES: [
    422,
    "To sell, the limit is above and the stop below the last price; to buy, the other way round.",
    { field: "stopPrice" },
  ],
  INVALID_BRACKET_PRICES: [
    422,
    "Take profit must lie on the winning side of the entry price, stop loss on the losing side.",
    { field: "takeProfitPrice" },
  ],
  INVALID_SCALE: [400, "So many rungs need more room between the prices, or more quantity.", { field: "count" }],
  INVALID_TWAP: [400, "Duration 5 minutes to 24 hours, interval 10 to 300 seconds.", { field: "durationSeconds" }],
  INVALID_TIMEOUT: [400, "3 to 300 seconds, or 0 to switch it off.", { field: "timeoutSeconds" }],
  NO_LIQUIDITY: [422, "Nobody stands on the other side of the book now."],
  NO_REFERENCE_PRICE: [422, "This pair has no last price yet."],
  POST_ONLY_WOULD_CROSS: [422, "The order would trade at once, and it must not.", { field: "price" }],
  AMEND_NO_CHANGE: [409, "The order is like this already."],
  AMEND_NOT_ALLOWED: [409, "This order cannot be changed; cancel it and place another."],
  POSITION_LIMIT: [422, "This is more than the account may hold.", { field: "quantity" }],
  MINT_LIMIT: [422, "No more of this coin can be given out.", { field: "amount" }],
  CAPACITY: [503, "The exchange is full; nothing was done. Try again later.", { retryAfterSeconds: 30 }],
} as const satisfies RefusalTable<string>;

export type SpotRefusal = keyof typeof WORDS | Rejection | EngineRefusal | "INVALID_ORDER";

export const REFUSALS: Partial<RefusalTable<SpotRefusal>> = WORDS;
