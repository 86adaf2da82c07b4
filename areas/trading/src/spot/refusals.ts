// Refusals of spot trading, with status and message. A bound is given in the pair's own units if it has one; all other
// rejections of the core are answered 422.
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { type OrderRefusal, orderRefusals } from "../orders/refusals.ts";

const ORDERS = /* @__PURE__ */ orderRefusals("pair");

/** Refusals the core does not have. */
export const OWN_REFUSALS = {
  ACCOUNT_NOT_READY: ORDERS.ACCOUNT_NOT_READY,
  FAUCET_EXHAUSTED: [429, "The daily test fund limit for this coin is reached.", { field: "amount" }],
} as const satisfies RefusalTable<string>;

const WORDS = {
  ...ORDERS,
  ...OWN_REFUSALS,
  ENGINE_HALTED: [
    503,
    "Trading has stopped. Retry with the same client ID once it is back; the request is executed only once.",
    { retryAfterSeconds: 10 },
  ],
  UNKNOWN_LIST: [404, "Order list not found."],
  UNKNOWN_MARKET: [404, "Pair not found.", { field: "pairCode" }],
  UNKNOWN_ASSET: [404, "Coin not found.", { field: "asset" }],
  IN_DEBT: [
    403,
    "A deposit was reversed by its network and must be repaid. Until then, only orders that repay it or reduce a position are accepted.",
  ],
  NOT_TRANSFERABLE: [403, "Transfers between these accounts are not possible."],
  REDUCE_ONLY_REJECTED: [409, "This pair is in sell-only mode.", { field: "side" }],
  REFERENCE_REUSED: [409, "This clientId was already used for another transfer.", { field: "clientId" }],
  INVALID_REFERENCE: [400, "Use only letters, digits and ._:/-", { field: "clientId" }],
  INVALID_TRIGGER: [400, "Invalid stop price for this pair.", { field: "stopPrice" }],
  INVALID_BRACKET_PRICES: [
    422,
    "Take profit must be on the profit side of the entry price, stop loss on the loss side.",
    { field: "takeProfitPrice" },
  ],
  INVALID_TIMEOUT: [400, "3 to 300 seconds, or 0 to switch it off.", { field: "timeoutSeconds" }],
  NO_REFERENCE_PRICE: [422, "This pair has no last price yet."],
  AMEND_NO_CHANGE: [409, "The order already has these values."],
  POSITION_LIMIT: [422, "This exceeds the maximum account balance.", { field: "quantity" }],
  MINT_LIMIT: [422, "The supply of this coin is exhausted.", { field: "amount" }],
} as const satisfies RefusalTable<string>;

export type SpotRefusal = keyof typeof WORDS | OrderRefusal;

export const REFUSALS: Partial<RefusalTable<SpotRefusal>> = WORDS;
