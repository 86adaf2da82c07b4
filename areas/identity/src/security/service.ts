// The security centre: authenticator, trade password, anti-phishing code, suspensions of withdrawals, freezing, and the
// fresh proof every change here requires. Every change renames the session and notifies the owner.

import type { SessionTokens } from "@clockwork/host/route";
import { maskAccountName, readAccountName } from "@clockwork/kit/account";
import { PRODUCT_NAME } from "@clockwork/kit/constants";
import { done, type Result, refused } from "@clockwork/kit/result";
import { checkPassword } from "@clockwork/kit/validate";
import type { Kysely } from "kysely";
import type { RetryAfter } from "../attempts/rules.ts";
import { placeOf, type Requester } from "../codes/place.ts";
import type { Caller } from "../sessions/service.ts";
import type { CodeSent, Lock, Overview, ReleaseBody, StepUpBody, TotpSecret } from "./contract.ts";
import type { CodeSubject, Owner, SecurityEvent, SecurityNeeds } from "./needs.ts";
import type { SecurityRefusal } from "./refusals.ts";
import {
  encodeBase32,
  findStep,
  formatFreezeToken,
  type LockCause,
  readFreezeToken,
  restMs,
  SECRET_BYTES,
  totpUri,
} from "./rules.ts";
import { type SecurityStore, securityStore, type TotpRow } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, SecurityRefusal>>;

const RESEND_SECONDS = 60;
/** Of withdrawals that an operator suspended: ends when operators lift it. */
const OPERATOR_LOCK = "operator";
const NO_END_MS = Date.UTC(2200, 0, 1);
const nameEvent = ({ event }: { readonly event: SecurityEvent }): string => event;
const PROVED = { needsProof: true, endsOthers: false } as const;

export class SecurityService {
  readonly #store: SecurityStore;
  readonly #needs: SecurityNeeds;

