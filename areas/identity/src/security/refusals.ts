// Refusals of the security centre, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNAUTHENTICATED: [401, "Sign in first."],
  ACCOUNT_INVALID: [400, "Give an e-mail address or a phone number."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  CAPTCHA_REQUIRED: [403, "Solve the puzzle first."],
  CODE_TOO_SOON: [429, "A code was sent a moment ago; wait before asking for another."],
  CODE_WRONG: [403, "The code is wrong or no longer valid."],
  CREDENTIALS_WRONG: [403, "Something of this is wrong, or the account is not frozen."],
  PASSWORD_INVALID: [400, "A password has 8 to 32 characters and two of letters, digits and special characters."],
  TOTP_BOUND: [409, "An authenticator is bound already; remove it first."],
  TOTP_MISSING: [409, "There is no authenticator to do this with; begin binding one first."],
  LINK_INVALID: [403, "This link is wrong or too old; sign in and freeze the account there."],
  BUSY: [429, "Too many tries; wait before the next one."],
} as const satisfies RefusalTable<string>;

export type SecurityRefusal = keyof typeof REFUSALS;
