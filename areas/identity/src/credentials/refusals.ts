// Refusals of changes of passwords and contacts, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  ACCOUNT_INVALID: [400, "Give an e-mail address or a phone number."],
  CAPTCHA_REQUIRED: [403, "Solve the puzzle first."],
  CODE_TOO_SOON: [429, "A code was sent a moment ago; wait before asking for another."],
  CODE_WRONG: [403, "The code is wrong or no longer valid."],
  CODE_LOCKED: [429, "Too many wrong codes; wait before the next one."],
  TICKET_INVALID: [403, "This took too long; begin again."],
  TOTP_REQUIRED: [403, "Give the code of your authenticator too."],
  PASSWORD_INVALID: [400, "A password has 8 to 32 characters and two of letters, digits and special characters."],
  PASSWORD_WRONG: [403, "The present password is wrong."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  ACCOUNT_TAKEN: [409, "This address or number belongs to another account."],
  UNAUTHENTICATED: [401, "Sign in first."],
  BUSY: [429, "Too many tries at once; try again shortly."],
} as const satisfies RefusalTable<string>;

export type CredentialRefusal = keyof typeof REFUSALS;
