// Refusals of spot trading, with status and message. A bound is given in the pair's own units if it has one; all other
// rejections of the core are answered 422.
import type { Rejection } from "@clockwork/core/protocol/rejection";
import type { EngineRefusal } from "@clockwork/host/engine";
import type { RefusalTable } from "@clockwork/kit/endpoint";

/** Refusals the core does not have. */
export const OWN_REFUSALS = {
  ACCOUNT_NOT_READY: [503, "Your account is being set up. Try again in a moment.", { retryAfterSeconds: 2 }],
  FAUCET_EXHAUSTED: [429, "The daily test fund limit for this coin is reached.", { field: "amount" }],
} as const satisfies RefusalTable<string>;

const WORDS = {
  ...OWN_REFUSALS,
  ENGINE_BUSY: [503, "The exchange is busy and the request was not executed. Try again.", { retryAfterSeconds: 1 }],
  ENGINE_STARTING: [
    503,
    "Trading is starting and the request was not executed. Try again shortly.",
    { retryAfterSeconds: 2 },
  ],
  ENGINE_CLOSED: [
    503,
    "Trading is shutting down and the request was not executed. Try again shortly.",
    { retryAfterSeconds: 5 },
  ],
  ENGINE_HALTED: [
    503,
    "Trading has stopped. Retry with the same client ID once it is back; the request is executed only once.",
    { retryAfterSeconds: 10 },
  ],
  UNKNOWN_ORDER: [404, "Open order not found."],
  UNKNOWN_LIST: [404, "Order list not found."],
  UNKNOWN_MARKET: [404, "Pair not found.", { field: "pairCode" }],
  UNKNOWN_ASSET: [404, "Coin not found.", { field: "asset" }],
  UNKNOWN_ACCOUNT: [403, "This account cannot trade."],
  ACCOUNT_BLOCKED: [403, "Trading is blocked for this account. Contact support."],
  IN_DEBT: [
    403,
    "A deposit was reversed by its network and must be repaid. Until then, only orders that repay it or reduce a position are accepted.",
  ],
  BOOK_NOT_TRADABLE: [403, "This account cannot trade this pair."],
  NOT_TRANSFERABLE: [403, "Transfers between these accounts are not possible."],
  SELF_TRADE_MODE_FORBIDDEN: [403, "This self-trade prevention mode is not available.", { field: "selfTrade" }],
  MARKET_NOT_TRADING: [409, "Trading is halted on this pair.", { field: "pairCode" }],
  MARKET_CANCEL_ONLY: [409, "This pair is in cancel-only mode.", { field: "pairCode" }],
  MARKET_AUCTION: [409, "Before the opening, only limit orders that do not cross are accepted.", { field: "type" }],
  REDUCE_ONLY_REJECTED: [409, "This pair is in sell-only mode.", { field: "side" }],
  DUPLICATE_CLIENT_ORDER_ID: [
    409,
    "This clientOrderId was already used for another order in the last 24 hours.",
    { field: "clientOrderId" },
  ],
  REFERENCE_REUSED: [409, "This clientId was already used for another transfer.", { field: "clientId" }],
  INVALID_CLIENT_ORDER_ID: [400, "1 to 36 letters, digits and ._:/- alone.", { field: "clientOrderId" }],
  INVALID_REFERENCE: [400, "Use only letters, digits and ._:/-", { field: "clientId" }],
  INVALID_AMOUNT: [400, "The amount is out of range.", { field: "amount" }],
  INVALID_PRICE: [400, "Invalid price for this pair.", { field: "price" }],
  INVALID_QUANTITY: [400, "Invalid quantity for this pair.", { field: "quantity" }],
  INVALID_SLIPPAGE: [400, "Slippage must be 0.01% to 10%.", { field: "slippagePercent" }],
  INVALID_EXPIRY: [400, "The expiry must be 60 seconds to 90 days from now.", { field: "expiresAtMs" }],
  INVALID_ICEBERG: [
    400,
    "An iceberg order must show at least 5% of the quantity and have at most 100 slices.",
    { field: "visibleQuantity" },
  ],
  INVALID_COMBINATION: [400, "These options cannot be combined.", { field: "type" }],
  INVALID_TRIGGER: [400, "Invalid stop price for this pair.", { field: "stopPrice" }],
  INVALID_CALLBACK: [400, "The callback rate must be 0.1% to 10%.", { field: "callbackPercent" }],
  INVALID_OCO_PRICES: [
    422,
    "For a sell, the limit must be above and the stop below the last price; for a buy, the reverse.",
    { field: "stopPrice" },
  ],
  INVALID_BRACKET_PRICES: [
    422,
    "Take profit must be on the profit side of the entry price, stop loss on the loss side.",
    { field: "takeProfitPrice" },
  ],
  INVALID_SCALE: [400, "Too many orders for this price range or quantity.", { field: "count" }],
  INVALID_TWAP: [
    400,
    "The duration must be 5 minutes to 24 hours and the interval 10 to 300 seconds.",
    { field: "durationSeconds" },
  ],
  INVALID_TIMEOUT: [400, "3 to 300 seconds, or 0 to switch it off.", { field: "timeoutSeconds" }],
  NO_LIQUIDITY: [422, "There are no orders on the other side of the book."],
  NO_REFERENCE_PRICE: [422, "This pair has no last price yet."],
  POST_ONLY_WOULD_CROSS: [422, "The post-only order would match immediately.", { field: "price" }],
  AMEND_NO_CHANGE: [409, "The order already has these values."],
  AMEND_NOT_ALLOWED: [409, "This order cannot be amended. Cancel it and place a new one."],
  POSITION_LIMIT: [422, "This exceeds the maximum account balance.", { field: "quantity" }],
  MINT_LIMIT: [422, "The supply of this coin is exhausted.", { field: "amount" }],
  CAPACITY: [
    503,
    "The exchange is at capacity and the request was not executed. Try again later.",
    { retryAfterSeconds: 30 },
  ],
} as const satisfies RefusalTable<string>;

export type SpotRefusal = keyof typeof WORDS | Rejection | EngineRefusal | "INVALID_ORDER";

export const REFUSALS: Partial<RefusalTable<SpotRefusal>> = WORDS;
