// What API keys want from others: the account's security, random text, the vault, and whoever must hear of a change.

import type { SessionTokens } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import type { Kysely } from "kysely";
import type { KeyLimits } from "./contract.ts";

/** Whose change it is, and in which session. */
export interface Caller {
  readonly userId: number;
  readonly sessionId: string;
}

/** What its owner is told of a key. */
export type KeyChange = "added" | "changed" | "removed" | "ending";

export interface ApiKeyNeeds {
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
  /** Letters and digits. */
  randomText(length: number): string;
  /** What programs of this account and from this address used of the limits. */
  readLimits(userId: number, address: string, timeMs: number): KeyLimits;
  /** Simulated traders keep the markets alive. */
  isSimulated(): boolean;
  /** Identity level, for what a key may be allowed. */
  levelOf(userId: number, timeMs: number): Promise<number>;
  /** False while the account is frozen or gone. */
  isActive(userId: number): Promise<boolean>;
  /** One transaction for a change of the account's security; see the security slice. */
  change<Value, Code extends string>(
    caller: Caller,
    rule: { readonly needsProof: boolean; readonly endsOthers: boolean },
    timeMs: number,
    write: (kysely: Kysely<unknown>) => Promise<Result<Value, Code>>,
  ): Promise<
    Result<{ readonly value: Value; readonly tokens: SessionTokens }, Code | "UNAUTHENTICATED" | "STEP_UP_REQUIRED">
  >;
  /** Tells the owner by letter and mail, once for each time. */
  notify(
    userId: number,
    change: KeyChange,
    key: { readonly apiKey: string; readonly label: string },
    timeMs: number,
  ): Promise<void>;
  /** The key works no more, or by other rules: whoever holds a connection by it lets go. */
  onChanged(apiKey: string): void;
}
