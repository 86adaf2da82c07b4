// Refusals of the console, with status and message.
import { GUARD_REFUSALS } from "@clockwork/kit/caller";
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  ...GUARD_REFUSALS,
  ACCOUNT_UNKNOWN: [404, "Nobody has this address or number."],
  LAST_ADMIN: [409, "The last administrator stays."],
} as const satisfies RefusalTable<string>;

export type RoleRefusal = keyof typeof REFUSALS;
