// Signing in by QR code: shown in one browser, scanned and confirmed on a signed-in device, valid for two minutes. NEW
// → SCANNED → CONFIRMED or REJECTED; after that EXPIRED.

import type { SessionTokens } from "@clockwork/host/route";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { Caller, Client } from "../sessions/service.ts";
import type { QrNeeds } from "./needs.ts";
import type { QrRefusal } from "./refusals.ts";
import type { QrRow, QrStore } from "./store.ts";

export interface QrShown {
  readonly id: string;
  readonly secret: string;
  readonly expiresAtMs: number;
}

export interface QrStatus {
  readonly state: "NEW" | "SCANNED" | "CONFIRMED" | "REJECTED" | "EXPIRED";
  readonly userId?: number;
  readonly tokens?: SessionTokens;
}

export interface QrParts {
  readonly store: QrStore;
  readonly needs: QrNeeds;
}

export const QR_MS = 120_000;
const NOBODY = 0;
const PRUNE_EVERY = 64;

export class QrService {
  readonly #parts: QrParts;
  #shown = 0;

  constructor(parts: QrParts) {
    this.#parts = parts;
  }

  async show(client: Client, timeMs: number): Promise<QrShown> {
    const { store, needs } = this.#parts;
    const [id, secret] = [needs.randomId(), needs.randomId()];
    this.#shown += 1;
    if (this.#shown % PRUNE_EVERY === 0) await store.remove(timeMs - QR_MS);
    await store.add({
      id,
      secret: needs.mark(secret, "qr"),
      state: "NEW",
      user_id: NOBODY,
      device_name: client.deviceName,
      address: client.address,
      expires_at_ms: timeMs + QR_MS,
      version: 0,
    });
    return { id, secret, expiresAtMs: timeMs + QR_MS };
  }

  /** The state of the QR code, for the browser that shows it; once confirmed, its session. */
  async readStatus(
    id: string,
    secret: string,
    client: Client,
    isKept: boolean,
    timeMs: number,
  ): Promise<Result<QrStatus, QrRefusal>> {
    const { store, needs } = this.#parts;
    const row = await store.find(id);
    if (row === undefined || row.secret !== needs.mark(secret, "qr")) return refused("QR_UNKNOWN");
    if (row.state === "REJECTED") return done({ state: "REJECTED" });
    if (row.state === "DONE" || row.expires_at_ms <= timeMs) return done({ state: "EXPIRED" });
    if (row.state !== "CONFIRMED") return done({ state: row.state });
    const from = { state: "CONFIRMED", userId: row.user_id } as const;
    const taken = await store.step(id, from, { ...from, state: "DONE" }, timeMs);
    const user = await needs.findUser(row.user_id);
    if (taken === undefined || user === undefined) return done({ state: "EXPIRED" });
    if (user.isFrozen) return refused("ACCOUNT_FROZEN");
    const isNew = !(await needs.knowsDevice(row.user_id, client.deviceKey));
    const confirmed = { userId: row.user_id, version: taken.version };
    const tokens = await needs.openSession(confirmed, client, isKept, timeMs);
    // The account's security was changed after the confirmation, which is invalid then.
    if (tokens === null) return done({ state: "EXPIRED" });
    if (isNew) await needs.onNewDevice(row.user_id, { name: client.deviceName, address: client.address }, timeMs);
    return done({ state: "CONFIRMED", userId: row.user_id, tokens });
  }

  /** A signed-in device has scanned the code: only this user can confirm it now. */
  async scan(userId: number, id: string, timeMs: number): Promise<Result<QrRow, QrRefusal>> {
    const from = { state: "NEW", userId: NOBODY } as const;
    const row = await this.#parts.store.step(id, from, { state: "SCANNED", userId }, timeMs);
    return row === undefined ? refused("QR_UNKNOWN") : done(row);
  }

  async decide(caller: Caller, id: string, isAccepted: boolean, timeMs: number): Promise<Result<null, QrRefusal>> {
    const { userId } = caller;
    const version = await this.#parts.needs.versionOf(caller);
    if (version === undefined) return refused("UNAUTHENTICATED");
    const to = { state: isAccepted ? "CONFIRMED" : "REJECTED", userId, version } as const;
    const row = await this.#parts.store.step(id, { state: "SCANNED", userId }, to, timeMs);
    return row === undefined ? refused("QR_UNKNOWN") : done(null);
  }
}
