// The ports of users: codes, hashing, messages, sessions, the core's accounts.
import type { AccountName } from "@clockwork/kit/account";
import type { Result } from "@clockwork/kit/result";

export interface Busy {
  readonly retryAfterSeconds: number;
}

/** The initial books of every account. */
export type FirstBook = "funding" | "spot";

export interface CodeNeeds {
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  mintCode(purpose: "sign-up", receiver: string, timeMs: number): Promise<Result<string, "CODE_TOO_SOON">>;
  /** Counts wrong codes over all codes to a receiver; Busy while there were too many. */
  checkCode(purpose: "sign-up", receiver: string, code: string, timeMs: number): Promise<boolean | Busy>;
  /** Written like any other message; a void one is sent to no one. */
  sendCode(to: AccountName, purpose: "sign-up", code: string, isVoid: boolean, timeMs: number): Promise<void>;
}

export interface PasswordNeeds {
  /** Something when no password can be hashed now. */
  hashBusy(): Busy | undefined;
  hashPassword(password: string): Promise<string | Busy>;
  verifyPassword(password: string, hash: string | undefined): Promise<boolean | Busy>;
}

export interface Extras {
  readonly hasTotp: boolean;
  readonly hasTradePassword: boolean;
  readonly unreadLetters: number;
  readonly kycLevel: number;
  readonly vipLevel: number;
  readonly identityPopup: boolean;
}

export interface UserNeeds extends CodeNeeds, PasswordNeeds {
  /** A sign-up with an existing account. */
  sendKnown(to: AccountName, timeMs: number): Promise<void>;
  /** The core's account for a book, opened if needed; undefined when the core cannot answer now. */
  openBook(userId: number, book: FirstBook, isBlocked: boolean): Promise<number | undefined>;
  /** The owner and terms of a link by its code; a user's own code may have none. */
  findLink(code: string): Promise<{ readonly ownerId: number; readonly friendPercent: number } | undefined>;
  readExtras(userId: number): Promise<Extras>;
  /** An unpredictable whole number from 0 to bound − 1. */
  randomBelow(bound: number): number;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
