// Refusals of trial levels, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_USER: [404, "Account not found."],
  NO_TRIAL: [409, "This account has no trial to end."],
  LEVEL_HELD: [409, "The account already has this level."],
} as const satisfies RefusalTable<string>;

export type TrialRefusal = keyof typeof REFUSALS;
