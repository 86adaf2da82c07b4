// Refusals of the wallet, with status and message; what the core refuses beyond that is answered 422.
import type { Rejection } from "@clockwork/core/protocol/rejection";
import type { EngineRefusal } from "@clockwork/host/engine";
import type { RefusalTable } from "@clockwork/kit/endpoint";

const AWAY = "The exchange cannot answer now. Repeat with the same clientId: nothing happens twice.";

/** Amounts are named in the coin: these texts apply to every coin. */
const WORDS = {
  SAME_WALLET: [400, "Choose two different accounts.", { field: "to" }],
  UNKNOWN_ASSET: [404, "There is no such coin.", { field: "asset" }],
  INVALID_SUB: [400, "Only inverse accounts have a coin.", { field: "sub" }],
  INVALID_AMOUNT: [400, "amount must be above zero, with at most the coin's decimals.", { field: "amount" }],
  ACCOUNT_NOT_READY: [503, "The account is being opened; try again in a moment.", { retryAfterSeconds: 2 }],
  INSUFFICIENT_BALANCE: [422, "There is not enough of this coin.", { field: "amount" }],
  REFERENCE_REUSED: [409, "This clientId was used for another transfer.", { field: "clientId" }],
  ACCOUNT_BLOCKED: [403, "Nothing can be moved out of this account now; contact support."],
  IN_DEBT: [
    403,
    "A deposit of yours was taken back by its network and is owed: until it is repaid, nothing can leave and only what repays it is open.",
  ],
  ENGINE_BUSY: [503, AWAY, { retryAfterSeconds: 1 }],
  ENGINE_STARTING: [503, AWAY, { retryAfterSeconds: 5 }],
  ENGINE_CLOSED: [503, AWAY, { retryAfterSeconds: 5 }],
  ENGINE_HALTED: [503, AWAY, { retryAfterSeconds: 5 }],
} as const satisfies RefusalTable<string>;

export type WalletRefusal = keyof typeof WORDS | Rejection | EngineRefusal;

export const REFUSALS: Partial<RefusalTable<WalletRefusal>> = WORDS;
