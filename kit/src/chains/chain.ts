// The nodes of a blockchain network and the exchange's coins as custody sees them. Declarations only; the server
// provides the clients.
import type { Network } from "./network.ts";

export interface CustodyCoin {
  readonly asset: number;
  readonly symbol: string;
  readonly scale: number;
}

export interface Coins {
  find(symbol: string): CustodyCoin | undefined;
  /** Worth in USDT's units at last prices, rounded down; undefined without a pair. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
}

/** A transaction of the chain's own coin. */
export interface ChainTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: bigint;
}

export interface ChainBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactions: readonly ChainTransaction[];
}

export interface TransferLog {
  readonly contract: string;
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly txHash: string;
  readonly place: number;
  readonly blockNumber: number;
  readonly blockHash: string;
}

export interface Receipt {
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly isDone: boolean;
  /** The sender's payment for it. */
  readonly feeUnits: bigint;
  /** The token transfers in it. */
  readonly transfers: readonly Pick<TransferLog, "contract" | "from" | "to" | "value">[];
  /** The events of batch payout contracts: the places paid, bit by bit from the lowest. */
  readonly paid?: readonly { readonly contract: string; readonly places: bigint }[];
}

/** One network's nodes. Everything rejects while none is available. */
export interface Chain {
  head(): Promise<number>;
  /** In order; fewer when the chain is shorter by now. */
  blocks(from: number, to: number): Promise<readonly ChainBlock[]>;
  hashAt(number: number): Promise<string | undefined>;
  transfers(from: number, to: number): Promise<readonly TransferLog[]>;
  receipts(hashes: readonly string[]): Promise<readonly (Receipt | undefined)[]>;
  /** Of the chain's own coin (contract null) or a token, at a block; each request may name another block. */
  balances(
    asks: readonly { readonly contract: string | null; readonly address: string; readonly number?: number }[],
    number: number,
  ): Promise<readonly bigint[]>;
  /** The amount of a token a spender may move for its owner, at the newest block. */
  allowance(contract: string, owner: string, spender: string): Promise<bigint>;
  fees(): Promise<{ readonly baseFee: bigint; readonly tip: bigint }>;
  hasCode(address: string): Promise<boolean>;
  /** Resolves when the node has it now, whether or not it was new. */
  send(raw: string): Promise<void>;
  countOf(address: string): Promise<number>;
}

export interface ChainsNeeds {
  readonly networks: readonly Network[];
  chain(network: string): Chain;
  /** In lower case; undefined until the signer has reported the public key. */
  addressOf(chainId: number, userId: number): string | undefined;
  checksumOf(address: string): string;
  /** The exchange's own addresses, in lower case. */
  house(): { readonly hot: string; readonly cold: string } | undefined;
}
