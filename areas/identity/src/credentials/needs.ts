// The ports of passwords and contacts: the account's row, codes, hashing, messages, sessions.

import type { SessionTokens } from "@clockwork/host/route";
import type { AccountName } from "@clockwork/kit/account";
import type { Result } from "@clockwork/kit/result";
import type { Kysely } from "kysely";

export interface Busy {
  readonly retryAfterSeconds: number;
}

export interface Owner {
  readonly id: number;
  readonly email: string | null;
  readonly phone: string | null;
  readonly password_hash: string;
}

/** The user and session of a change. */
export interface Caller {
  readonly userId: number;
  readonly sessionId: string;
}

export type CodePurpose = "reset" | "contact";

interface AccountNeeds {
  find(userId: number): Promise<Owner | undefined>;
  findByName(name: AccountName): Promise<Owner | undefined>;
  setPassword(kysely: Kysely<unknown>, userId: number, hash: string): Promise<void>;
  /** False when another account has it. */
  setContact(kysely: Kysely<unknown>, userId: number, name: AccountName): Promise<boolean>;
}

interface CodeNeeds {
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  mintCode(purpose: CodePurpose, receiver: string, timeMs: number): Promise<Result<string, "CODE_TOO_SOON">>;
  /**
   * Counts wrong codes of a purpose over all of its codes, under the given name and, with a higher limit, under further
   * keys; Busy after too many.
   */
  checkCode(
    purpose: CodePurpose,
    receiver: string,
    code: string,
    countedAs: string,
    timeMs: number,
    countedTogetherAs?: string,
  ): Promise<boolean | Busy>;
  /** Written like any other message; a void one is sent to no one. */
  sendCode(to: AccountName, purpose: CodePurpose, code: string, isVoid: boolean, timeMs: number): Promise<void>;
}

interface PasswordNeeds {
  hashPassword(password: string): Promise<string | Busy>;
  verifyPassword(password: string, hash: string | undefined): Promise<boolean | Busy>;
}

export interface CredentialNeeds extends AccountNeeds, CodeNeeds, PasswordNeeds {
  mark(text: string, context: string): string;
  knowsDevice(userId: number, deviceKey: string): Promise<boolean>;
  randomId(): string;
  hasTotp(userId: number): Promise<boolean>;
  checkTotp(userId: number, code: string, timeMs: number): Promise<boolean>;
  /** False while a second factor proved in this session is older than five minutes. */
  isVerified(sessionId: string, timeMs: number): Promise<boolean>;
  /** The account's security version; read before everything that depends on it. */
  versionOf(userId: number): Promise<number>;
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
  revoke<Code extends string>(
    userId: number,
    write: (kysely: Kysely<unknown>, version: number) => Promise<Result<null, Code>>,
  ): Promise<Result<null, Code>>;
  /** Suspends withdrawals. */
  rest(kysely: Kysely<unknown>, userId: number, change: CredentialChange, timeMs: number): Promise<void>;
  /** Notifies the owner. */
  notify(userId: number, change: CredentialChange, timeMs: number): Promise<void>;
  /** Lifts the lock of wrong passwords. */
  forgiveTries(kysely: Kysely<unknown>, userId: number): Promise<void>;
  /** Counts tries of a password in a signed-in session, by the owner or another person at the device. */
  guardTries(key: string, isRight: () => Promise<boolean | Busy>, timeMs: number): Promise<boolean | Busy>;
}

export type CredentialChange =
  | "password-reset"
  | "password-changed"
  | "email-bound"
  | "email-changed"
  | "phone-bound"
  | "phone-changed";
