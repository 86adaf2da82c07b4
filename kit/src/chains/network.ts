// A blockchain network as the wallet sees it: its rules and the coins that can be moved over it. Declarations only; the
// list of networks is configuration of the server.

export interface NetworkCoin {
  readonly asset: string;
  /** The token's contract in lower case; null for the chain's own coin. */
  readonly contract: string | null;
  /** Decimals on the chain; the ledger's may be fewer. */
  readonly decimals: number;
  /** Smaller deposits are accumulated. Decimal text, as all amounts here. */
  readonly depositMin: string;
  readonly withdrawMin: string;
  /** Taken from the amount leaving the account, whatever the network charges. */
  readonly withdrawFee: string;
}

export interface Network {
  readonly network: string;
  readonly name: string;
  readonly chainId: number;
  /** Its coins have no value. */
  readonly isTest: boolean;
  readonly blockSeconds: number;
  /**
   * Confirmations until a deposit can be traded, until it may be withdrawn, and until no block is replaced any more.
   */
  readonly creditBlocks: number;
  readonly unlockBlocks: number;
  readonly finalBlocks: number;
  /** The batch payout contract, in lower case; without one every payment leaves separately. */
  readonly payoutContract?: string;
  readonly coins: readonly NetworkCoin[];
}

/** Base units of the chain as units of the ledger, rounded down: finer dust is kept in custody's books. */
export function toLedgerUnits(chainUnits: bigint, decimals: number, scale: number): bigint {
  return decimals >= scale
    ? chainUnits / 10n ** BigInt(decimals - scale)
    : chainUnits * 10n ** BigInt(scale - decimals);
}

/** Exact: the ledger is never finer than the chain where a coin is withdrawn. */
export function toChainUnits(ledgerUnits: bigint, decimals: number, scale: number): bigint {
  return decimals >= scale
    ? ledgerUnits * 10n ** BigInt(decimals - scale)
    : ledgerUnits / 10n ** BigInt(scale - decimals);
}

export function coinAt(network: Network, contract: string | null): NetworkCoin | undefined {
  return network.coins.find((coin) => coin.contract === contract);
}

export function coinOf(network: Network, asset: string): NetworkCoin | undefined {
  return network.coins.find((coin) => coin.asset === asset);
}

/** Counted including its own block; none while it is in no block. */
export function confirmationsOf(blockNumber: number | null, head: number): number {
  return blockNumber === null ? 0 : Math.max(0, head - blockNumber + 1);
}
