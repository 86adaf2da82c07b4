// Refusals of granting almighty gold, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

/** INVALID_AMOUNT gives the decimals of the coin. */
export const REFUSALS = {
  UNKNOWN_ASSET: [404, "No contract of this product settles in this coin.", { field: "asset" }],
  INVALID_AMOUNT: [400, "Above zero, with at most as many decimals as the coin has.", { field: "amount" }],
  UNKNOWN_USER: [404, "There is no such account.", { field: "user" }],
} as const satisfies RefusalTable<string>;

export type BonusRefusal = keyof typeof REFUSALS;
