// Passkeys: bound by a signed-in owner with a fresh proof, used to sign in without a password, named, removed. A
// challenge is answered once and expires soon; a key whose counter decreases is refused.

import type { SessionTokens } from "@clockwork/host/route";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { Caller } from "../sessions/service.ts";
import type { Authentication, KeyList, Registration } from "./contract.ts";
import type { PasskeyChange, PasskeyNeeds, Site, StoredKey } from "./needs.ts";
import type { PasskeyRefusal } from "./refusals.ts";
import { type KeyRow, type PasskeyStore, passkeyStore } from "./store.ts";

/** The user a passkey proves, and the security version of the account. */
export interface Proved {
  readonly userId: number;
  readonly version: number;
}

type Outcome<Value> = Promise<Result<Value, PasskeyRefusal>>;

const KEYS_MAX = 10;
const CHALLENGE_MS = 5 * 60_000;
const ANYBODY = 0;
const PRUNE_EVERY = 64;
const RULE = { needsProof: true, endsOthers: false } as const;

export class PasskeyService {
  readonly #store: PasskeyStore;
  readonly #needs: PasskeyNeeds;
  #requested = 0;

  constructor({ store, needs }: { readonly store: PasskeyStore; readonly needs: PasskeyNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async beginBinding({ userId, sessionId }: Caller, site: Site, timeMs: number): Outcome<object> {
    const user = await this.#needs.findUser(userId);
    if (user === undefined) return refused("UNAUTHENTICATED");
    if (!(await this.#needs.isVerified(sessionId, timeMs))) return refused("STEP_UP_REQUIRED");
    const keys = await this.#store.listKeys(userId);
    if (keys.length >= KEYS_MAX) return refused("PASSKEY_LIMIT");
    const requested = await this.#needs.askForNew(site, { id: userId, name: user.name }, keys.map(storedKey));
    await this.#remember(requested.challenge, userId, timeMs);
    return done(requested.options);
  }

  async bind(
    { userId, sessionId }: Caller,
    site: Site,
    response: Registration,
    name: string | undefined,
    timeMs: number,
  ): Outcome<SessionTokens> {
    if (!(await this.#needs.isVerified(sessionId, timeMs))) return refused("STEP_UP_REQUIRED");
    const challenge = this.#needs.challengeOf(response);
    if (challenge === undefined || !(await this.#store.takeChallenge(challenge, userId, timeMs))) {
      return refused("PASSKEY_REFUSED");
    }
    const key = await this.#needs.checkNew(site, challenge, response);
    if (key === undefined) return refused("PASSKEY_REFUSED");
    return this.#change({ userId, sessionId }, "passkey-bound", timeMs, async (store) => {
      const { length } = await store.listKeys(userId);
      if (length >= KEYS_MAX) return refused("PASSKEY_LIMIT");
      const isAdded = await store.addKey({
        id: key.id,
        user_id: userId,
        name: name?.trim() || `Passkey ${length + 1}`,
        public_key: key.publicKey,
        counter: key.counter,
        transports: key.transports.join(","),
        created_at_ms: timeMs,
        used_at_ms: 0,
      });
      return isAdded ? done(null) : refused("PASSKEY_REFUSED");
    });
  }

  async beginLogin(site: Site, timeMs: number): Promise<object> {
    const requested = await this.#needs.askForKnown(site);
    await this.#remember(requested.challenge, ANYBODY, timeMs);
    return requested.options;
  }

  /** A fresh proof by the owner's own key: it has verified its user, so it counts as much as an authenticator. */
  async stepUp(caller: Caller, site: Site, response: Authentication, timeMs: number): Outcome<SessionTokens> {
    const proved = await this.login(site, response, timeMs);
    if (!proved.done) return proved;
    if (proved.value.userId !== caller.userId) return refused("PASSKEY_REFUSED");
    const tokens = await this.#needs.proveSession(caller, timeMs);
    return tokens === null ? refused("UNAUTHENTICATED") : done(tokens);
  }

  async hasKeys(userId: number): Promise<boolean> {
    return (await this.#store.listKeys(userId)).length > 0;
  }

  /** The user a passkey proves, whatever else was submitted. */
  async login(site: Site, response: Authentication, timeMs: number): Outcome<Proved> {
    const challenge = this.#needs.challengeOf(response);
    if (challenge === undefined || !(await this.#store.takeChallenge(challenge, ANYBODY, timeMs))) {
      return refused("PASSKEY_REFUSED");
    }
    const row = await this.#store.findKey(response.id);
    const user = row === undefined ? undefined : await this.#needs.findUser(row.user_id);
    if (row === undefined || user === undefined) return refused("PASSKEY_REFUSED");
    const counter = await this.#needs.checkKnown(site, challenge, response, storedKey(row));
    // The key still exists, and no other call has counted the same use.
    const isUsed = counter !== undefined && (await this.#store.countUse(row, counter, timeMs));
    if (!isUsed) return refused("PASSKEY_REFUSED");
    return user.isFrozen ? refused("ACCOUNT_FROZEN") : done({ userId: row.user_id, version: user.version });
  }

  async list(userId: number): Promise<KeyList> {
    const rows = await this.#store.listKeys(userId);
    return {
      keys: rows.map(({ id, name, created_at_ms, used_at_ms }) => ({
        id,
        name,
        createdAtMs: created_at_ms,
        usedAtMs: used_at_ms,
      })),
    };
  }

  async rename(userId: number, id: string, name: string): Outcome<null> {
    return (await this.#store.rename(userId, id, name.trim())) ? done(null) : refused("PASSKEY_UNKNOWN");
  }

  async remove(caller: Caller, id: string, timeMs: number): Outcome<SessionTokens> {
    return this.#change(caller, "passkey-removed", timeMs, async (store) =>
      (await store.removeKey(caller.userId, id)) ? done(null) : refused("PASSKEY_UNKNOWN"),
    );
  }

  async #remember(challenge: string, userId: number, timeMs: number): Promise<void> {
    this.#requested += 1;
    if (this.#requested % PRUNE_EVERY === 0) await this.#store.removeChallenges(timeMs);
    await this.#store.addChallenge({ challenge, user_id: userId, expires_at_ms: timeMs + CHALLENGE_MS });
  }

  async #change(
    caller: Caller,
    change: PasskeyChange,
    timeMs: number,
    write: (store: PasskeyStore) => Promise<Result<null, PasskeyRefusal>>,
  ): Outcome<SessionTokens> {
    const { userId } = caller;
    const changed = await this.#needs.change(caller, { ...RULE, activity: change }, timeMs, async (kysely) => {
      const written = await write(passkeyStore(kysely));
      if (written.done) await this.#needs.rest(kysely, userId, change, timeMs);
      return written;
    });
    if (!changed.done) return changed;
    await this.#needs.notify(userId, change, timeMs);
    return done(changed.value.tokens);
  }
}

function storedKey({ id, public_key, counter, transports }: KeyRow): StoredKey {
  return { id, publicKey: public_key, counter, transports: transports.split(",").filter((text) => text !== "") };
}
