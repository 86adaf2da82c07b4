// The ports of the treasury: final deposits, the signer, the hot wallet's numbers and the ledger. Interfaces only; the
// server connects them.
import type { Command } from "@clockwork/core/protocol/command";
import type { Chain, ChainsNeeds, Coins } from "@clockwork/kit/chains/chain";
import type { Network } from "@clockwork/kit/chains/network";
import type { Deposited } from "./rules.ts";

export interface TreasuryNeeds {
  readonly chains: ChainsNeeds;
  readonly coins: Coins;
  readonly now: () => number;
  submit(command: Command): Promise<{ readonly done: boolean }>;
  /** Unlocked deposits in blocks up to one. */
  listDeposits(network: string, number: number): Promise<readonly Deposited[]>;
  /** Rejects with the policy's code as message, or with another error while the signer is unavailable. */
  signSweep(ask: {
    readonly network: string;
    readonly asset: string;
    readonly userId: number;
    readonly units: string;
    readonly nonce: number;
    readonly gas: string;
    readonly maxFee: string;
    readonly tip: string;
  }): Promise<{ readonly raw: string; readonly hash: string }>;
  /** Gas from the hot wallet under its next number; false while one is on its way to this address. */
  topUp(network: Network, chain: Chain, userId: number, address: string, units: bigint): Promise<boolean>;
  /** The content of a signed transaction; undefined if it is none. */
  readSigned(raw: string): Promise<SignedTransfer | undefined>;
  isPaused(network: string): boolean;
  /** Stops payments over it until operators have reviewed. */
  pause(network: string, cause: string): Promise<void>;
  showLevel(network: string, asset: string, isLow: boolean): void;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}

/** A plain transfer of the chain's own coin (contract null) or of a token. */
export interface SignedTransfer {
  readonly hash: string;
  readonly chainId: number;
  readonly from: string;
  readonly to: string;
  readonly contract: string | null;
  readonly units: bigint;
  readonly nonce: number;
  readonly gas: bigint;
  readonly maxFee: bigint;
  readonly tip: bigint;
}
