// The ports of API keys: the account's security, random text, the vault, and listeners of changes.

import type { SessionTokens } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import type { Kysely } from "kysely";
import type { KeyLimits } from "./contract.ts";

/** The user and session of a change. */
export interface Caller {
  readonly userId: number;
  readonly sessionId: string;
}

/** Events of a key its owner is notified of. */
export type KeyChange = "added" | "changed" | "removed" | "ending";

export interface ApiKeyNeeds {
  /** Into the owner's activity log. */
  record(userId: number, sessionId: string | undefined, kind: string, timeMs: number): Promise<void>;
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
  /** Letters and digits. */
  randomText(length: number): string;
  /** The current usage by programs of this account and from this address. */
  readLimits(userId: number, address: string, timeMs: number): KeyLimits;
  /** Simulated traders drive the markets. */
  isSimulated(): boolean;
  /** Identity level, which limits the permissions of a key. */
  levelOf(userId: number, timeMs: number): Promise<number>;
  /** False while the account is frozen or missing. */
  isActive(userId: number): Promise<boolean>;
  /** One transaction for a change of the account's security; see the security slice. */
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
  /** Notifies the owner by letter and mail, once for each time. */
  notify(
    userId: number,
    change: KeyChange,
    key: { readonly apiKey: string; readonly label: string },
    timeMs: number,
  ): Promise<void>;
  /** The key is invalid or has changed: connections that use it must close. */
  onChanged(apiKey: string): void;
}
