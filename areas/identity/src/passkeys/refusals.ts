// Refusals of passkeys, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNAUTHENTICATED: [401, "Sign in first."],
  STEP_UP_REQUIRED: [403, "Confirm it's you: this action requires a recent verification."],
  PASSKEY_LIMIT: [409, "Limit of 10 passkeys reached. Remove one first."],
  PASSKEY_REFUSED: [403, "The passkey was not accepted. Try again or use another sign-in method."],
  PASSKEY_UNKNOWN: [404, "Passkey not found."],
  ACCOUNT_FROZEN: [403, "This account is frozen. Release it first."],
  ACCOUNT_CHANGED: [409, "Your account changed during this step. Start again."],
} as const satisfies RefusalTable<string>;

export type PasskeyRefusal = keyof typeof REFUSALS;
