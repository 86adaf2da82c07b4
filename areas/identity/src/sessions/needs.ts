// The ports of sessions: the account, checks of passwords and codes, the notice.

import type { Vault } from "@clockwork/host/vault";
import type { AccountName } from "@clockwork/kit/account";
import type { Result } from "@clockwork/kit/result";
import type { RetryAfter } from "../attempts/rules.ts";

export interface LoginAccount {
  readonly userId: number;
  readonly passwordHash: string;
  readonly isFrozen: boolean;
  /** Where codes go. */
  readonly contact: AccountName;
  /** The security version, read before everything above. */
  readonly version: number;
}

/** Creates and parses tokens. */
export interface TokenNeeds extends Pick<Vault, "mark"> {
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
  hashBusy(ahead: number): RetryAfter | undefined;
  /** The same work whether there is a hash or not. */
  verifyPassword(password: string, hash: string | undefined): Promise<boolean | RetryAfter>;
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  hasTotp(userId: number): Promise<boolean>;
  checkTotp(userId: number, code: string, timeMs: number): Promise<boolean>;
  mintCode(contact: AccountName, timeMs: number): Promise<Result<string, "CODE_TOO_SOON">>;
  sendCode(userId: number, contact: AccountName, code: string, timeMs: number): Promise<void>;
  checkCode(contact: AccountName, code: string, timeMs: number): Promise<boolean>;
  onNewDevice(userId: number, device: { name: string; address: string }, timeMs: number): Promise<void>;
}
