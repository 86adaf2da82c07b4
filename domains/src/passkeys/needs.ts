// What passkeys want from others: the ceremony's arithmetic, the account, its sessions.
import type { SessionTokens } from "@clockwork/kit/route";
import type { Authentication, Registration } from "./api.ts";

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

export interface PasskeyNeeds extends Ceremonies {
  findUser(userId: number): Promise<{ readonly name: string; readonly isFrozen: boolean } | undefined>;
  isVerified(sessionId: string, timeMs: number): Promise<boolean>;
  renewSession(sessionId: string, timeMs: number): Promise<SessionTokens | null>;
  /** A new name for the session, with a second factor proved just now. */
  proveSession(sessionId: string, timeMs: number): Promise<SessionTokens | null>;
  /** Rests withdrawals where the rule says so, and tells the owner. */
  onChanged(userId: number, change: "passkey-bound" | "passkey-removed", timeMs: number): Promise<void>;
}
