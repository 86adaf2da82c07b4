// Passwords and contacts of an account: forgotten, changed, bound. Every change ends other sessions, suspends
// withdrawals and notifies the owner. Never reveals whether an account exists without proof of ownership.

import type { SessionTokens } from "@clockwork/host/route";
import { type AccountName, readAccountName } from "@clockwork/kit/account";
import { done, type Result, refused } from "@clockwork/kit/result";
import { checkPassword } from "@clockwork/kit/validate";
import type { Kysely } from "kysely";
import { placeOf, type Requester } from "../codes/place.ts";
import type { Caller } from "../sessions/service.ts";
import type { CodeSent, ForgetTicket } from "./contract.ts";
import type { CredentialChange, CredentialNeeds } from "./needs.ts";
import type { CredentialRefusal } from "./refusals.ts";
import { type ResetStore, resetStore } from "./store.ts";

const RESET_MS = 15 * 60_000;
const RESEND_SECONDS = 60;
const NOBODY = 0;
const ALONE = { needsProof: true, endsOthers: true } as const;

export class CredentialService {
  readonly #store: ResetStore;
  readonly #needs: CredentialNeeds;

  constructor({ store, needs }: { readonly store: ResetStore; readonly needs: CredentialNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async sendResetCode(
    account: string,
    captcha: Readonly<Record<string, string>> | undefined,
    requester: Requester,
    timeMs: number,
  ): Promise<Result<CodeSent, CredentialRefusal>> {
    const name = readAccountName(account);
    if (name === undefined) return refused("ACCOUNT_INVALID");
    if (!(await this.#needs.isCaptchaSolved(captcha, timeMs))) return refused("CAPTCHA_REQUIRED");
    const known = await this.#needs.findByName(name);
    const { place } = await placeOf(this.#needs.knowsDevice, known?.id, requester);
    const minted = await this.#needs.mintCode("reset", `${name.value} ${place}`, timeMs);
    if (!minted.done) return refused("CODE_TOO_SOON", minted.detail);
    await this.#needs.sendCode(name, "reset", minted.value, known === undefined);
    return done({ resendSeconds: RESEND_SECONDS });
  }

  async validateReset(
    account: string,
    code: string,
    requester: Requester,
    timeMs: number,
  ): Promise<Result<ForgetTicket, CredentialRefusal>> {
    const name = readAccountName(account);
    if (name === undefined) return refused("ACCOUNT_INVALID");
    const row = await this.#needs.findByName(name);
    const version = await this.#needs.versionOf(row?.id ?? NOBODY);
    const { place, isKnown } = await placeOf(this.#needs.knowsDevice, row?.id, requester);
    const key = row === undefined ? name.value : String(row.id);
    const together = isKnown ? undefined : key;
    const receiver = `${name.value} ${place}`;
    const isRight = await this.#needs.checkCode("reset", receiver, code, `${key} ${place}`, timeMs, together);
    if (typeof isRight === "object") return refused("CODE_LOCKED", String(isRight.retryAfterSeconds));
    if (!isRight || row === undefined) return refused("CODE_WRONG");
    const ticket = this.#needs.randomId();
    const id = this.#needs.mark(ticket, "reset");
    await this.#store.add({ id, user_id: row.id, expires_at_ms: timeMs + RESET_MS, version });
    return done({ ticket, needsTotp: await this.#needs.hasTotp(row.id) });
  }

  async reset(
    body: { readonly ticket: string; readonly password: string; readonly totp?: string },
    timeMs: number,
  ): Promise<Result<null, CredentialRefusal>> {
    const id = this.#needs.mark(body.ticket, "reset");
    const ticket = await this.#store.find(id, timeMs);
    if (ticket === undefined) return refused("TICKET_INVALID");
    const userId = ticket.user_id;
    const wrong = checkPassword(body.password);
    if (wrong !== undefined) return refused("PASSWORD_INVALID", wrong);
    if (await this.#needs.hasTotp(userId)) {
      const { totp } = body;
      if (totp === undefined) return refused("TOTP_REQUIRED");
      const isRight = await this.#needs.guardTries(
        `user:${userId}`,
        () => this.#needs.checkTotp(userId, totp, timeMs),
        timeMs,
      );
      if (typeof isRight === "object") return refused("BUSY", String(isRight.retryAfterSeconds));
      if (!isRight) return refused("CODE_WRONG");
    }
    const hash = await this.#needs.hashPassword(body.password);
    if (typeof hash === "object") return refused("BUSY", String(hash.retryAfterSeconds));
    const reset = await this.#needs.revoke(userId, async (kysely, version) => {
      // A ticket from before another change of the account's security is invalid.
      const isGood = version === ticket.version && (await resetStore(kysely).spend(id));
      if (!isGood) return refused("TICKET_INVALID");
      await this.#needs.setPassword(kysely, userId, hash);
      await this.#needs.forgiveTries(kysely, userId);
      await this.#needs.rest(kysely, userId, "password-reset", timeMs);
      return done(null);
    });
    if (reset.done) await this.#needs.notify(userId, "password-reset", timeMs);
    return reset;
  }

  async changePassword(
    caller: Caller,
    oldPassword: string,
    newPassword: string,
    timeMs: number,
  ): Promise<Result<SessionTokens, CredentialRefusal>> {
    const { userId, sessionId } = caller;
    if (!(await this.#needs.isVerified(sessionId, timeMs))) return refused("STEP_UP_REQUIRED");
    const wrong = checkPassword(newPassword);
    if (wrong !== undefined) return refused("PASSWORD_INVALID", wrong);
    const row = await this.#needs.find(userId);
    const verify = () => this.#needs.verifyPassword(oldPassword, row?.password_hash);
    const isRight = await this.#needs.guardTries(`user:${userId}`, verify, timeMs);
    if (typeof isRight === "object") return refused("BUSY", String(isRight.retryAfterSeconds));
    if (!isRight) return refused("PASSWORD_WRONG");
    const hash = await this.#needs.hashPassword(newPassword);
    if (typeof hash === "object") return refused("BUSY", String(hash.retryAfterSeconds));
    return this.#change(caller, "password-changed", timeMs, async (kysely) => {
      await this.#needs.setPassword(kysely, userId, hash);
      return done(null);
    });
  }

  /** A code to the new address or number; the old one was proved when the session was verified. */
  async sendContactCode(
    caller: Caller,
    account: string,
    captcha: Readonly<Record<string, string>> | undefined,
    timeMs: number,
  ): Promise<Result<CodeSent, CredentialRefusal>> {
    const name = readAccountName(account);
    if (name === undefined) return refused("ACCOUNT_INVALID");
    if (!(await this.#needs.isVerified(caller.sessionId, timeMs))) return refused("STEP_UP_REQUIRED");
    if (!(await this.#needs.isCaptchaSolved(captcha, timeMs))) return refused("CAPTCHA_REQUIRED");
    const minted = await this.#needs.mintCode("contact", contactKey(caller.userId, name), timeMs);
    if (!minted.done) return refused("CODE_TOO_SOON", minted.detail);
    // A taken address gets nothing, and the answer is the same: this does not reveal who has an account.
    const known = await this.#needs.findByName(name);
    await this.#needs.sendCode(name, "contact", minted.value, known !== undefined);
    return done({ resendSeconds: RESEND_SECONDS });
  }

  async bindContact(
    caller: Caller,
    account: string,
    code: string,
    timeMs: number,
  ): Promise<Result<SessionTokens, CredentialRefusal>> {
    const { userId, sessionId } = caller;
    const name = readAccountName(account);
    if (name === undefined) return refused("ACCOUNT_INVALID");
    if (!(await this.#needs.isVerified(sessionId, timeMs))) return refused("STEP_UP_REQUIRED");
    const isRight = await this.#needs.checkCode("contact", contactKey(userId, name), code, String(userId), timeMs);
    if (typeof isRight === "object") return refused("CODE_LOCKED", String(isRight.retryAfterSeconds));
    if (!isRight) return refused("CODE_WRONG");
    const row = await this.#needs.find(userId);
    const change = `${name.kind}-${row?.[name.kind] === null ? "bound" : "changed"}` as const;
    return this.#change(caller, change, timeMs, async (kysely) =>
      (await this.#needs.setContact(kysely, userId, name)) ? done(null) : refused("ACCOUNT_TAKEN"),
    );
  }

  /** Every other session ends with the change, and withdrawals are suspended. */
  async #change(
    caller: Caller,
    change: CredentialChange,
    timeMs: number,
    write: (kysely: Kysely<unknown>) => Promise<Result<null, CredentialRefusal>>,
  ): Promise<Result<SessionTokens, CredentialRefusal>> {
    const { userId } = caller;
    const changed = await this.#needs.change(caller, { ...ALONE, activity: change }, timeMs, async (kysely) => {
      const written = await write(kysely);
      if (written.done) await this.#needs.rest(kysely, userId, change, timeMs);
      return written;
    });
    if (!changed.done) return changed;
    await this.#needs.notify(userId, change, timeMs);
    return done(changed.value.tokens);
  }
}

/** One user's code for an address is not valid for another user. */
function contactKey(userId: number, { value }: AccountName): string {
  return `${userId}:${value}`;
}
