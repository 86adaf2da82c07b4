// Refusals of the console, with status and message.
import { GUARD_REFUSALS } from "@clockwork/kit/caller";
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  ...GUARD_REFUSALS,
  ACCOUNT_UNKNOWN: [404, "No account has this email address or phone number."],
  NAME_TAKEN: [409, "Another operator has this name."],
  LAST_ADMIN: [409, "The last administrator cannot be removed."],
} as const satisfies RefusalTable<string>;

export type RoleRefusal = keyof typeof REFUSALS;
