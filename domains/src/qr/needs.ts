// What signing in by picture wants from others: who an account is, a session for it, whom to tell.
import type { SessionTokens } from "@clockwork/kit/route";

/** Where a call comes from. */
export interface Client {
  readonly address: string;
  readonly deviceKey: string;
  readonly deviceName: string;
}

export interface QrNeeds {
  /** A keyed digest nobody else can make. */
  mark(text: string, context: string): string;
  /** An unpredictable name. */
  randomId(): string;
  findUser(userId: number): Promise<{ readonly isFrozen: boolean } | undefined>;
  knowsDevice(userId: number, deviceKey: string): Promise<boolean>;
  openSession(userId: number, client: Client, isKept: boolean, timeMs: number): Promise<SessionTokens>;
  onNewDevice(userId: number, device: { name: string; address: string }, timeMs: number): Promise<void>;
}
