// The ports of API keys: the account's security, random text, the vault, and listeners of changes.

import type { Sealing } from "@clockwork/host/vault";
import type { SessionService } from "../sessions/service.ts";
import type { KeyLimits } from "./contract.ts";

/** Events of a key its owner is notified of. */
export type KeyChange = "added" | "changed" | "removed" | "ending";

export interface ApiKeyNeeds extends Sealing, Pick<SessionService, "change"> {
  /** Into the owner's activity log. */
  record(userId: number, sessionId: string | undefined, kind: string, timeMs: number): Promise<void>;
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
