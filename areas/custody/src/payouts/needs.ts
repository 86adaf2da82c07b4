// The payments that wait and how they leave, as the payment services see them. Interfaces only.
import type { Chain } from "@clockwork/kit/chains/chain";
import type { Network } from "@clockwork/kit/chains/network";

/** A payment that can start now. */
export interface Waiting {
  readonly key: string;
  readonly asset: string;
  readonly receiver: string;
  readonly chain_units: string;
  readonly gas: string;
}

/** One transaction: a single payment, without parts, or a batch. */
export interface Planned extends Waiting {
  readonly parts: readonly Waiting[];
}

/** A token the batch payout contract needs an allowance for; an existing one is reset first. */
export interface Allow {
  readonly asset: string;
  readonly isReset: boolean;
}

export interface Plan {
  readonly payments: readonly Planned[];
  readonly allow: Allow | undefined;
}

/** Sent by the hot wallet and not in a final block yet. */
export interface Sent {
  readonly key: string;
  readonly asset: string;
  readonly chain_units: string;
}

export interface Situation {
  readonly network: Network;
  readonly chain: Chain;
  readonly hot: string;
  /** Longest waiting first. */
  readonly waiting: readonly Waiting[];
  readonly open: readonly Sent[];
}
