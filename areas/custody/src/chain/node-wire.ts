// Owns the protocol of the development chain's process: its start parameters, and the messages in addition to JSON-RPC.

/** A coin of a chain, as its genesis has it. */
export interface GenesisCoin {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Absent: the chain's own coin. */
  readonly address?: string;
  /** Initial base units of each address, as decimal text. */
  readonly holders: readonly { readonly address: string; readonly units: string }[];
  /** Hundredths of a percent lost by every transfer. */
  readonly feeBps?: number;
}

export interface ChainSpec {
  readonly network: string;
  readonly chainId: number;
  /** The block interval while transactions are pending; else only the heartbeat. */
  readonly blockMs: number;
  readonly heartbeatMs: number;
  /** False: blocks are made only on request. */
  readonly isTimed: boolean;
  /** Blocks below the newest that cannot be reorganised. */
  readonly finality: number;
  readonly coins: readonly GenesisCoin[];
  /** The address of the batch payout contract; a chain that started without it never gets it. */
  readonly payoutContract?: string;
  /** The faucet's limit per user and coin, in whole coins. */
  readonly faucetCoins: number;
}

export interface NodeStart {
  readonly folder: string;
  readonly chains: readonly ChainSpec[];
}

/** Sent by the parent process; no other process can. */
export type NodeRequest =
  | {
      readonly kind: "faucet";
      readonly network: string;
      readonly asset: string;
      readonly to: string;
      readonly units: string;
    }
  | { readonly kind: "mine"; readonly network: string; readonly blocks: number }
  | {
      readonly kind: "reorg";
      readonly network: string;
      readonly depth: number;
      /** The replaced blocks' transactions come back into the pool, or are dropped. */
      readonly dropped: boolean;
    };

export type NodeMessage =
  | { readonly kind: "ready"; readonly port: number }
  | { readonly kind: "block"; readonly network: string; readonly number: number }
  | { readonly kind: "answer"; readonly id: number; readonly value?: string; readonly wrong?: string };
