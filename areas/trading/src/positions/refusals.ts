// Refusals of trading perpetuals, with status and message. A bound is given in the contract's own units if it has one;
// all other rejections of the core are answered 422.
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { type OrderRefusal, orderRefusals } from "../orders/refusals.ts";

const ORDERS = /* @__PURE__ */ orderRefusals("contract");

/** Refusals the core does not have. */
export const OWN_REFUSALS = {
  ACCOUNT_NOT_READY: ORDERS.ACCOUNT_NOT_READY,
  IDENTITY_REQUIRED: [403, "Perpetual contracts require identity level 1. Verify your identity first."],
  DEMO_UNAVAILABLE: [503, "Demo trading is unavailable. Try again later.", { retryAfterSeconds: 30 }],
  SPLIT_NEEDS_HEDGE: [409, "The split layout requires hedge mode.", { field: "layout" }],
} as const satisfies RefusalTable<string>;

const WORDS = {
  ...ORDERS,
  ...OWN_REFUSALS,
  ENGINE_HALTED: [
    503,
    "Trading has stopped. Check your positions once it is back before you retry.",
    { retryAfterSeconds: 10 },
  ],
  UNKNOWN_POSITION: [404, "Open position not found.", { field: "positionId" }],
  UNKNOWN_MARKET: [404, "Contract not found.", { field: "pairCode" }],
  NOT_A_PERPETUAL: [404, "Contract not found.", { field: "pairCode" }],
  REDUCE_ONLY_REJECTED: [
    409,
    "No position left to reduce, or only reduce-only orders are accepted right now.",
    { field: "quantity" },
  ],
  MODE_LOCKED: [
    409,
    "Close all positions and cancel all orders first. Split positions are always isolated.",
    { field: "mode" },
  ],
  MARGIN_UNHEALTHY: [
    409,
    "The remaining margin is too low, or the liquidation price would be within 0.5% of the mark price.",
  ],
  MARGIN_NOT_ISOLATED: [409, "Only isolated positions have their own margin.", { field: "positionId" }],
  REFERENCE_REUSED: [
    409,
    "This clientId was already used for another request. Check the position before you retry.",
    { field: "clientId" },
  ],
  INDEX_DEGRADED: [409, "The index price is unreliable right now. Market orders are disabled.", { field: "type" }],
  AMEND_NO_CHANGE: [409, "The order already has this price and quantity."],
  INVALID_REFERENCE: [400, "1 to 36 letters, digits and ._:/- alone.", { field: "clientId" }],
  INVALID_TRIGGER: [400, "Invalid trigger price for this contract.", { field: "stopPrice" }],
  INVALID_BRACKET_PRICES: [
    422,
    "Take profit must be on the profit side of the entry price, stop loss on the loss side.",
    { field: "stopProfit" },
  ],
  NO_REFERENCE_PRICE: [422, "This contract has no mark price yet."],
} as const satisfies RefusalTable<string>;

export type ContractRefusal = keyof typeof WORDS | OrderRefusal | "INVALID_TIMEOUT";

export const REFUSALS: Partial<RefusalTable<ContractRefusal>> = WORDS;
