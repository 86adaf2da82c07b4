// What signing in by QR code takes of users and sessions.

import type { SessionTokens } from "@clockwork/host/route";
import type { TokenNeeds } from "../sessions/needs.ts";
import type { Caller, Client, SessionService } from "../sessions/service.ts";

export interface QrNeeds extends TokenNeeds, Pick<SessionService, "knowsDevice"> {
  findUser(userId: number): Promise<{ readonly isFrozen: boolean } | undefined>;
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
