// Refusals of signing in and devices, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  ACCOUNT_INVALID: [400, "Give an e-mail address or a phone number, and a password."],
  CAPTCHA_REQUIRED: [403, "Solve the puzzle first."],
  CREDENTIALS_WRONG: [403, "Account or password is wrong."],
  LOGIN_LOCKED: [429, "Too many wrong tries; wait before the next one."],
  BUSY: [429, "Many people are signing in; try again shortly."],
  TICKET_INVALID: [403, "This sign-in took too long; begin again."],
  CODE_WRONG: [403, "The code is wrong or no longer valid."],
  CODE_TOO_SOON: [429, "A code was sent a moment ago; wait before asking for another."],
  ACCOUNT_FROZEN: [403, "This account is frozen; release it first."],
  ACCOUNT_CHANGED: [409, "Something about this account was changed meanwhile; begin again."],
} as const satisfies RefusalTable<string>;

export type LoginRefusal = keyof typeof REFUSALS;

export const DEVICE_REFUSALS = {
  DEVICE_UNKNOWN: [404, "There is no such session or device."],
} as const satisfies RefusalTable<string>;
