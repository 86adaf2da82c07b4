// The ports of signing in by QR code: the account, a session for it, the notice.
import type { SessionTokens } from "@clockwork/host/route";

/** Where a call comes from. */
export interface Client {
  readonly address: string;
  readonly deviceKey: string;
  readonly deviceName: string;
}

export interface Caller {
  readonly userId: number;
  readonly sessionId: string;
}

export interface QrNeeds {
  /** A keyed digest. */
  mark(text: string, context: string): string;
  /** An unpredictable name. */
  randomId(): string;
  findUser(userId: number): Promise<{ readonly isFrozen: boolean } | undefined>;
  knowsDevice(userId: number, deviceKey: string): Promise<boolean>;
  /** The security version of an active session. */
  versionOf(caller: Caller): Promise<number | undefined>;
  /** Undefined when the account's security has changed since that version. */
  openSession(
    confirmed: { readonly userId: number; readonly version: number },
    client: Client,
    isKept: boolean,
    timeMs: number,
  ): Promise<SessionTokens | null>;
  onNewDevice(userId: number, device: { name: string; address: string }, timeMs: number): Promise<void>;
}
