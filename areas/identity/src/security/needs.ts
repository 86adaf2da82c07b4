// The ports of the security slice.

import type { SessionTokens } from "@clockwork/host/route";
import type { AccountName } from "@clockwork/kit/account";
import type { Result } from "@clockwork/kit/result";
import type { Kysely } from "kysely";

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
  /** The security version, read before everything above. */
  readonly version: number;
}

/** The user and session of a change. */
export interface Caller {
  readonly userId: number;
  readonly sessionId: string;
}

/** Account events the owner is notified of by mail and letter. */
export type SecurityEvent =
  | "totp-bound"
  | "totp-removed"
  | "trade-password-set"
  | "trade-password-changed"
  | "anti-phishing-set"
  | "frozen"
  | "released";

type SentPurpose = "step-up" | "withdraw" | "release";

/** What a sent code names in its message, and whose freezing the message offers. */
export interface CodeAbout {
  readonly userId: number;
  readonly title: string;
  readonly lines: readonly string[];
}

/** One movement of money a code confirms: what it is bound to, and how the message names it. */
export interface CodeSubject extends Pick<CodeAbout, "title" | "lines"> {
  readonly key: string;
}

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
  /** Operators froze the account: only they release it. */
  isHeldByOperator(userId: number): Promise<boolean>;
  setFrozen(kysely: Kysely<unknown>, userId: number, isFrozen: boolean): Promise<void>;
  /**
   * One transaction for a change of the account's security: refused unless the session is active and has a fresh proof,
   * and with the refusals of `write`. The session is renamed; others end or are carried over. `write` uses only the
   * given connection.
   */
  change<Value, Code extends string>(
    caller: Caller,
    rule: {
      readonly needsProof: boolean;
      readonly endsOthers: boolean;
      readonly activity: string | ((value: Value) => string);
    },
    timeMs: number,
    write: (kysely: Kysely<unknown>) => Promise<Result<Value, Code>>,
  ): Promise<
    Result<{ readonly value: Value; readonly tokens: SessionTokens }, Code | "UNAUTHENTICATED" | "STEP_UP_REQUIRED">
  >;
  /** One transaction that ends every session of the account together with the write. */
  revoke(
    userId: number,
    write: (kysely: Kysely<unknown>) => Promise<Result<null, never>>,
  ): Promise<Result<null, never>>;
  /** One transaction for a change based on the account at a security version. */
  changeAt(
    userId: number,
    version: number,
    write: (kysely: Kysely<unknown>) => Promise<Result<null, never>>,
  ): Promise<Result<null, "OVERTAKEN">>;
  isVerified(sessionId: string, timeMs: number): Promise<boolean>;
  /** A new name for the session, with a fresh proof. */
  proveSession(caller: Caller, timeMs: number): Promise<SessionTokens | null>;
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  mintCode(
    purpose: SentPurpose,
    receiver: string,
    timeMs: number,
    subject?: string,
  ): Promise<Result<string, "CODE_TOO_SOON">>;
  checkCode(purpose: SentPurpose, receiver: string, code: string, timeMs: number, subject?: string): Promise<boolean>;
  sendCode(
    to: AccountName,
    purpose: SentPurpose,
    code: string,
    isVoid: boolean,
    timeMs: number,
    about?: CodeAbout,
  ): Promise<void>;
  /** Counts tries, with a higher limit also under the second key; Busy while there were too many wrong ones. */
  guardTries(
    key: string,
    isRight: () => Promise<boolean | Busy>,
    timeMs: number,
    together?: string,
  ): Promise<boolean | Busy>;
  knowsDevice(userId: number, deviceKey: string): Promise<boolean>;
  notify(userId: number, event: SecurityEvent, timeMs: number): Promise<void>;
}
