// What security takes of users, codes and sessions, and of passkeys above it.

import type { SessionTokens } from "@clockwork/host/route";
import type { Vault } from "@clockwork/host/vault";
import type { AccountName } from "@clockwork/kit/account";
import type { Kysely } from "kysely";
import type { Checks, CodeAbout } from "../codes/checks.ts";
import type { CodeService } from "../codes/service.ts";
import type { Caller, SessionService } from "../sessions/service.ts";
import type { Change } from "./changes.ts";

export interface Owner {
  readonly userId: number;
  readonly email: string | null;
  readonly phone: string | null;
  readonly passwordHash: string;
  readonly isFrozen: boolean;
  /** Closed by its owner: no code releases it. */
  readonly isClosed: boolean;
  readonly contact: AccountName;
  /** The security version, read before everything above. */
  readonly version: number;
}

/** Account events the owner is notified of by mail and letter. */
export type SecurityEvent =
  | "totp-bound"
  | "totp-removed"
  | "trade-password-set"
  | "trade-password-changed"
  | "anti-phishing-set"
  | "frozen"
  | "released"
  | "closed";

/** One movement of money a code confirms: what it is bound to, and how the message names it. */
export interface CodeSubject extends Pick<CodeAbout, "title" | "lines"> {
  readonly key: string;
}

export interface SecurityNeeds
  extends Vault,
    Pick<Checks, "isCaptchaSolved" | "mintCode" | "sendCode" | "hashPassword" | "verifyPassword" | "guardTries">,
    Pick<SessionService, "change" | "changeAt" | "revoke" | "isVerified" | "knowsDevice"> {
  readonly checkCode: CodeService["check"];
  readonly notify: Change<SecurityEvent>;
  random(length: number): Uint8Array;
  findOwner(userId: number): Promise<Owner | undefined>;
  findOwnerByName(name: AccountName): Promise<Owner | undefined>;
  hasPasskeys(userId: number): Promise<boolean>;
  /** Operators froze the account: only they release it. */
  isHeldByOperator(userId: number): Promise<boolean>;
  setFrozen(kysely: Kysely<unknown>, userId: number, isFrozen: boolean): Promise<void>;
  setClosed(kysely: Kysely<unknown>, userId: number, timeMs: number): Promise<void>;
  holdsAssets(userId: number): Promise<boolean>;
  /** A new name for the session, with a fresh proof. */
  proveSession(caller: Caller, timeMs: number): Promise<SessionTokens | null>;
}
