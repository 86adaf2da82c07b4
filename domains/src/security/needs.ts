// What the security slice wants from others.
import type { AccountName } from "@clockwork/kit/account";
import type { Result } from "@clockwork/kit/result";
import type { SessionTokens } from "@clockwork/kit/route";

export interface Busy {
  readonly retryAfterSeconds: number;
}

export interface Owner {
  readonly userId: number;
  readonly email: string | null;
  readonly phone: string | null;
  readonly passwordHash: string;
  readonly isFrozen: boolean;
  readonly contact: AccountName;
}

/** What happened to an account, told to its owner by mail and letter. */
export type SecurityEvent =
  | "totp-bound"
  | "totp-removed"
  | "trade-password-set"
  | "trade-password-changed"
  | "anti-phishing-set"
  | "frozen"
  | "released";

export interface SecurityNeeds {
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
  mark(text: string, context: string): string;
  random(length: number): Uint8Array;
  hashPassword(password: string): Promise<string | Busy>;
  verifyPassword(password: string, hash: string | undefined): Promise<boolean | Busy>;
  findOwner(userId: number): Promise<Owner | undefined>;
  findOwnerByName(name: AccountName): Promise<Owner | undefined>;
  hasPasskeys(userId: number): Promise<boolean>;
  setFrozen(userId: number, isFrozen: boolean): Promise<void>;
  endSessions(userId: number): Promise<void>;
  isVerified(sessionId: string, timeMs: number): Promise<boolean>;
  /** A new name for the session, with a fresh proof where one was given. */
  renewSession(sessionId: string, isVerified: boolean | undefined, timeMs: number): Promise<SessionTokens | null>;
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  mintCode(purpose: "step-up" | "release", receiver: string, timeMs: number): Promise<Result<string, "CODE_TOO_SOON">>;
  checkCode(purpose: "step-up" | "release", receiver: string, code: string, timeMs: number): Promise<boolean>;
  sendCode(
    to: AccountName,
    purpose: "step-up" | "release",
    code: string,
    isVoid: boolean,
    timeMs: number,
  ): Promise<void>;
  /** Counts tries; Busy while there were too many wrong ones. */
  guardTries(key: string, isRight: () => Promise<boolean | Busy>, timeMs: number): Promise<boolean | Busy>;
  tell(userId: number, event: SecurityEvent, timeMs: number): Promise<void>;
}
