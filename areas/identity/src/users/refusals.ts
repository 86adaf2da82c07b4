// Refusals of accounts, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  ACCOUNT_INVALID: [400, "Give an e-mail address or a phone number."],
  PASSWORD_INVALID: [400, "A password has 8 to 32 characters and two of letters, digits and special characters."],
  CAPTCHA_REQUIRED: [403, "Solve the puzzle first."],
  CODE_TOO_SOON: [429, "A code was sent a moment ago; wait before asking for another."],
  CODE_WRONG: [403, "The code is wrong or no longer valid."],
  CODE_LOCKED: [429, "Too many wrong codes; wait before the next one."],
  INVITE_UNKNOWN: [400, "There is no such invite code; leave it out or correct it."],
  BUSY: [429, "Many people are signing in; try again shortly."],
} as const satisfies RefusalTable<string>;

export type UserRefusal = keyof typeof REFUSALS;

export const PROFILE_REFUSALS = {
  NICKNAME_INVALID: [400, "A name has 2 to 24 letters, digits, Chinese characters or plain punctuation."],
  INTRO_INVALID: [400, "An introduction has at most 300 characters and no hidden ones."],
  PROFILE_UNKNOWN: [404, "There is no such profile."],
} as const satisfies RefusalTable<string>;

export type ProfileRefusal = keyof typeof PROFILE_REFUSALS;

export const LOOKUP_REFUSALS = {
  USER_UNKNOWN: [404, "There is no such user."],
} as const satisfies RefusalTable<string>;
