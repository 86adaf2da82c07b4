// Refusals of treasury, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_NETWORK: [404, "There is no such network."],
  COIN_NOT_ON_NETWORK: [404, "This network does not carry the coin."],
  AMOUNT_INVALID: [400, "Give an amount above zero with as many decimals as the coin has."],
  COLD_WALLET_SHORT: [422, "The cold wallet does not hold as much."],
  CUSTODY_NOT_READY: [503, "The chain or the signer does not answer now; try again."],
  REFILL_NOT_READABLE: [400, "This is no signed transaction of the network."],
  REFILL_NOT_COLD: [400, "The transaction is not signed by the cold wallet."],
  REFILL_NOT_HOT: [400, "The transaction is no plain transfer of a known coin to the hot wallet."],
  REFILL_UNDER_WAY: [409, "Another transaction has this number of the cold wallet; prepare the refill again."],
} as const satisfies RefusalTable<string>;

export type TreasuryRefusal = keyof typeof REFUSALS;
