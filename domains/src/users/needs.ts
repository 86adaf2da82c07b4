// What the users slice wants from others: codes, hashing, messages, sessions, the core's accounts.
import type { AccountName } from "@clockwork/kit/account";
import type { Result } from "@clockwork/kit/result";
import type { SessionTokens } from "@clockwork/kit/route";

export interface Busy {
  readonly retryAfterSeconds: number;
}

export type UserCodePurpose = "sign-up" | "reset" | "contact";

/** The books every account begins with. */
export type FirstBook = "funding" | "spot";

export interface CodeNeeds {
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  mintCode(purpose: UserCodePurpose, receiver: string, timeMs: number): Promise<Result<string, "CODE_TOO_SOON">>;
  checkCode(purpose: UserCodePurpose, receiver: string, code: string, timeMs: number): Promise<boolean>;
  /** Written like any other message; a void one reaches nobody. */
  sendCode(to: AccountName, purpose: UserCodePurpose, code: string, isVoid: boolean, timeMs: number): Promise<void>;
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
  readonly identityPopup: boolean;
}

export interface UserNeeds extends CodeNeeds, PasswordNeeds {
  /** Somebody tried to sign up with an account that exists. */
  sendKnown(to: AccountName, timeMs: number): Promise<void>;
  /** The core's account for a book, made if need be; nothing when the core cannot answer now. */
  openBook(userId: number, book: FirstBook, isBlocked: boolean): Promise<number | undefined>;
  readExtras(userId: number): Promise<Extras>;
  /** A whole number from 0 to bound − 1 nobody can foretell. */
  randomBelow(bound: number): number;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}

export interface CredentialNeeds extends CodeNeeds, PasswordNeeds {
  mark(text: string, context: string): string;
  randomId(): string;
  hasTotp(userId: number): Promise<boolean>;
  checkTotp(userId: number, code: string, timeMs: number): Promise<boolean>;
  /** False while a second factor proved in this session is older than five minutes. */
  isVerified(sessionId: string, timeMs: number): Promise<boolean>;
  /** Ends every session but this one, and gives this one a new name. */
  renewAlone(userId: number, sessionId: string, timeMs: number): Promise<SessionTokens | null>;
  endSessions(userId: number): Promise<void>;
  /** Rests withdrawals and tells the owner. */
  onChanged(userId: number, change: CredentialChange, timeMs: number): Promise<void>;
  /** Counts tries of a password by its signed-in owner, or whoever sits at their desk. */
  guardTries(key: string, isRight: () => Promise<boolean | Busy>, timeMs: number): Promise<boolean | Busy>;
}

export type CredentialChange =
  | "password-reset"
  | "password-changed"
  | "email-bound"
  | "email-changed"
  | "phone-bound"
  | "phone-changed";
