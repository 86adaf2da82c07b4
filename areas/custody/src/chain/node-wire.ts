// Owns how the development chain's process is spoken to: what it is started with, and the messages beside JSON-RPC.

/** A coin of a chain, as its genesis has it. */
export interface GenesisCoin {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Absent: the chain's own coin. */
  readonly address?: string;
  /** Base units each address begins with, as decimal text. */
  readonly holders: readonly { readonly address: string; readonly units: string }[];
  /** Hundredths of a percent every transfer loses. */
  readonly feeBps?: number;
}

export interface ChainSpec {
  readonly network: string;
  readonly chainId: number;
  /** While something is under way a block comes so often; else only the heartbeat. */
  readonly blockMs: number;
  readonly heartbeatMs: number;
  /** False: blocks are made when they are asked for, and never otherwise. */
  readonly isTimed: boolean;
  /** Blocks below the newest that no reorganisation reaches. */
  readonly finality: number;
  readonly coins: readonly GenesisCoin[];
  /** Where the contract stands that pays many at once; a chain that has begun without it stays without. */
  readonly payoutContract?: string;
  /** What everybody may be given of each coin by the faucet, in whole coins. */
  readonly faucetCoins: number;
}

export interface NodeStart {
  readonly folder: string;
  readonly chains: readonly ChainSpec[];
}

/** Asked by the process that started it; nobody else can. */
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
      /** The replaced blocks' transactions come back into the pool, or are forgotten. */
      readonly dropped: boolean;
    };

export type NodeMessage =
  | { readonly kind: "ready"; readonly port: number }
  | { readonly kind: "block"; readonly network: string; readonly number: number }
  | { readonly kind: "answer"; readonly id: number; readonly value?: string; readonly wrong?: string };