  constructor({ store, needs }: { readonly store: SecurityStore; readonly needs: SecurityNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async overview({ userId, sessionId }: Caller, timeMs: number): Outcome<Overview> {
    const owner = await this.#needs.findOwner(userId);
    if (owner === undefined) return refused("UNAUTHENTICATED");
    const [hasTotp, setting, withdrawalLocks, isVerified, hasPasskeys] = await Promise.all([
      this.hasTotp(userId),
      this.#store.findSetting(userId),
      this.listLocks(userId, timeMs),
      this.#needs.isVerified(sessionId, timeMs),
      this.#needs.hasPasskeys(userId),
    ]);
    return done({
      email: owner.email === null ? null : maskAccountName({ kind: "email", value: owner.email }),
      phone: owner.phone === null ? null : maskAccountName({ kind: "phone", value: owner.phone }),
      hasTotp,
      hasPasskeys,
      hasTradePassword: (setting?.trade_hash ?? null) !== null,
      antiPhishingCode: setting?.anti_phishing ?? null,
      stepUp: hasTotp ? "totp" : owner.contact.kind,
      isVerified,
      withdrawalLocks: [...withdrawalLocks],
    });
  }

  // A fresh proof

  /** A code for a fresh proof, or for one movement of money, which its message names. */
  async sendStepUpCode(
    { userId }: Pick<Caller, "userId">,
    captcha: Readonly<Record<string, string>> | undefined,
    timeMs: number,
    subject?: CodeSubject,
  ): Promise<Result<CodeSent, "UNAUTHENTICATED" | "CAPTCHA_REQUIRED" | "CODE_TOO_SOON">> {
    const owner = await this.#needs.findOwner(userId);
    if (owner === undefined) return refused("UNAUTHENTICATED");
    if (!(await this.#needs.isCaptchaSolved(captcha, timeMs))) return refused("CAPTCHA_REQUIRED");
    const purpose = subject === undefined ? "step-up" : "withdraw";
    const minted = await this.#needs.mintCode(purpose, stepUpKey(owner), timeMs, subject?.key);
    if (!minted.done) return refused("CODE_TOO_SOON", minted.detail);
    const about = subject === undefined ? undefined : { userId, title: subject.title, lines: subject.lines };
    await this.#needs.sendCode(owner.contact, purpose, minted.value, false, about);
    return done({ sentTo: maskAccountName(owner.contact), resendSeconds: RESEND_SECONDS });
  }

  /** A bound authenticator is the only proof: access to the mailbox must not bypass it. */
  async stepUp(caller: Caller, codes: StepUpBody["codes"], timeMs: number): Outcome<SessionTokens> {
    const { userId } = caller;
    const owner = await this.#needs.findOwner(userId);
    if (owner === undefined) return refused("UNAUTHENTICATED");
    const hasTotp = await this.hasTotp(userId);
    const code = hasTotp ? codes.totp : codes[owner.contact.kind];
    if (code === undefined) return refused("CODE_WRONG");
    const isRight = await this.checkCode(userId, code, timeMs);
    if (typeof isRight === "object") return refused("BUSY", String(isRight.retryAfterSeconds));
    if (!isRight) return refused("CODE_WRONG");
    const tokens = await this.#needs.proveSession(caller, timeMs);
    return tokens === null ? refused("UNAUTHENTICATED") : done(tokens);
  }

  /** True once for each code: the authenticator's where one is bound, else one sent for a fresh proof or for the subject. */
  async checkCode(userId: number, code: string, timeMs: number, subjectKey?: string): Promise<boolean | RetryAfter> {
    const owner = await this.#needs.findOwner(userId);
    if (owner === undefined) return false;
    const hasTotp = await this.hasTotp(userId);
    const purpose = subjectKey === undefined ? "step-up" : "withdraw";
    const check = () =>
      hasTotp
        ? this.checkTotp(userId, code, timeMs)
        : this.#needs.checkCode(purpose, stepUpKey(owner), code, timeMs, subjectKey);
    return this.#needs.guardTries(`user:${userId}`, check, timeMs);
  }

  // The authenticator

  async hasTotp(userId: number): Promise<boolean> {
    return (await this.#store.findTotp(userId))?.is_bound === true;
  }

  /** True once for each code of a bound authenticator. */
  async checkTotp(userId: number, code: string, timeMs: number): Promise<boolean> {
    const row = await this.#store.findTotp(userId);
    if (row?.is_bound !== true) return false;
    const step = this.#findStep(row, code, timeMs);
    return step !== undefined && this.#store.spendStep(row, step);
  }

  async offerTotp({ userId }: Caller, timeMs: number): Outcome<TotpSecret> {
    const owner = await this.#needs.findOwner(userId);
    if (owner === undefined) return refused("UNAUTHENTICATED");
    const secret = this.#needs.random(SECRET_BYTES);
    const row = {
      user_id: userId,
      sealed: this.#needs.seal(secret, totpContext(userId)),
      is_bound: false,
      last_step: 0,
      created_at_ms: timeMs,
    };
    if (!(await this.#store.offerTotp(row))) return refused("TOTP_BOUND");
    const text = encodeBase32(secret);
    return done({ secret: text, uri: totpUri(text, PRODUCT_NAME, owner.contact.value) });
  }

  async bindTotp(caller: Caller, code: string, timeMs: number): Outcome<SessionTokens> {
    const { userId, sessionId } = caller;
    if (!(await this.#needs.isVerified(sessionId, timeMs))) return refused("STEP_UP_REQUIRED");
    const row = await this.#store.findTotp(userId);
    if (row === undefined) return refused("TOTP_MISSING");
    if (row.is_bound) return refused("TOTP_BOUND");
    let step: number | undefined;
    const check = async (): Promise<boolean> => {
      step = this.#findStep(row, code, timeMs);
      return step !== undefined;
    };
    const isRight = await this.#needs.guardTries(`user:${userId}`, check, timeMs);
    if (typeof isRight === "object") return refused("BUSY", String(isRight.retryAfterSeconds));
    const found = step;
    if (!isRight || found === undefined) return refused("CODE_WRONG");
    // Binds only the secret whose code was given, not one offered since.
    return this.#change(caller, timeMs, async (store) =>
      (await store.spendStep(row, found)) ? done({ event: "totp-bound", cause: "totp-bound" }) : refused("CODE_WRONG"),
    );
  }

  async removeTotp(caller: Caller, code: string, timeMs: number): Outcome<SessionTokens> {
    const { userId, sessionId } = caller;
    if (!(await this.#needs.isVerified(sessionId, timeMs))) return refused("STEP_UP_REQUIRED");
    if (!(await this.hasTotp(userId))) return refused("TOTP_MISSING");
    const isRight = await this.#needs.guardTries(`user:${userId}`, () => this.checkTotp(userId, code, timeMs), timeMs);
    if (typeof isRight === "object") return refused("BUSY", String(isRight.retryAfterSeconds));
    if (!isRight) return refused("CODE_WRONG");
    return this.#change(caller, timeMs, async (store) =>
      (await store.removeTotp(userId))
        ? done({ event: "totp-removed", cause: "totp-removed" })
        : refused("TOTP_MISSING"),
    );
  }

  // Trade password and anti-phishing code

  async hasTradePassword(userId: number): Promise<boolean> {
    return ((await this.#store.findSetting(userId))?.trade_hash ?? null) !== null;
  }

  async checkTradePassword(userId: number, password: string, timeMs: number): Promise<boolean | RetryAfter> {
    const setting = await this.#store.findSetting(userId);
    const check = () => this.#needs.verifyPassword(password, setting?.trade_hash ?? undefined);
    return this.#needs.guardTries(`user:${userId}`, check, timeMs);
  }

  async setTradePassword(caller: Caller, password: string, timeMs: number): Outcome<SessionTokens> {
    const { userId, sessionId } = caller;
    if (!(await this.#needs.isVerified(sessionId, timeMs))) return refused("STEP_UP_REQUIRED");
    const wrong = checkPassword(password);
    if (wrong !== undefined) return refused("PASSWORD_INVALID", wrong);
    const hash = await this.#needs.hashPassword(password);
    if (typeof hash === "object") return refused("BUSY", String(hash.retryAfterSeconds));
    return this.#change(caller, timeMs, async (store) => {
      const isFirst = ((await store.findSetting(userId))?.trade_hash ?? null) === null;
      await store.saveSetting(userId, { trade_hash: hash });
      if (isFirst) return done({ event: "trade-password-set" });
      return done({ event: "trade-password-changed", cause: "trade-password-changed" });
    });
  }

  async setAntiPhishing(caller: Caller, code: string, timeMs: number): Outcome<SessionTokens> {
    return this.#change(caller, timeMs, async (store) => {
      await store.saveSetting(caller.userId, { anti_phishing: code });
      return done({ event: "anti-phishing-set" });
    });
  }

  // Suspensions of withdrawals

  /** Suspends withdrawals; an earlier, longer suspension is kept. With a connection, inside its transaction. */
  async rest(userId: number, cause: LockCause, timeMs: number, kysely?: Kysely<unknown>): Promise<void> {
    const store = kysely === undefined ? this.#store : securityStore(kysely);
    await store.saveLock({ user_id: userId, cause, ends_at_ms: timeMs + restMs(cause) });
  }

  /**
   * Every reason for which withdrawals are suspended, the longest first; with a connection, as its transaction sees
   * them.
   */
  async listLocks(userId: number, timeMs: number, kysely?: Kysely<unknown>): Promise<readonly Lock[]> {
    const store = kysely === undefined ? this.#store : securityStore(kysely);
    const rows = await store.listLocks(userId, timeMs);
    return rows.map(({ cause, ends_at_ms }) => ({ cause, endsAtMs: ends_at_ms, leftMs: ends_at_ms - timeMs }));
  }

  // Freezing

  freezeToken(userId: number, timeMs: number): string {
    return formatFreezeToken(userId, timeMs, this.#needs.mark);
  }

  /** By the link of a mail, or by the signed-in owner. Freezing needs no proof: it only increases protection. */
  async freeze(token: string | undefined, callerId: number | null, timeMs: number): Outcome<null> {
    const userId = token === undefined ? callerId : readFreezeToken(token, timeMs, this.#needs.mark);
    if (userId === undefined) return refused("LINK_INVALID");
    if (userId === null) return refused("UNAUTHENTICATED");
    await this.#needs.revoke(userId, async (kysely) => {
      await this.#needs.setFrozen(kysely, userId, true);
      return done(null);
    });
    await this.#needs.notify(userId, "frozen", timeMs);
    return done(null);
  }

  /** By its owner, with a recent verification, once nothing is left in it. What arrives later is found by support. */
  async close({ userId, sessionId }: Caller, timeMs: number): Outcome<null> {
    if (!(await this.#needs.isVerified(sessionId, timeMs))) return refused("STEP_UP_REQUIRED");
    if (await this.#needs.holdsAssets(userId)) return refused("ACCOUNT_NOT_EMPTY");
    await this.#needs.revoke(userId, async (kysely) => {
      await this.#needs.setFrozen(kysely, userId, true);
      await this.#needs.setClosed(kysely, userId, timeMs);
      return done(null);
    });
    await this.#needs.notify(userId, "closed", timeMs);
    return done(null);
  }

  /** For operators, without the owner's factors; false when a change of the account's security came in between. */
  async unfreeze(userId: number, timeMs: number): Promise<boolean> {
    const owner = await this.#needs.findOwner(userId);
    // What its owner closed remains closed.
    if (owner === undefined || !owner.isFrozen || owner.isClosed) return true;
    const released = await this.#needs.changeAt(userId, owner.version, async (kysely) => {
      await this.#needs.setFrozen(kysely, userId, false);
      await this.rest(userId, "released", timeMs, kysely);
      return done(null);
    });
    if (released.done) await this.#needs.notify(userId, "released", timeMs);
    return released.done;
  }

  /** For operators: withdrawals are suspended until they resume them. */
  suspend(userId: number): Promise<void> {
    return this.#store.saveLock({ user_id: userId, cause: OPERATOR_LOCK, ends_at_ms: NO_END_MS });
  }

  resume(userId: number): Promise<void> {
    return this.#store.removeLock(userId, OPERATOR_LOCK);
  }

  async endSessions(userId: number): Promise<void> {
    await this.#needs.revoke(userId, async () => done(null));
  }

  /** For operators: the authenticator is removed together with every session; withdrawals rest as after any removal. */
  async resetTotp(userId: number, timeMs: number): Promise<void> {
    await this.#needs.revoke(userId, async (kysely) => {
      await securityStore(kysely).removeTotp(userId);
      await this.rest(userId, "totp-removed", timeMs, kysely);
      return done(null);
    });
    await this.#needs.notify(userId, "totp-removed", timeMs);
  }

  async sendReleaseCode(
    account: string,
    captcha: Readonly<Record<string, string>> | undefined,
    requester: Requester,
    timeMs: number,
  ): Outcome<{ readonly resendSeconds: number }> {
    const name = readAccountName(account);
    if (name === undefined) return refused("ACCOUNT_INVALID");
    if (!(await this.#needs.isCaptchaSolved(captcha, timeMs))) return refused("CAPTCHA_REQUIRED");
    const owner = await this.#needs.findOwnerByName(name);
    const { place } = await placeOf(this.#needs.knowsDevice, owner?.userId, requester);
    const minted = await this.#needs.mintCode("release", `${name.value} ${place}`, timeMs);
    if (!minted.done) return refused("CODE_TOO_SOON", minted.detail);
    await this.#needs.sendCode(name, "release", minted.value, owner?.isFrozen !== true);
    return done({ resendSeconds: RESEND_SECONDS });
  }

  /** Requires every factor of the owner: password, code, and the authenticator if there is one. */
  async release(body: ReleaseBody, requester: Requester, timeMs: number): Outcome<null> {
    const name = readAccountName(body.account);
    if (name === undefined) return refused("ACCOUNT_INVALID");
    if (!(await this.#needs.isCaptchaSolved(body.captcha, timeMs))) return refused("CAPTCHA_REQUIRED");
    const owner = await this.#needs.findOwnerByName(name);
    const { place, isKnown } = await placeOf(this.#needs.knowsDevice, owner?.userId, requester);
    const check = async (): Promise<boolean | RetryAfter> => {
      const isRight = await this.#needs.verifyPassword(body.password, owner?.passwordHash);
      if (isRight !== true || owner?.isFrozen !== true) return typeof isRight === "object" ? isRight : false;
      if (await this.hasTotp(owner.userId)) {
        if (!(await this.checkTotp(owner.userId, body.totp ?? "", timeMs))) return false;
      }
      return this.#needs.checkCode("release", `${name.value} ${place}`, body.code, timeMs);
    };
    const key = `release:${owner?.userId ?? name.value}`;
    const isRight = await this.#needs.guardTries(`${key} ${place}`, check, timeMs, isKnown ? undefined : key);
    if (typeof isRight === "object") return refused("BUSY", String(isRight.retryAfterSeconds));
    if (!isRight || owner === undefined) return refused("CREDENTIALS_WRONG");
    if (owner.isClosed) return refused("ACCOUNT_CLOSED");
    if (await this.#needs.isHeldByOperator(owner.userId)) return refused("HELD_BY_EXCHANGE");
    // A freeze set since then wins.
    const released = await this.#needs.changeAt(owner.userId, owner.version, async (kysely) => {
      await this.#needs.setFrozen(kysely, owner.userId, false);
      await this.rest(owner.userId, "released", timeMs, kysely);
      return done(null);
    });
    if (!released.done) return refused("CREDENTIALS_WRONG");
    await this.#needs.notify(owner.userId, "released", timeMs);
    return done(null);
  }

  /** The time step of a code of this secret. */
  #findStep(row: TotpRow, code: string, timeMs: number): number | undefined {
    return findStep(this.#needs.open(row.sealed, totpContext(row.user_id)), code, timeMs);
  }

  /** Writes a change with its suspension of withdrawals, and notifies the owner. */
  async #change(
    caller: Caller,
    timeMs: number,
    write: (
      store: SecurityStore,
    ) => Promise<Result<{ readonly event: SecurityEvent; readonly cause?: LockCause }, SecurityRefusal>>,
  ): Outcome<SessionTokens> {
    const { userId } = caller;
    const changed = await this.#needs.change(caller, { ...PROVED, activity: nameEvent }, timeMs, async (kysely) => {
      const written = await write(securityStore(kysely));
      const cause = written.done ? written.value.cause : undefined;
      if (cause !== undefined) await this.rest(userId, cause, timeMs, kysely);
      return written;
    });
    if (!changed.done) return changed;
    const { value, tokens } = changed.value;
    await this.#needs.notify(userId, value.event, timeMs);
    return done(tokens);
  }
}

function totpContext(userId: number): string {
  return `totp:${userId}`;
}

function stepUpKey({ userId, contact }: Owner): string {
  return `${userId}:${contact.value}`;
}
