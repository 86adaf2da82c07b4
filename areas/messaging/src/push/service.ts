// Stores push tokens: their owner, and only while they are in use. Sends nothing itself.

import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { PushRow, PushStore } from "./store.ts";

/** A user has a few phones; more indicate a script. */
export const TOKENS_PER_USER_MAX = 10;
/** Apps submit their token at every start: one not seen for this long is of a phone no longer used. */
export const TOKEN_DAYS_MAX = 90;
/** Unauthenticated calls may not fill the disk; tokens of signed-in users are always stored. */
const TOKENS_MAX = 1_000_000;

/** Of an app, or of a browser's subscription. */
export interface PushToken {
  readonly token: string;
  readonly system: PushRow["shell"];
}

export interface PushParts {
  readonly store: PushStore;
  readonly tokensMax?: number;
}

export class PushService {
  readonly #store: PushStore;
  readonly #tokensMax: number;
  /**
   * At least the number of rows: counted once a day, plus one for each unauthenticated call. All of a day's first calls
   * wait for the same count.
   */
  #today: { readonly day: number; readonly counted: Promise<{ rows: number }> } | undefined;

  constructor({ store, tokensMax = TOKENS_MAX }: PushParts) {
    this.#store = store;
    this.#tokensMax = tokensMax;
  }

  /** Without a user the token is public. */
  async register(
    { token, system }: PushToken,
    { userId, locale }: { readonly userId: number | null; readonly locale: string },
    timeMs: number,
  ): Promise<Result<null, "PUSH_FULL">> {
    const counted = await this.#openDay(Math.floor(timeMs / DAY_MS));
    if (userId === null && counted.rows >= this.#tokensMax) return refused("PUSH_FULL");
    counted.rows += 1;
    await this.#store.put({ token, shell: system, user_id: userId, locale, seen_at_ms: timeMs });
    if (userId !== null) await this.#store.deleteOldest(userId, TOKENS_PER_USER_MAX);
    return done(null);
  }

  /** Where a user's notices go, the newest phone first. */
  list(userId: number): Promise<readonly PushRow[]> {
    return this.#store.list(userId, TOKENS_PER_USER_MAX);
  }

  #openDay(day: number): Promise<{ rows: number }> {
    if (this.#today?.day === day) return this.#today.counted;
    const counted = this.#store
      .deleteBefore((day - TOKEN_DAYS_MAX) * DAY_MS)
      .then(async () => ({ rows: await this.#store.count() }));
    this.#today = { day, counted };
    // A failed count is retried by the next call.
    counted.catch(() => {
      if (this.#today?.counted === counted) this.#today = undefined;
    });
    return counted;
  }
}
