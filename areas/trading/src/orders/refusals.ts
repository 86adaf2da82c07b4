// Refusals that orders on spot pairs and on contracts share, with status and message. A bound is given in the market's
// own units where it has one (`bound-words.ts`).
import type { Rejection } from "@clockwork/core/protocol/rejection";
import type { EngineRefusal } from "@clockwork/host/engine";
import type { RefusalTable } from "@clockwork/kit/endpoint";

/** What every order may be answered beside the codes of its product's own table. */
export type OrderRefusal = Rejection | EngineRefusal | "INVALID_ORDER";

const CLIENT_ID = "1 to 36 letters, digits and ._:/- alone.";

/** `market` is how the product calls one: a pair or a contract. */
export const orderRefusals = (market: "pair" | "contract") =>
  ({
    ACCOUNT_NOT_READY: [503, "Your account is being set up. Try again in a moment.", { retryAfterSeconds: 2 }],
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
    CAPACITY: [
      503,
      "The exchange is at capacity and the request was not executed. Try again later.",
      { retryAfterSeconds: 30 },
    ],
    UNKNOWN_ORDER: [404, "Open order not found."],
    UNKNOWN_ACCOUNT: [403, "This account cannot trade."],
    ACCOUNT_BLOCKED: [403, "Trading is blocked for this account. Contact support."],
    BOOK_NOT_TRADABLE: [403, `This account cannot trade this ${market}.`],
    SELF_TRADE_MODE_FORBIDDEN: [403, "This self-trade prevention mode is not available.", { field: "selfTrade" }],
    MARKET_NOT_TRADING: [409, `Trading is halted on this ${market}.`, { field: "pairCode" }],
    MARKET_CANCEL_ONLY: [409, `This ${market} is in cancel-only mode.`, { field: "pairCode" }],
    MARKET_AUCTION: [409, "Before the opening, only limit orders that do not cross are accepted.", { field: "type" }],
    DUPLICATE_CLIENT_ORDER_ID: [
      409,
      "This clientOrderId was already used for another order in the last 24 hours.",
      { field: "clientOrderId" },
    ],
    AMEND_NOT_ALLOWED: [409, "This order cannot be amended. Cancel it and place a new one."],
    INVALID_CLIENT_ORDER_ID: [400, CLIENT_ID, { field: "clientOrderId" }],
    INVALID_AMOUNT: [400, "The amount is out of range.", { field: "amount" }],
    INVALID_PRICE: [400, `Invalid price for this ${market}.`, { field: "price" }],
    INVALID_QUANTITY: [400, `Invalid quantity for this ${market}.`, { field: "quantity" }],
    INVALID_SLIPPAGE: [400, "Slippage must be 0.01% to 10%.", { field: "slippagePercent" }],
    INVALID_EXPIRY: [400, "The expiry must be 60 seconds to 90 days from now.", { field: "expiresAtMs" }],
    INVALID_ICEBERG: [
      400,
      "An iceberg order must show at least 5% of the quantity and have at most 100 slices.",
      { field: "visibleQuantity" },
    ],
    INVALID_COMBINATION: [400, "These options cannot be combined.", { field: "type" }],
    INVALID_CALLBACK: [400, "The callback rate must be 0.1% to 10%.", { field: "callbackPercent" }],
    INVALID_SCALE: [400, "Too many orders for this price range or quantity.", { field: "count" }],
    INVALID_TWAP: [
      400,
      "The duration must be 5 minutes to 24 hours and the interval 10 to 300 seconds.",
      { field: "durationSeconds" },
    ],
    INVALID_OCO_PRICES: [
      422,
      "For a sell, the limit must be above and the stop below the last price; for a buy, the reverse.",
      { field: "stopPrice" },
    ],
    NO_LIQUIDITY: [422, "There are no orders on the other side of the book."],
    POST_ONLY_WOULD_CROSS: [422, "The post-only order would match immediately.", { field: "price" }],
  }) as const satisfies RefusalTable<string>;
