// Refusals of restrictions, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  USER_UNKNOWN: [404, "No account has this number."],
  USER_IS_OPERATOR: [409, "This account belongs to an operator. Revoke its roles instead."],
  NOT_RESTRICTED: [409, "This part is not restricted."],
  IDENTITY_REQUIRED: [409, "The user has no verified identity. Request documents first."],
  NO_SECOND_FACTOR: [409, "No authenticator is set up for this account."],
} as const satisfies RefusalTable<string>;

export type RestrictionRefusal = keyof typeof REFUSALS;
