// Refusals of accounts, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  ACCOUNT_INVALID: [400, "Enter an email address or a phone number."],
  PASSWORD_INVALID: [400, "Use 8 to 32 characters with at least two of: letters, digits, special characters."],
  CAPTCHA_REQUIRED: [403, "Complete the security check first."],
  CODE_TOO_SOON: [429, "A code was just sent. Wait before you request another."],
  CODE_WRONG: [403, "The code is incorrect or has expired."],
  CODE_LOCKED: [429, "Too many incorrect codes. Wait before you try again."],
  INVITE_UNKNOWN: [400, "Referral code not found. Correct it or leave it empty."],
  BUSY: [429, "The service is busy. Try again shortly."],
} as const satisfies RefusalTable<string>;

export type UserRefusal = keyof typeof REFUSALS;

export const PROFILE_REFUSALS = {
  NICKNAME_INVALID: [400, "Use 2 to 24 letters, digits, Chinese characters or basic punctuation."],
  INTRO_INVALID: [400, "Use up to 300 characters, without invisible characters."],
  PROFILE_UNKNOWN: [404, "Profile not found."],
} as const satisfies RefusalTable<string>;

export type ProfileRefusal = keyof typeof PROFILE_REFUSALS;
