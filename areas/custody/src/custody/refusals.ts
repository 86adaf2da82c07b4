// Refusals of deposits and the development chains, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_NETWORK: [404, "Network not found."],
  COIN_NOT_ON_NETWORK: [404, "This coin is not supported on this network."],
  CUSTODY_NOT_READY: [503, "Deposit addresses are temporarily unavailable. Try again."],
} as const satisfies RefusalTable<string>;

export type DepositRefusal = keyof typeof REFUSALS;

export const CHAIN_REFUSALS = {
  LOCAL_ONLY: [403, "Allowed only from the host that runs the exchange."],
  UNKNOWN_NETWORK: [404, "Development chain not found."],
  COIN_NOT_ON_NETWORK: [404, "This coin is not supported on this chain."],
  ADDRESS_INVALID: [400, "Invalid address for this chain."],
  ADDRESS_CHECKSUM: [400, "Invalid address for this chain."],
  ADDRESS_OTHER_NETWORK: [400, "Invalid address for this chain."],
  INVALID_AMOUNT: [400, "Enter an amount above zero, with no more decimals than the chain supports."],
  CHAIN_AWAY: [503, "The chain is starting. Try again in a moment."],
  CHAIN_SLOW: [504, "No response from the chain yet. The transaction may still complete."],
  CHAIN_REFUSED: [409, "Rejected by the chain."],
} as const satisfies RefusalTable<string>;

export type ChainRefusal = keyof typeof CHAIN_REFUSALS;
