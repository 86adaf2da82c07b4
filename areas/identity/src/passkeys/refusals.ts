// Refusals of passkeys, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNAUTHENTICATED: [401, "Sign in first."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  PASSKEY_LIMIT: [409, "An account has ten passkeys at most; remove one first."],
  PASSKEY_REFUSED: [403, "This passkey was not accepted; try again or sign in another way."],
  PASSKEY_UNKNOWN: [404, "There is no such passkey."],
  ACCOUNT_FROZEN: [403, "This account is frozen; release it first."],
  ACCOUNT_CHANGED: [409, "Something about this account was changed meanwhile; begin again."],
} as const satisfies RefusalTable<string>;

export type PasskeyRefusal = keyof typeof REFUSALS;
