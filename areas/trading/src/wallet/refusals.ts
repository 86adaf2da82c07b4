// Refusals of the wallet, with status and message; what the core refuses beyond that is answered 422.
import type { Rejection } from "@clockwork/core/protocol/rejection";
import type { EngineRefusal } from "@clockwork/host/engine";
import type { RefusalTable } from "@clockwork/kit/endpoint";

const AWAY =
  "The exchange is temporarily unavailable. Retry with the same clientId; the request is executed only once.";

/** Amounts are named in the coin: these texts apply to every coin. */
const WORDS = {
  SAME_WALLET: [400, "Choose two different accounts.", { field: "to" }],
  UNKNOWN_ASSET: [404, "Coin not found.", { field: "asset" }],
  INVALID_SUB: [400, "Only coin-margined accounts have a coin.", { field: "sub" }],
  INVALID_AMOUNT: [
    400,
    "amount must be above zero, with no more decimals than the coin supports.",
    { field: "amount" },
  ],
  ACCOUNT_NOT_READY: [503, "Your account is being set up. Try again in a moment.", { retryAfterSeconds: 2 }],
  INSUFFICIENT_BALANCE: [422, "Insufficient balance.", { field: "amount" }],
  REFERENCE_REUSED: [409, "This clientId was already used for another transfer.", { field: "clientId" }],
  ACCOUNT_BLOCKED: [403, "Transfers out of this account are blocked. Contact support."],
  IN_DEBT: [
    403,
    "A deposit was reversed by its network and must be repaid. Until then you cannot withdraw or transfer, and only actions that repay it are available.",
  ],
  ENGINE_BUSY: [503, AWAY, { retryAfterSeconds: 1 }],
  ENGINE_STARTING: [503, AWAY, { retryAfterSeconds: 5 }],
  ENGINE_CLOSED: [503, AWAY, { retryAfterSeconds: 5 }],
  ENGINE_HALTED: [503, AWAY, { retryAfterSeconds: 5 }],
} as const satisfies RefusalTable<string>;

export type WalletRefusal = keyof typeof WORDS | Rejection | EngineRefusal;

export const REFUSALS: Partial<RefusalTable<WalletRefusal>> = WORDS;
