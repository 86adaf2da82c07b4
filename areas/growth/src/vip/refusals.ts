// Refusals of trial levels, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_USER: [404, "There is no such account."],
  NO_TRIAL: [409, "This account has no trial to end."],
  LEVEL_HELD: [409, "This account has earned this level."],
} as const satisfies RefusalTable<string>;

export type TrialRefusal = keyof typeof REFUSALS;
