// Refusals of changes of passwords and contacts, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  ACCOUNT_INVALID: [400, "Enter an email address or a phone number."],
  CAPTCHA_REQUIRED: [403, "Complete the security check first."],
  CODE_TOO_SOON: [429, "A code was just sent. Wait before you request another."],
  CODE_WRONG: [403, "The code is incorrect or has expired."],
  CODE_LOCKED: [429, "Too many incorrect codes. Wait before you try again."],
  TICKET_INVALID: [403, "This request has expired. Start again."],
  TOTP_REQUIRED: [403, "Enter your authenticator code."],
  PASSWORD_INVALID: [400, "Use 8 to 32 characters with at least two of: letters, digits, special characters."],
  PASSWORD_WRONG: [403, "The current password is incorrect."],
  STEP_UP_REQUIRED: [403, "Confirm it's you: this action requires a recent verification."],
  ACCOUNT_TAKEN: [409, "This email address or phone number is already in use."],
  UNAUTHENTICATED: [401, "Sign in first."],
  BUSY: [429, "Too many simultaneous attempts. Try again shortly."],
} as const satisfies RefusalTable<string>;

export type CredentialRefusal = keyof typeof REFUSALS;
