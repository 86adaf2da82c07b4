// Refusals of treasury, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_NETWORK: [404, "Network not found."],
  COIN_NOT_ON_NETWORK: [404, "This coin is not supported on this network."],
  AMOUNT_INVALID: [400, "Enter an amount above zero, with no more decimals than the coin supports."],
  COLD_WALLET_SHORT: [422, "Insufficient balance in the cold wallet."],
  CUSTODY_NOT_READY: [503, "The chain or the signer is unavailable. Try again."],
  REFILL_NOT_READABLE: [400, "Not a valid signed transaction for this network."],
  REFILL_NOT_COLD: [400, "The transaction is not signed by the cold wallet."],
  REFILL_NOT_HOT: [400, "The transaction must be a plain transfer of a listed coin to the hot wallet."],
  REFILL_UNDER_WAY: [409, "The cold wallet already used this nonce. Prepare the refill again."],
} as const satisfies RefusalTable<string>;

export type TreasuryRefusal = keyof typeof REFUSALS;
