// Sessions: opened, read, renewed, renamed at every change of rights, ended here or everywhere. Never reveals one
// user's session to another, and never serves an ended one: caches are evicted with it. Every change of an account's
// security raises its version, so that it wins every race against what started before.

import type { SessionTokens } from "@clockwork/host/route";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { Kysely } from "kysely";
import type { ActivityPage, SessionList } from "./contract.ts";
import type { SessionNeeds } from "./needs.ts";
import { SessionReading } from "./reading-service.ts";
import {
  DEVICES_MAX,
  drawTokens,
  handleOf,
  hasEnded,
  isCurrent,
  KEPT_MS,
  readRefresh,
  renameId,
  SESSIONS_MAX,
  STEP_UP_MS,
} from "./rules.ts";
import type { ActivityRow, DeviceRow, SessionRow, SessionStore } from "./store.ts";

/** Where a call comes from. */
export interface Client {
  readonly address: string;
  readonly deviceKey: string;
  readonly deviceName: string;
}

export interface OpenOptions {
  readonly isKept: boolean;
  /** A second factor was just proved. */
  readonly isVerified: boolean;
  readonly method: "sign-up" | "password" | "passkey" | "qr" | "social" | "operator";
}

/** How a change by a session's owner leaves the sessions. */
export interface ChangeRule<Value = unknown> {
  /** A second factor must have been proved in this session just before. */
  readonly needsProof: boolean;
  /** Every other session ends; otherwise they are carried over. */
  readonly endsOthers: boolean;
  /** How the owner's activity log calls it. */
  readonly activity: string | ((value: Value) => string);
}

/** The user and session of a change. */
export interface Caller {
  readonly userId: number;
  readonly sessionId: string;
}

type Write<Value, Code extends string> = (kysely: Kysely<unknown>, version: number) => Promise<Result<Value, Code>>;

const ACTIVITY_PAGE = 50;
const ACTIVITY_MS = 365 * 86_400_000;
const SWEEP_EVERY = 256;

export class SessionService {
  readonly #store: SessionStore;
  readonly #needs: SessionNeeds;
  /** Resolves tokens; notified at once of every end. */
  readonly reading: SessionReading;
  #opened = 0;

  constructor({ store, needs }: { readonly store: SessionStore; readonly needs: SessionNeeds }) {
    this.#store = store;
    this.#needs = needs;
    this.reading = new SessionReading(store, needs.mark);
  }

  /**
   * The account's security version. Read before the account itself, it shows whether that was still current at the end.
   */
  versionOf(userId: number): Promise<number> {
    return this.#store.readVersion(userId);
  }

