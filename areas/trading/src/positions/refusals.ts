// Refusals of trading perpetuals, with status and message. A bound is given in the contract's own units if it has one;
// all other rejections of the core are answered 422.
import type { Rejection } from "@clockwork/core/protocol/rejection";
import type { EngineRefusal } from "@clockwork/host/engine";
import type { RefusalTable } from "@clockwork/kit/endpoint";

/** Refusals the core does not have. */
export const OWN_REFUSALS = {
  IDENTITY_REQUIRED: [403, "Perpetuals open with identity level 1: verify your identity first."],
  ACCOUNT_NOT_READY: [503, "The account is being opened; try again in a moment.", { retryAfterSeconds: 2 }],
  DEMO_UNAVAILABLE: [503, "There is no demo market now; try again later.", { retryAfterSeconds: 30 }],
  SPLIT_NEEDS_HEDGE: [409, "Split layout needs hedge mode.", { field: "layout" }],
} as const satisfies RefusalTable<string>;

const WORDS = {
  ...OWN_REFUSALS,
  ENGINE_BUSY: [503, "Too much is waiting just now; nothing was done. Try again.", { retryAfterSeconds: 1 }],
  ENGINE_STARTING: [503, "Trading is starting; nothing was done. Try again shortly.", { retryAfterSeconds: 2 }],
  ENGINE_CLOSED: [503, "Trading is closing; nothing was done. Try again shortly.", { retryAfterSeconds: 5 }],
  ENGINE_HALTED: [
    503,
    "Trading has stopped. Look at your positions once it is back before you repeat the call.",
    { retryAfterSeconds: 10 },
  ],
  CAPACITY: [503, "The exchange is full; nothing was done. Try again later.", { retryAfterSeconds: 30 }],
  UNKNOWN_ORDER: [404, "There is no such open order."],
  UNKNOWN_POSITION: [404, "There is no such open position.", { field: "positionId" }],
  UNKNOWN_MARKET: [404, "There is no such contract.", { field: "pairCode" }],
  NOT_A_PERPETUAL: [404, "There is no such contract.", { field: "pairCode" }],
  UNKNOWN_ACCOUNT: [403, "This account cannot trade."],
  ACCOUNT_BLOCKED: [403, "This account is blocked from trading; contact support."],
  BOOK_NOT_TRADABLE: [403, "This account cannot trade this contract."],
  SELF_TRADE_MODE_FORBIDDEN: [403, "This self-trade mode is not for customers.", { field: "selfTrade" }],
  MARKET_NOT_TRADING: [409, "This contract is not trading now.", { field: "pairCode" }],
  MARKET_CANCEL_ONLY: [409, "Orders of this contract can only be canceled now.", { field: "pairCode" }],
  MARKET_AUCTION: [409, "Before the opening only limit orders that do not cross are taken.", { field: "type" }],
  REDUCE_ONLY_REJECTED: [
    409,
    "There is nothing left that this order could reduce, or only reducing orders are taken now.",
    { field: "quantity" },
  ],
  MODE_LOCKED: [
    409,
    "Close all positions and cancel all orders first; split positions are always isolated.",
    { field: "mode" },
  ],
  MARGIN_UNHEALTHY: [
    409,
    "The margin would not carry what is open, or the liquidation price would come within 0.5 % of the mark.",
  ],
  MARGIN_NOT_ISOLATED: [409, "Only an isolated position has margin of its own.", { field: "positionId" }],
  DUPLICATE_CLIENT_ORDER_ID: [
    409,
    "This clientOrderId was used for another order in the last 24 hours.",
    { field: "clientOrderId" },
  ],
  REFERENCE_REUSED: [
    409,
    "This clientId was used for something else; look at the position before you repeat it.",
    { field: "clientId" },
  ],
  INDEX_DEGRADED: [409, "The index cannot be trusted just now: no market orders until it can.", { field: "type" }],
  AMEND_NOT_ALLOWED: [409, "This order cannot be changed; cancel it and place another."],
  AMEND_NO_CHANGE: [409, "The order has this price and quantity already."],
  INVALID_CLIENT_ORDER_ID: [400, "1 to 36 letters, digits and ._:/- alone.", { field: "clientOrderId" }],
  INVALID_REFERENCE: [400, "1 to 36 letters, digits and ._:/- alone.", { field: "clientId" }],
  INVALID_AMOUNT: [400, "The amount is not one the ledger can hold.", { field: "amount" }],
  INVALID_PRICE: [400, "The price is not one this contract can have.", { field: "price" }],
  INVALID_QUANTITY: [400, "The quantity is not one this contract can have.", { field: "quantity" }],
  INVALID_SLIPPAGE: [400, "Slippage may be 0.01 to 10 percent.", { field: "slippagePercent" }],
  INVALID_EXPIRY: [400, "An order may expire 60 seconds to 90 days ahead.", { field: "expiresAtMs" }],
  INVALID_ICEBERG: [
    400,
    "An iceberg shows at least a twentieth of the whole and has at most 100 slices.",
    { field: "visibleQuantity" },
  ],
  INVALID_COMBINATION: [400, "These options do not go together.", { field: "type" }],
  INVALID_TRIGGER: [400, "The trigger is not one this contract can have.", { field: "stopPrice" }],
  INVALID_CALLBACK: [400, "The callback may be 0.1 to 10 percent.", { field: "callbackPercent" }],
  INVALID_SCALE: [400, "So many rungs need more room between the prices, or more quantity.", { field: "count" }],
  INVALID_TWAP: [400, "Duration 5 minutes to 24 hours, interval 10 to 300 seconds.", { field: "durationSeconds" }],
  INVALID_OCO_PRICES: [
    422,
    "To sell, the limit is above and the stop below the last price; to buy, the other way round.",
    { field: "stopPrice" },
  ],
  INVALID_BRACKET_PRICES: [
    422,
    "Take profit must lie on the winning side of the entry price, stop loss on the losing side.",
    { field: "stopProfit" },
  ],
  NO_LIQUIDITY: [422, "Nobody stands on the other side of the book now."],
  NO_REFERENCE_PRICE: [422, "This contract has no mark price yet."],
  POST_ONLY_WOULD_CROSS: [422, "The order would trade at once, and it must not.", { field: "price" }],
} as const satisfies RefusalTable<string>;

export type ContractRefusal = keyof typeof WORDS | Rejection | EngineRefusal | "INVALID_ORDER" | "INVALID_TIMEOUT";

export const REFUSALS: Partial<RefusalTable<ContractRefusal>> = WORDS;
