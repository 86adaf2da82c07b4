// Resolves tokens for every call. Caches rows for a second, so that a burst of calls costs one query, and never past
// the end of a session: a row in flight at that moment is discarded.
import { type AccessScope, hasEnded, isCurrent, readAccess, readRefresh } from "./rules.ts";
import type { SessionRow, SessionStore } from "./store.ts";

export interface SessionCaller {
  readonly userId: string;
  readonly sessionId: string;
  /** When the token it was read from ends. */
  readonly endsMs: number;
}

/** The whole API's token is good for its futures part too. */
function isGood(given: AccessScope, requested: AccessScope): boolean {
  return given === "all" || given === requested;
}

const CACHE_MS = 1000;
const CACHE_MAX = 10_000;
const TOUCH_MS = 60_000;

export class SessionReading {
  readonly #store: SessionStore;
  readonly #mark: (text: string, context: string) => string;
  /** Rows read a moment ago. */
  readonly #cache = new Map<string, { readonly row: SessionRow; readonly atMs: number }>();
  /** Access tokens whose mark was checked: a burst of calls costs one check. */
  readonly #checked = new Map<string, NonNullable<ReturnType<typeof readAccess>>>();
  /** Rows requested and not read yet. */
  readonly #onTheWay = new Map<string, Set<{ state: "good" | "changed" | "ended" }>>();
  /** Sessions whose last use is being stored. */
  readonly #touching = new Set<string>();

  constructor(store: SessionStore, mark: (text: string, context: string) => string) {
    this.#store = store;
    this.#mark = mark;
  }

  /** The session of an access token; a token for the futures API is valid for nothing else. */
  async readAccess(token: string, requested: AccessScope, timeMs: number): Promise<SessionCaller | null> {
    const read = this.#check(token, timeMs);
    if (read === undefined || !isGood(read.scope, requested)) return null;
    const row = await this.#living(read.sessionId, timeMs);
    return row === undefined ? null : { userId: String(row.user_id), sessionId: row.id, endsMs: read.endsMs };
  }

  /**
   * The session of a recently read token. Undefined proves nothing: call `readAccess`. Ending a session evicts its row
   * at once, so an ended one is never returned.
   */
  recallAccess(token: string, requested: AccessScope, timeMs: number): SessionCaller | undefined {
    const read = this.#checked.get(token);
    if (read === undefined || !isGood(read.scope, requested) || timeMs >= read.endsMs) return undefined;
    const kept = this.#cache.get(read.sessionId);
    if (kept === undefined || timeMs - kept.atMs >= CACHE_MS || timeMs < kept.atMs) return undefined;
    return { userId: String(kept.row.user_id), sessionId: kept.row.id, endsMs: read.endsMs };
  }

  async readWebSession(secret: string, timeMs: number): Promise<SessionCaller | null> {
    const read = readRefresh(secret, this.#mark);
    const row = read === undefined ? undefined : await this.#living(read.sessionId, timeMs);
    if (read === undefined || row === undefined || !isCurrent(row, read.generation, timeMs)) return null;
    return { userId: String(row.user_id), sessionId: row.id, endsMs: row.ends_at_ms };
  }

  /** These ended or were renamed: their tokens are invalid from now on. */
  remove(ids: readonly string[]): void {
    for (const id of ids) this.#spoil(id, "ended");
  }

  /** Its row changed; the session continues. */
  reread(id: string): void {
    this.#spoil(id, "changed");
  }

  #spoil(id: string, state: "changed" | "ended"): void {
    this.#cache.delete(id);
    for (const reading of this.#onTheWay.get(id) ?? []) {
      if (reading.state !== "ended") reading.state = state;
    }
  }

  /** A token's content does not change; only its expiry comes closer. */
  #check(token: string, timeMs: number): ReturnType<typeof readAccess> {
    const known = this.#checked.get(token);
    if (known !== undefined && timeMs < known.endsMs) return known;
    const read = readAccess(token, timeMs, this.#mark);
    this.#checked.delete(token);
    if (read === undefined) return undefined;
    if (this.#checked.size >= CACHE_MAX) this.#checked.delete(this.#checked.keys().next().value ?? "");
    this.#checked.set(token, read);
    return read;
  }

  async #living(sessionId: string, timeMs: number): Promise<SessionRow | undefined> {
    const kept = this.#cache.get(sessionId);
    if (kept !== undefined && timeMs - kept.atMs < CACHE_MS && timeMs >= kept.atMs) return kept.row;
    const reading: { state: "good" | "changed" | "ended" } = { state: "good" };
    const together = this.#onTheWay.get(sessionId) ?? new Set();
    this.#onTheWay.set(sessionId, together.add(reading));
    try {
      const row = await this.#store.find(sessionId);
      const isLiving = row !== undefined && !hasEnded(row, timeMs);
      if (isLiving && timeMs - row.seen_at_ms >= TOUCH_MS) this.#touch(sessionId, timeMs);
      // It ended or was renamed while its row was on the way.
      if (!isLiving || reading.state === "ended") return undefined;
      if (reading.state === "good") this.#remember(row, timeMs);
      return row;
    } finally {
      together.delete(reading);
      if (together.size === 0) this.#onTheWay.delete(sessionId);
    }
  }

  /** Not awaited: it may queue behind a long transaction, and the caller has an order to place. */
  #touch(id: string, timeMs: number): void {
    if (this.#touching.has(id)) return;
    this.#touching.add(id);
    // A failed write is left to a later call: the row keeps the use before.
    this.#store
      .touch(id, timeMs)
      .catch(() => undefined)
      .finally(() => this.#touching.delete(id));
  }

  #remember(row: SessionRow, timeMs: number): void {
    this.#cache.delete(row.id);
    if (this.#cache.size >= CACHE_MAX) this.#cache.delete(this.#cache.keys().next().value ?? "");
    this.#cache.set(row.id, { row, atMs: timeMs });
  }
}