  /** Undefined when the account's security was changed since its version was read. */
  async open(
    { userId, version }: { readonly userId: number; readonly version: number },
    client: Client,
    options: OpenOptions,
    timeMs: number,
  ): Promise<SessionTokens | null> {
    const row: SessionRow = {
      id: this.#needs.randomId(),
      user_id: userId,
      generation: 0,
      rotated_at_ms: timeMs,
      created_at_ms: timeMs,
      seen_at_ms: timeMs,
      ends_at_ms: timeMs + KEPT_MS,
      is_kept: options.isKept,
      verified_at_ms: options.isVerified ? timeMs : 0,
      device_key: client.deviceKey,
      device_name: client.deviceName,
      address: client.address,
      method: options.method,
      version,
    };
    const opened = await this.#store.underLock(userId, async (inside) => {
      if (inside.version !== version) return refused("OVERTAKEN");
      await inside.store.add(row);
      if (client.deviceKey !== "") await inside.store.saveDevice(deviceRow(userId, client, timeMs));
      await inside.store.addActivity(activityRow(userId, `signed-in:${options.method}`, client, timeMs));
      // The oldest sessions are removed.
      const surplus = (await inside.store.listOf(userId)).slice(SESSIONS_MAX).map(({ id }) => id);
      await inside.store.remove(surplus);
      return done(surplus);
    });
    if (!opened.done) return null;
    this.#remove(opened.value);
    await this.#sweep(timeMs);
    return drawTokens(row, timeMs, this.#needs.mark, true);
  }

  /** A change of the account's security by one of its sessions, which gets a new name by it. */
  async change<Value, Code extends string>(
    { userId, sessionId }: Caller,
    rule: ChangeRule<Value>,
    timeMs: number,
    write: Write<Value, Code>,
  ): Promise<
    Result<{ readonly value: Value; readonly tokens: SessionTokens }, Code | "UNAUTHENTICATED" | "STEP_UP_REQUIRED">
  > {
    type Refused = Code | "UNAUTHENTICATED" | "STEP_UP_REQUIRED";
    type Changed = { readonly value: Value; readonly row: SessionRow; readonly ended: readonly string[] };
    const changed = await this.#store.underLock<Changed, Refused>(userId, async ({ store, kysely, version }) => {
      const row = await store.find(sessionId);
      if (row?.user_id !== userId || hasEnded(row, timeMs)) return refused("UNAUTHENTICATED");
      if (rule.needsProof && timeMs - row.verified_at_ms > STEP_UP_MS) return refused("STEP_UP_REQUIRED");
      const written = await write(kysely, version);
      if (!written.done) return written;
      const { activity } = rule;
      const kind = typeof activity === "string" ? activity : activity(written.value);
      await store.addActivity(activityRow(userId, kind, clientOf(row), timeMs));
      const next = version + 1;
      await store.setVersion(userId, next);
      const ended = rule.endsOthers ? await store.removeOf(userId, { exceptId: sessionId }) : [];
      await store.carryOver(userId, version, next);
      const renamed = await store.rename(sessionId, this.#freshName(sessionId, timeMs));
      return renamed === undefined ? refused("UNAUTHENTICATED") : done({ value: written.value, row: renamed, ended });
    });
    if (!changed.done) return changed;
    const { value, row, ended } = changed.value;
    this.#remove([sessionId, ...ended]);
    return done({ value, tokens: drawTokens(row, timeMs, this.#needs.mark, true) });
  }

  /** Ends every session of the account, together with the change that causes it. */
  async revoke<Value = null, Code extends string = never>(
    userId: number,
    write?: Write<Value, Code>,
  ): Promise<Result<Value | null, Code>> {
    type Ended = { readonly value: Value | null; readonly ended: readonly string[] };
    const revoked = await this.#store.underLock<Ended, Code>(userId, async ({ store, kysely, version }) => {
      const written = (await write?.(kysely, version)) ?? done(null);
      if (!written.done) return written;
      await store.setVersion(userId, version + 1);
      return done({ value: written.value, ended: await store.removeOf(userId) });
    });
    if (!revoked.done) return revoked;
    this.#remove(revoked.value.ended);
    this.#needs.onRevoked(userId);
    return done(revoked.value.value);
  }

  /** A change that depends on data read at a security version and leaves the sessions unchanged. */
  changeAt<Value, Code extends string>(
    userId: number,
    version: number,
    write: Write<Value, Code>,
  ): Promise<Result<Value, Code | "OVERTAKEN">> {
    return this.#store.underLock<Value, Code | "OVERTAKEN">(userId, async (inside) =>
      inside.version === version ? write(inside.kysely, version) : refused("OVERTAKEN"),
    );
  }

  /** New tokens for a web session. A secret renewed long ago was stolen: the session ends. */
  async refresh(secret: string, timeMs: number): Promise<SessionTokens | null> {
    const read = readRefresh(secret, this.#needs.mark);
    const row = read === undefined ? undefined : await this.#store.find(read.sessionId);
    if (read === undefined || row === undefined) return null;
    if (hasEnded(row, timeMs)) {
      await this.#end(row.user_id, row.id);
      return null;
    }
    if (!isCurrent(row, read.generation, timeMs)) {
      await this.#end(row.user_id, row.id);
      await this.record(row.user_id, "token-reuse", clientOf(row), timeMs);
      await this.#needs.onStolen(row.user_id, timeMs);
      return null;
    }
    const isFirst = read.generation === row.generation && (await this.#store.rotate(row.id, row.generation, timeMs));
    this.reading.reread(row.id);
    if (!isFirst) {
      // Another tab has just renewed and its secret is in the shared cookie already, or the session has ended.
      const present = await this.#store.find(row.id);
      return present === undefined ? null : drawTokens(present, timeMs, this.#needs.mark, false);
    }
    return drawTokens({ ...row, generation: row.generation + 1 }, timeMs, this.#needs.mark, true);
  }

  /** Rights changed: the session gets another id and secret, and its old ones are invalid. */
  async renew(
    { userId, sessionId }: Caller,
    change: { readonly isVerified?: boolean; readonly isKept?: boolean },
    timeMs: number,
  ): Promise<SessionTokens | null> {
    const renewed = await this.#store.underLock(userId, async ({ store }) => {
      const row = await store.find(sessionId);
      if (row?.user_id !== userId || hasEnded(row, timeMs)) return refused("UNAUTHENTICATED");
      const renamed = await store.rename(sessionId, {
        ...this.#freshName(sessionId, timeMs),
        ...(change.isVerified === undefined ? {} : { verified_at_ms: change.isVerified ? timeMs : 0 }),
        ...(change.isKept === undefined ? {} : { is_kept: change.isKept, ends_at_ms: timeMs + KEPT_MS }),
      });
      return renamed === undefined ? refused("UNAUTHENTICATED") : done(renamed);
    });
    this.#remove([sessionId]);
    return renewed.done ? drawTokens(renewed.value, timeMs, this.#needs.mark, true) : null;
  }

  /** True while a second factor proved in this session is fresh enough, by default for a change of security. */
  async isVerified(sessionId: string, timeMs: number, withinMs: number = STEP_UP_MS): Promise<boolean> {
    const row = await this.#store.find(sessionId);
    return row !== undefined && timeMs - row.verified_at_ms <= withinMs;
  }

  /** When a second factor was last proved in this session; 0 for never. */
  async provedAt(sessionId: string): Promise<number> {
    return (await this.#store.find(sessionId))?.verified_at_ms ?? 0;
  }

  /** The security version of an active session of the user. */
  async readSessionVersion({ userId, sessionId }: Caller): Promise<number | undefined> {
    const row = await this.#store.find(sessionId);
    return row?.user_id === userId ? row.version : undefined;
  }

  /** Signs out, here or everywhere. */
  async end({ userId, sessionId }: Caller, isEverywhere: boolean, timeMs: number): Promise<void> {
    const row = await this.#store.find(sessionId);
    if (isEverywhere) await this.revoke(userId);
    else await this.#end(userId, sessionId);
    if (row !== undefined) await this.record(userId, "signed-out", clientOf(row), timeMs);
  }

  async list(userId: number, currentId: string | undefined, timeMs: number): Promise<SessionList> {
    const [rows, devices] = await Promise.all([
      this.#store.listOf(userId),
      this.#store.listDevices(userId, DEVICES_MAX),
    ]);
    const living = rows.filter((row) => !hasEnded(row, timeMs));
    const currentKey = living.find(({ id }) => id === currentId)?.device_key;
    return {
      sessions: living.map((row) => ({
        id: handleOf(row.id),
        isCurrent: row.id === currentId,
        deviceName: row.device_name,
        address: row.address,
        method: row.method,
        createdAtMs: row.created_at_ms,
        seenAtMs: row.seen_at_ms,
      })),
      devices: devices.map((row) => ({
        id: row.device_key,
        isCurrent: row.device_key === currentKey,
        name: row.name,
        address: row.address,
        firstAtMs: row.first_at_ms,
        lastAtMs: row.last_at_ms,
      })),
    };
  }

  /** Ends one session of the user; false when it is not theirs. */
  async revokeSession(userId: number, handle: string): Promise<boolean> {
    const ended = await this.#store.removeOf(userId, { handle });
    this.#remove(ended);
    return ended.length > 0;
  }

  /** Removes a device and ends every session on it; a sign-in under way there has to start again. */
  async revokeDevice(userId: number, key: string): Promise<boolean> {
    const revoked = await this.#store.underLock(userId, async ({ store, version }) => {
      if (!(await store.removeDevice(userId, key))) return refused("DEVICE_UNKNOWN");
      const ended = await store.removeOf(userId, { deviceKey: key });
      await store.setVersion(userId, version + 1);
      await store.carryOver(userId, version, version + 1);
      return done(ended);
    });
    if (revoked.done) this.#remove(revoked.value);
    return revoked.done;
  }

  async knowsDevice(userId: number, key: string): Promise<boolean> {
    return key !== "" && (await this.#store.findDevice(userId, key)) !== undefined;
  }

  async record(userId: number, kind: string, client: Client, timeMs: number): Promise<void> {
    await this.#store.addActivity(activityRow(userId, kind, client, timeMs));
  }

  /** What one of the account's sessions did, or somebody without one. */
  async recordBy(userId: number, sessionId: string | undefined, kind: string, timeMs: number): Promise<void> {
    const row = sessionId === undefined ? undefined : await this.#store.find(sessionId);
    await this.record(userId, kind, row?.user_id === userId ? clientOf(row) : UNKNOWN_CLIENT, timeMs);
  }

  async listActivity(userId: number, before: number | undefined): Promise<ActivityPage> {
    const rows = await this.#store.listActivity(userId, before, ACTIVITY_PAGE + 1);
    const shown = rows.slice(0, ACTIVITY_PAGE);
    return {
      rows: shown.map((row) => ({
        id: row.id,
        kind: row.kind,
        address: row.address,
        deviceName: row.device_name,
        atMs: row.at_ms,
      })),
      nextBefore: rows.length > ACTIVITY_PAGE ? (shown.at(-1)?.id ?? null) : null,
    };
  }

  #freshName(sessionId: string, timeMs: number) {
    const id = renameId(sessionId, this.#needs.randomId());
    return { id, generation: 0, rotated_at_ms: timeMs, seen_at_ms: timeMs };
  }

  /** Whatever the session's current id is. */
  async #end(userId: number, sessionId: string): Promise<void> {
    const ended = await this.#store.removeOf(userId, { handle: handleOf(sessionId) });
    this.#remove([sessionId, ...ended]);
  }

  #remove(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.reading.remove(ids);
    this.#needs.endSockets(ids);
  }

  /** Ended sessions and old activity of all users are removed periodically. */
  async #sweep(timeMs: number): Promise<void> {
    this.#opened += 1;
    if (this.#opened % SWEEP_EVERY !== 0) return;
    await this.#store.removeEnded(timeMs);
    await this.#store.removeActivity(timeMs - ACTIVITY_MS);
  }
}

const UNKNOWN_CLIENT: Client = { address: "", deviceKey: "", deviceName: "" };

function clientOf(row: SessionRow): Client {
  return { address: row.address, deviceKey: row.device_key, deviceName: row.device_name };
}

function deviceRow(userId: number, client: Client, timeMs: number): DeviceRow {
  return {
    user_id: userId,
    device_key: client.deviceKey,
    name: client.deviceName,
    address: client.address,
    first_at_ms: timeMs,
    last_at_ms: timeMs,
  };
}

function activityRow(userId: number, kind: string, client: Client, timeMs: number): Omit<ActivityRow, "id"> {
  const { address, deviceName } = client;
  return { user_id: userId, kind, address, device_name: deviceName, at_ms: timeMs };
}
