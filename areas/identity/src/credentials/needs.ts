// What passwords and contacts want from others: the account's row, codes, hashing, messages, sessions.

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

/** Whose change it is, and in which session. */
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
   * Counts wrong codes of a purpose over all of its codes, under the given name and, more generously, under whatever else is
   * given; Busy while there were too many.
   */
  checkCode(
    purpose: CodePurpose,
    receiver: string,
    code: string,
    countedAs: string,
    timeMs: number,
    countedTogetherAs?: string,
  ): Promise<boolean | Busy>;
  /** Written like any other message; a void one reaches nobody. */
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
  /** The account's security version; read before what rests on it. */
  versionOf(userId: number): Promise<number>;
  /**
   * One transaction for a change of the account's security: refused unless the session lives and has a fresh proof, and
   * with it whatever `write` refuses. The session gets a new name; others end or are carried over. `write` uses nothing
   * but the given connection.
   */
  change<Value, Code extends string>(
    caller: Caller,
    rule: { readonly needsProof: boolean; readonly endsOthers: boolean },
    timeMs: number,
    write: (kysely: Kysely<unknown>) => Promise<Result<Value, Code>>,
  ): Promise<
    Result<{ readonly value: Value; readonly tokens: SessionTokens }, Code | "UNAUTHENTICATED" | "STEP_UP_REQUIRED">
  >;
  /** One transaction that ends every session of the account together with what is written. */
  revoke<Code extends string>(
    userId: number,
    write: (kysely: Kysely<unknown>, version: number) => Promise<Result<null, Code>>,
  ): Promise<Result<null, Code>>;
  /** Rests withdrawals. */
  rest(kysely: Kysely<unknown>, userId: number, change: CredentialChange, timeMs: number): Promise<void>;
  /** Tells the owner. */
  notify(userId: number, change: CredentialChange, timeMs: number): Promise<void>;
  /** Lifts the lock of wrong passwords. */
  forgiveTries(kysely: Kysely<unknown>, userId: number): Promise<void>;
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
