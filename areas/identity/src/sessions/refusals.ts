// Refusals of signing in and devices, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  ACCOUNT_INVALID: [400, "Enter an email address or phone number, and a password."],
  CAPTCHA_REQUIRED: [403, "Complete the security check first."],
  CREDENTIALS_WRONG: [403, "Incorrect account or password."],
  LOGIN_LOCKED: [429, "Too many failed attempts. Wait before you try again."],
  BUSY: [429, "The service is busy. Try again shortly."],
  TICKET_INVALID: [403, "This sign-in has expired. Start again."],
  CODE_WRONG: [403, "The code is incorrect or has expired."],
  CODE_TOO_SOON: [429, "A code was just sent. Wait before you request another."],
  ACCOUNT_FROZEN: [403, "This account is frozen. Release it first."],
  ACCOUNT_CHANGED: [409, "Your account changed during this step. Start again."],
} as const satisfies RefusalTable<string>;

export type LoginRefusal = keyof typeof REFUSALS;

export const DEVICE_REFUSALS = {
  DEVICE_UNKNOWN: [404, "Session or device not found."],
} as const satisfies RefusalTable<string>;
