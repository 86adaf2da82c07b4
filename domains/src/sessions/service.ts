// Sessions: opened, read, renewed, renamed at every change of rights, ended here or everywhere. Never tells one session
// about another user's, and never lets an ended one live on: what is remembered for speed is forgotten with it.
import type { SessionTokens } from "@clockwork/kit/route";
import type { ActivityPage, SessionList } from "./api.ts";
import type { SessionNeeds } from "./needs.ts";
import {
  DEVICES_MAX,
  drawTokens,
  hasEnded,
  KEPT_MS,
  ROTATION_GRACE_MS,
  readAccess,
  readRefresh,
  SESSIONS_MAX,
  STEP_UP_MS,
} from "./rules.ts";
import type { SessionRow, SessionStore } from "./store.ts";

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

export interface SessionCaller {
  readonly userId: string;
  readonly sessionId: string;
  /** When the token it was read from ends. */
  readonly endsMs: number;
}

const CACHE_MS = 1000;
const CACHE_MAX = 10_000;
const TOUCH_MS = 60_000;
const ACTIVITY_PAGE = 50;
const ACTIVITY_MS = 365 * 86_400_000;
const SWEEP_EVERY = 256;

export class SessionService {
  readonly #store: SessionStore;
  readonly #needs: SessionNeeds;
  /** Rows read a moment ago: a burst of calls costs one query. */
  readonly #cache = new Map<string, { readonly row: SessionRow; readonly atMs: number }>();
  /** Access tokens whose mark was checked: a burst of calls costs one check. */
  readonly #checked = new Map<string, NonNullable<ReturnType<typeof readAccess>>>();
  #opened = 0;
  #endings = 0;

