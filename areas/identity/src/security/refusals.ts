// Refusals of the security centre, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNAUTHENTICATED: [401, "Sign in first."],
  ACCOUNT_INVALID: [400, "Enter an email address or a phone number."],
  STEP_UP_REQUIRED: [403, "Confirm it's you: this action requires a recent verification."],
  CAPTCHA_REQUIRED: [403, "Complete the security check first."],
  CODE_TOO_SOON: [429, "A code was just sent. Wait before you request another."],
  CODE_WRONG: [403, "The code is incorrect or has expired."],
  CREDENTIALS_WRONG: [403, "The details are incorrect, or the account is not frozen."],
  HELD_BY_EXCHANGE: [403, "The exchange has frozen this account. Contact support."],
  PASSWORD_INVALID: [400, "Use 8 to 32 characters with at least two of: letters, digits, special characters."],
  TOTP_BOUND: [409, "An authenticator is already set up. Remove it first."],
  TOTP_MISSING: [409, "No authenticator is set up. Start setup first."],
  ACCOUNT_NOT_EMPTY: [
    409,
    "Cancel your orders, close positions and products, and withdraw or convert all balances before you close the account.",
  ],
  ACCOUNT_CLOSED: [403, "This account was closed by its owner."],
  LINK_INVALID: [403, "This link is invalid or has expired. Sign in and freeze the account from Security."],
  BUSY: [429, "Too many attempts. Wait before you try again."],
} as const satisfies RefusalTable<string>;

export type SecurityRefusal = keyof typeof REFUSALS;
