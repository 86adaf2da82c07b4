// The ports of sessions: the account, checks of passwords and codes, the notice.
import type { AccountName } from "@clockwork/kit/account";
import type { Result } from "@clockwork/kit/result";

export interface LoginAccount {
  readonly userId: number;
  readonly passwordHash: string;
  readonly isFrozen: boolean;
  /** Where codes go. */
  readonly contact: AccountName;
  /** The security version, read before everything above. */
  readonly version: number;
}

export interface Busy {
  readonly retryAfterSeconds: number;
}

/** Creates and parses tokens. */
export interface TokenNeeds {
  /** A keyed digest. */
  mark(text: string, context: string): string;
  /** An unpredictable name. */
  randomId(): string;
}

export interface SessionNeeds extends TokenNeeds {
  /** Closes every socket of these sessions. */
  endSockets(sessionIds: readonly string[]): void;
  /** Every session of the account was ended. */
  onRevoked(userId: number): void;
  /** A renewed secret was used twice: it was stolen. The session has ended already. */
  onStolen(userId: number, timeMs: number): Promise<void>;
}

export interface LoginNeeds extends TokenNeeds {
  findAccount(name: AccountName): Promise<LoginAccount | undefined>;
  findUser(userId: number): Promise<LoginAccount | undefined>;
  /** Set when no further password can be queued, counting those ahead. */
  hashBusy(ahead: number): Busy | undefined;
  /** The same work whether there is a hash or not. */
  verifyPassword(password: string, hash: string | undefined): Promise<boolean | Busy>;
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  hasTotp(userId: number): Promise<boolean>;
  checkTotp(userId: number, code: string, timeMs: number): Promise<boolean>;
  mintCode(contact: AccountName, timeMs: number): Promise<Result<string, "CODE_TOO_SOON">>;
  sendCode(userId: number, contact: AccountName, code: string, timeMs: number): Promise<void>;
  checkCode(contact: AccountName, code: string, timeMs: number): Promise<boolean>;
  onNewDevice(userId: number, device: { name: string; address: string }, timeMs: number): Promise<void>;
}

/** This number of failures locks for this time; each further lock is twice as long. */
export interface TryRule {
  readonly triesMax: number;
  readonly lockMs: number;
}

interface Locked {
  readonly retryAfterSeconds: number;
}

/** The result of a try. `isRight` is absent when it was not judged; `locked` gives the time until the next one. */
export interface Verdict {
  readonly isRight?: boolean;
  readonly locked?: Locked;
}

/** Counts tries of secrets. */
export interface Attempts {
  /** Tries of all keys that queue behind another of their key. */
  readonly waiting: number;
  /** Judges one try, unless the key is locked. An undecided result does not count. */
  judge(key: string, rule: TryRule, timeMs: number, isRight: () => Promise<boolean | undefined>): Promise<Verdict>;
  /** Under each of these: refused while any is locked, counted for all. */
  judgeAll(
    counted: readonly { readonly key: string; readonly rule: TryRule }[],
    timeMs: number,
    isRight: () => Promise<boolean | undefined>,
  ): Promise<Verdict>;
  /** The remaining time when the key is locked. */
  peek(key: string, timeMs: number): Promise<Locked | undefined>;
  /** Counts a try that was wrong. */
  blame(key: string, rule: TryRule, timeMs: number): Promise<Locked | undefined>;
}
