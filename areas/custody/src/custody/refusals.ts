// Refusals of deposits and the development chains, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_NETWORK: [404, "There is no such network."],
  COIN_NOT_ON_NETWORK: [404, "This network does not carry this coin."],
  CUSTODY_NOT_READY: [503, "Addresses cannot be given out for a moment; try again."],
} as const satisfies RefusalTable<string>;

export type DepositRefusal = keyof typeof REFUSALS;

export const CHAIN_REFUSALS = {
  LOCAL_ONLY: [403, "Only from the machine the exchange runs on."],
  UNKNOWN_NETWORK: [404, "There is no such development chain."],
  COIN_NOT_ON_NETWORK: [404, "This chain does not carry the coin."],
  ADDRESS_INVALID: [400, "This is no address of the chain."],
  ADDRESS_CHECKSUM: [400, "This is no address of the chain."],
  ADDRESS_OTHER_NETWORK: [400, "This is no address of the chain."],
  INVALID_AMOUNT: [400, "The amount is above zero and no finer than the chain counts."],
  CHAIN_AWAY: [503, "The chain is being started; try again in a moment."],
  CHAIN_SLOW: [504, "The chain has not answered yet; it may still do it."],
  CHAIN_REFUSED: [409, "The chain refused it."],
} as const satisfies RefusalTable<string>;

export type ChainRefusal = keyof typeof CHAIN_REFUSALS;
