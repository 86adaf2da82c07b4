// What passkeys want from others: the ceremony's arithmetic, the account, its sessions.

import type { SessionTokens } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import type { Kysely } from "kysely";
import type { Authentication, Registration } from "./contract.ts";

/** The site as the visitor's browser sees it; keys are bound to it. */
export interface Site {
  readonly origin: string;
  readonly host: string;
}

export interface StoredKey {
  readonly id: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface Ceremonies {
  /** What to ask a browser for; the challenge inside is drawn here. */
  askForNew(
    site: Site,
    user: { readonly id: number; readonly name: string },
    known: readonly StoredKey[],
  ): Promise<{ readonly challenge: string; readonly options: object }>;
  askForKnown(site: Site): Promise<{ readonly challenge: string; readonly options: object }>;
  /** The challenge an answer claims to be for. */
  challengeOf(response: { readonly response: { readonly clientDataJSON: string } }): string | undefined;
  /** The new key, or nothing when anything about the answer is wrong. User verification is required. */
  checkNew(site: Site, challenge: string, response: Registration): Promise<StoredKey | undefined>;
  /** The key's new counter, or nothing when anything about the answer is wrong. */
  checkKnown(site: Site, challenge: string, response: Authentication, key: StoredKey): Promise<number | undefined>;
}

/** Whose change it is, and in which session. */
export interface Caller {
  readonly userId: number;
  readonly sessionId: string;
}

export interface PasskeyNeeds extends Ceremonies {
  /** The version is the account's security version, read before the rest. */
  findUser(
    userId: number,
  ): Promise<{ readonly name: string; readonly isFrozen: boolean; readonly version: number } | undefined>;
  isVerified(sessionId: string, timeMs: number): Promise<boolean>;
  /** A new name for the session, with a second factor proved just now. */
  proveSession(caller: Caller, timeMs: number): Promise<SessionTokens | null>;
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
  /** Rests withdrawals where the rule says so. */
  rest(kysely: Kysely<unknown>, userId: number, change: PasskeyChange, timeMs: number): Promise<void>;
  /** Tells the owner. */
  notify(userId: number, change: PasskeyChange, timeMs: number): Promise<void>;
}

export type PasskeyChange = "passkey-bound" | "passkey-removed";