  constructor({ store, needs }: { readonly store: SessionStore; readonly needs: SessionNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async open(userId: number, client: Client, options: OpenOptions, timeMs: number): Promise<SessionTokens> {
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
    };
    await this.#store.add(row);
    if (client.deviceKey !== "") await this.trustDevice(userId, client, timeMs);
    await this.record(userId, `signed-in:${options.method}`, client, timeMs);
    await this.#bound(userId, timeMs);
    return drawTokens(row, timeMs, this.#needs.mark, true);
  }

  /** Who an access token stands for; a token for the futures API opens nothing else. */
  async readAccess(token: string, timeMs: number): Promise<SessionCaller | null> {
    const read = this.#check(token, timeMs);
    if (read === undefined || read.scope !== "all") return null;
    const row = await this.#living(read.sessionId, timeMs);
    return row === undefined ? null : { userId: String(row.user_id), sessionId: row.id, endsMs: read.endsMs };
  }

  /** Who a token stands for that was read a moment ago. Undefined says nothing: ask `readAccess`. What ends a session
   *  forgets its row at once, so an ended one is never recalled. */
  recallAccess(token: string, timeMs: number): SessionCaller | undefined {
    const read = this.#checked.get(token);
    if (read === undefined || read.scope !== "all" || timeMs >= read.endsMs) return undefined;
    const kept = this.#cache.get(read.sessionId);
    if (kept === undefined || timeMs - kept.atMs >= CACHE_MS || timeMs < kept.atMs) return undefined;
    return { userId: String(kept.row.user_id), sessionId: kept.row.id, endsMs: read.endsMs };
  }

  async readWebSession(secret: string, timeMs: number): Promise<SessionCaller | null> {
    const read = readRefresh(secret, this.#needs.mark);
    const row = read === undefined ? undefined : await this.#living(read.sessionId, timeMs);
    if (read === undefined || row === undefined || !isCurrent(row, read.generation, timeMs)) return null;
    return { userId: String(row.user_id), sessionId: row.id, endsMs: row.ends_at_ms };
  }

  /** New tokens for a web session. A secret that was renewed long ago was stolen: the session ends. */
  async refresh(secret: string, timeMs: number): Promise<SessionTokens | null> {
    const read = readRefresh(secret, this.#needs.mark);
    const row = read === undefined ? undefined : await this.#store.find(read.sessionId);
    if (read === undefined || row === undefined) return null;
    if (hasEnded(row, timeMs)) {
      await this.#end([row.id]);
      return null;
    }
    if (!isCurrent(row, read.generation, timeMs)) {
      await this.#end([row.id]);
      await this.record(row.user_id, "token-reuse", clientOf(row), timeMs);
      await this.#needs.onStolen(row.user_id, timeMs);
      return null;
    }
    this.#cache.delete(row.id);
    const isFirst = read.generation === row.generation && (await this.#store.rotate(row.id, row.generation, timeMs));
    // Another tab has just renewed: its secret is in the shared cookie already.
    if (!isFirst) return drawTokens(row, timeMs, this.#needs.mark, false);
    return drawTokens({ ...row, generation: row.generation + 1 }, timeMs, this.#needs.mark, true);
  }

  /** Rights changed: the session gets another id and another secret, and its old ones are worth nothing. */
  async renew(
    sessionId: string,
    change: { readonly isVerified?: boolean; readonly isKept?: boolean },
    timeMs: number,
  ): Promise<SessionTokens | null> {
    const row = await this.#store.rename(sessionId, {
      id: this.#needs.randomId(),
      generation: 0,
      rotated_at_ms: timeMs,
      seen_at_ms: timeMs,
      ...(change.isVerified === undefined ? {} : { verified_at_ms: change.isVerified ? timeMs : 0 }),
      ...(change.isKept === undefined ? {} : { is_kept: change.isKept, ends_at_ms: timeMs + KEPT_MS }),
    });
    this.#forget([sessionId]);
    return row === undefined ? null : drawTokens(row, timeMs, this.#needs.mark, true);
  }

  /** True while a second factor proved in this session is fresh enough, by default for a change of security. */
  async isVerified(sessionId: string, timeMs: number, withinMs: number = STEP_UP_MS): Promise<boolean> {
    const row = await this.#store.find(sessionId);
    return row !== undefined && timeMs - row.verified_at_ms <= withinMs;
  }

  async end(sessionId: string, timeMs: number): Promise<void> {
    const row = await this.#store.find(sessionId);
    await this.#end([sessionId]);
    if (row !== undefined) await this.record(row.user_id, "signed-out", clientOf(row), timeMs);
  }

  /** Ends every session of a user, but for one where named. */
  async endAll(userId: number, exceptId?: string): Promise<void> {
    const rows = await this.#store.listOf(userId);
    await this.#end(rows.map(({ id }) => id).filter((id) => id !== exceptId));
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
        id: row.id,
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

  /** Ends one session of the user; false when it is none of theirs. */
  async revokeSession(userId: number, sessionId: string): Promise<boolean> {
    const row = await this.#store.find(sessionId);
    if (row?.user_id !== userId) return false;
    await this.#end([sessionId]);
    return true;
  }

  /** Forgets a device and ends every session on it. */
  async revokeDevice(userId: number, key: string): Promise<boolean> {
    if ((await this.#store.findDevice(userId, key)) === undefined) return false;
    await this.#store.removeDevice(userId, key);
    const rows = await this.#store.listOf(userId);
    await this.#end(rows.filter((row) => row.device_key === key).map(({ id }) => id));
    return true;
  }

  async knowsDevice(userId: number, key: string): Promise<boolean> {
    return key !== "" && (await this.#store.findDevice(userId, key)) !== undefined;
  }

  async trustDevice(userId: number, client: Client, timeMs: number): Promise<void> {
    await this.#store.saveDevice({
      user_id: userId,
      device_key: client.deviceKey,
      name: client.deviceName,
      address: client.address,
      first_at_ms: timeMs,
      last_at_ms: timeMs,
    });
  }

  async record(userId: number, kind: string, client: Client, timeMs: number): Promise<void> {
    const { address, deviceName } = client;
    await this.#store.addActivity({ user_id: userId, kind, address, device_name: deviceName, at_ms: timeMs });
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

  /** What a token says does not change; only its end comes nearer. */
  #check(token: string, timeMs: number): ReturnType<typeof readAccess> {
    const known = this.#checked.get(token);
    if (known !== undefined && timeMs < known.endsMs) return known;
    const read = readAccess(token, timeMs, this.#needs.mark);
    this.#checked.delete(token);
    if (read === undefined) return undefined;
    if (this.#checked.size >= CACHE_MAX) this.#checked.delete(this.#checked.keys().next().value ?? "");
    this.#checked.set(token, read);
    return read;
  }

  async #living(sessionId: string, timeMs: number): Promise<SessionRow | undefined> {
    const kept = this.#cache.get(sessionId);
    if (kept !== undefined && timeMs - kept.atMs < CACHE_MS && timeMs >= kept.atMs) return kept.row;
    const endings = this.#endings;
    const row = await this.#store.find(sessionId);
    if (row === undefined || hasEnded(row, timeMs)) {
      this.#cache.delete(sessionId);
      return undefined;
    }
    if (timeMs - row.seen_at_ms >= TOUCH_MS) await this.#store.touch(sessionId, timeMs);
    this.#cache.delete(sessionId);
    // A session that ended while its row was on the way must not be remembered as living.
    if (endings !== this.#endings) return row;
    if (this.#cache.size >= CACHE_MAX) this.#cache.delete(this.#cache.keys().next().value ?? "");
    this.#cache.set(sessionId, { row, atMs: timeMs });
    return row;
  }

  async #end(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#store.remove(ids);
    this.#forget(ids);
  }

  #forget(ids: readonly string[]): void {
    this.#endings += 1;
    for (const id of ids) this.#cache.delete(id);
    this.#needs.endSockets(ids);
  }

  /** The oldest sessions of a user make room; ended ones of everybody go now and then. */
  async #bound(userId: number, timeMs: number): Promise<void> {
    this.#opened += 1;
    if (this.#opened % SWEEP_EVERY === 0) {
      await this.#store.removeEnded(timeMs);
      await this.#store.removeActivity(timeMs - ACTIVITY_MS);
    }
    const rows = await this.#store.listOf(userId);
    await this.#end(rows.slice(SESSIONS_MAX).map(({ id }) => id));
  }
}

function isCurrent(row: SessionRow, generation: number, timeMs: number): boolean {
  if (generation === row.generation) return true;
  return generation === row.generation - 1 && timeMs - row.rotated_at_ms < ROTATION_GRACE_MS;
}

function clientOf(row: SessionRow): Client {
  return { address: row.address, deviceKey: row.device_key, deviceName: row.device_name };
}
