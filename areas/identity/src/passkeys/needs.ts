// What passkeys take of the ceremony's arithmetic, the account and its sessions.

import type { SessionTokens } from "@clockwork/host/route";
import type { Change, Rest } from "../security/changes.ts";
import type { Caller, SessionService } from "../sessions/service.ts";
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

export interface PasskeyNeeds extends Ceremonies, Pick<SessionService, "change" | "isVerified"> {
  readonly rest: Rest<PasskeyChange>;
  readonly notify: Change<PasskeyChange>;
  /** The version is the account's security version, read before the rest. */
  findUser(
    userId: number,
  ): Promise<{ readonly name: string; readonly isFrozen: boolean; readonly version: number } | undefined>;
  /** Renames the session, with a second factor proved just now. */
  proveSession(caller: Caller, timeMs: number): Promise<SessionTokens | null>;
}

export type PasskeyChange = "passkey-bound" | "passkey-removed";
