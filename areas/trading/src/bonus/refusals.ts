// Refusals of granting almighty gold, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

/** INVALID_AMOUNT gives the decimals of the coin. */
export const REFUSALS = {
  UNKNOWN_ASSET: [404, "No contract settles in this coin.", { field: "asset" }],
  INVALID_AMOUNT: [400, "Must be above zero, with no more decimals than the coin supports.", { field: "amount" }],
  UNKNOWN_USER: [404, "Account not found.", { field: "user" }],
} as const satisfies RefusalTable<string>;

export type BonusRefusal = keyof typeof REFUSALS;
