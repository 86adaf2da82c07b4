// The ports of passkeys: the ceremony's arithmetic, the account, its sessions.

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
  /** The options for the browser; the challenge inside is drawn here. */
  askForNew(
    site: Site,
    user: { readonly id: number; readonly name: string },
    known: readonly StoredKey[],
  ): Promise<{ readonly challenge: string; readonly options: object }>;
  askForKnown(site: Site): Promise<{ readonly challenge: string; readonly options: object }>;
  /** The challenge an answer claims to be for. */
  challengeOf(response: { readonly response: { readonly clientDataJSON: string } }): string | undefined;
  /** The new key, or undefined when anything in the answer is wrong. User verification is required. */
  checkNew(site: Site, challenge: string, response: Registration): Promise<StoredKey | undefined>;
  /** The key's new counter, or undefined when anything in the answer is wrong. */
  checkKnown(site: Site, challenge: string, response: Authentication, key: StoredKey): Promise<number | undefined>;
}

/** The user and session of a change. */
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
  /** Renames the session, with a second factor proved just now. */
  proveSession(caller: Caller, timeMs: number): Promise<SessionTokens | null>;
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
  /** Suspends withdrawals where the rule requires it. */
  rest(kysely: Kysely<unknown>, userId: number, change: PasskeyChange, timeMs: number): Promise<void>;
  /** Notifies the owner. */
  notify(userId: number, change: PasskeyChange, timeMs: number): Promise<void>;
}

export type PasskeyChange = "passkey-bound" | "passkey-removed";
