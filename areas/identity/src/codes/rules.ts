// Rules of verification codes: six digits, ten minutes, five tries, a minute between two, a bound per day.

/** The purpose of a code; a code for one purpose is invalid for another. */
export type CodePurpose = "sign-up" | "login" | "reset" | "contact" | "step-up" | "withdraw" | "release";

export const CODE_DIGITS = 6;
export const CODE_MS = 10 * 60_000;
export const CODE_TRIES = 5;
export const RESEND_MS = 60_000;
/** Limits messages and their cost per receiver. */
export const CODES_PER_DAY = 30;
export const DAY_MS = 86_400_000;

export function codeKey(purpose: CodePurpose, receiver: string): string {
  return `${purpose}:${receiver}`;
}

/** What a code's mark is bound to: one that names what it is good for is worthless for anything else. */
export function codeContext(key: string, subject: string): string {
  return subject === "" ? `code:${key}` : `code:${key} ${subject}`;
}

export function formatCode(number: number): string {
  return String(number).padStart(CODE_DIGITS, "0");
}
