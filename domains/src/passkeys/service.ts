// Passkeys: bound by a signed-in owner with a fresh proof, used to sign in without a password, named, removed. A
// challenge is answered once and ends soon; a key whose counter goes back is refused.
import { done, type Result, refused } from "@clockwork/kit/result";
import type { SessionTokens } from "@clockwork/kit/route";
import type { Authentication, KeyList, Registration } from "./api.ts";
import type { PasskeyNeeds, Site, StoredKey } from "./needs.ts";
import type { KeyRow, PasskeyStore } from "./store.ts";

export type PasskeyRefusal =
  | "UNAUTHENTICATED"
  | "STEP_UP_REQUIRED"
  | "PASSKEY_LIMIT"
  | "PASSKEY_REFUSED"
  | "PASSKEY_UNKNOWN"
  | "ACCOUNT_FROZEN";

export interface Caller {
  readonly userId: number;
  readonly sessionId: string;
}

type Outcome<Value> = Promise<Result<Value, PasskeyRefusal>>;

const KEYS_MAX = 10;
const CHALLENGE_MS = 5 * 60_000;
const ANYBODY = 0;
const FORGET_EVERY = 64;

export class PasskeyService {
  readonly #store: PasskeyStore;
  readonly #needs: PasskeyNeeds;
  #asked = 0;

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
    const asked = await this.#needs.askForNew(site, { id: userId, name: user.name }, keys.map(storedKey));
    await this.#remember(asked.challenge, userId, timeMs);
    return done(asked.options);
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
    const keys = await this.#store.listKeys(userId);
    if (keys.length >= KEYS_MAX) return refused("PASSKEY_LIMIT");
    const isAdded = await this.#store.addKey({
      id: key.id,
      user_id: userId,
      name: name?.trim() || `Passkey ${keys.length + 1}`,
      public_key: key.publicKey,
      counter: key.counter,
      transports: key.transports.join(","),
      created_at_ms: timeMs,
      used_at_ms: 0,
    });
    if (!isAdded) return refused("PASSKEY_REFUSED");
    await this.#needs.onChanged(userId, "passkey-bound", timeMs);
    return this.#renewed(sessionId, timeMs);
  }

  async beginLogin(site: Site, timeMs: number): Promise<object> {
    const asked = await this.#needs.askForKnown(site);
    await this.#remember(asked.challenge, ANYBODY, timeMs);
    return asked.options;
  }

  /** A fresh proof by the owner's own key: it has verified its user, so it counts as much as an authenticator. */
  async stepUp(
    { userId, sessionId }: Caller,
    site: Site,
    response: Authentication,
    timeMs: number,
  ): Outcome<SessionTokens> {
    const proved = await this.login(site, response, timeMs);
    if (!proved.done) return proved;
    if (proved.value !== userId) return refused("PASSKEY_REFUSED");
    const tokens = await this.#needs.proveSession(sessionId, timeMs);
    return tokens === null ? refused("UNAUTHENTICATED") : done(tokens);
  }

  async hasKeys(userId: number): Promise<boolean> {
    return (await this.#store.listKeys(userId)).length > 0;
  }

  /** The user a passkey proves, whatever else was said. */
  async login(site: Site, response: Authentication, timeMs: number): Outcome<number> {
    const challenge = this.#needs.challengeOf(response);
    if (challenge === undefined || !(await this.#store.takeChallenge(challenge, ANYBODY, timeMs))) {
      return refused("PASSKEY_REFUSED");
    }
    const row = await this.#store.findKey(response.id);
    const counter =
      row === undefined ? undefined : await this.#needs.checkKnown(site, challenge, response, storedKey(row));
    if (row === undefined || counter === undefined) return refused("PASSKEY_REFUSED");
    await this.#store.countUse(row.id, counter, timeMs);
    const user = await this.#needs.findUser(row.user_id);
    if (user === undefined) return refused("PASSKEY_REFUSED");
    return user.isFrozen ? refused("ACCOUNT_FROZEN") : done(row.user_id);
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

  async remove({ userId, sessionId }: Caller, id: string, timeMs: number): Outcome<SessionTokens> {
    if (!(await this.#needs.isVerified(sessionId, timeMs))) return refused("STEP_UP_REQUIRED");
    if (!(await this.#store.removeKey(userId, id))) return refused("PASSKEY_UNKNOWN");
    await this.#needs.onChanged(userId, "passkey-removed", timeMs);
    return this.#renewed(sessionId, timeMs);
  }

  async #remember(challenge: string, userId: number, timeMs: number): Promise<void> {
    this.#asked += 1;
    if (this.#asked % FORGET_EVERY === 0) await this.#store.forgetChallenges(timeMs);
    await this.#store.addChallenge({ challenge, user_id: userId, expires_at_ms: timeMs + CHALLENGE_MS });
  }

  async #renewed(sessionId: string, timeMs: number): Outcome<SessionTokens> {
    const tokens = await this.#needs.renewSession(sessionId, timeMs);
    return tokens === null ? refused("UNAUTHENTICATED") : done(tokens);
  }
}

function storedKey({ id, public_key, counter, transports }: KeyRow): StoredKey {
  return { id, publicKey: public_key, counter, transports: transports.split(",").filter((text) => text !== "") };
}
