// The claimant of a reward with a monetary value, and why another may have had it already: one verified person, one
// device and one mailbox have each reward once, and one network address a few times.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export interface Claimant {
  readonly userId: number;
  /** The device of the session; empty when unavailable. */
  readonly device: string;
  /** The network address of the call, as one household has it. */
  readonly address: string;
  readonly timeMs: number;
}

export const CLAIMANT_REFUSALS = {
  KYC_LEVEL_REQUIRED: [403, "Verify your identity first: a reward is given once to a person."],
  DEVICE_USED: [409, "Another account had this reward on this device."],
  MAILBOX_USED: [409, "Another account with this mailbox had this reward."],
  ADDRESS_USED: [
    409,
    "Too many accounts had this reward from this network; contact support if you think this is wrong.",
  ],
} as const satisfies RefusalTable<string>;
export type ClaimantRefusal = keyof typeof CLAIMANT_REFUSALS;

/** Takes a reward for a person, or returns who has it; a repeat by the same person has no effect. */
export type TakeReward = (reward: string, claimant: Claimant) => Promise<ClaimantRefusal | undefined>;
