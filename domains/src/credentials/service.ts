// Passwords and contacts of an account: forgotten, changed, bound. Every change ends other sessions, rests withdrawals
// and tells the owner. Never says whether an account exists to whoever has not proved to own it.
import { type AccountName, readAccountName } from "@clockwork/kit/account";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { SessionTokens } from "@clockwork/kit/route";
import { checkPassword } from "@clockwork/kit/validate";
import type { CodeSent, ForgetTicket } from "./api.ts";
import type { CredentialNeeds } from "./needs.ts";
import type { ResetStore } from "./store.ts";

export type CredentialRefusal =
  | "ACCOUNT_INVALID"
  | "CAPTCHA_REQUIRED"
  | "CODE_TOO_SOON"
  | "CODE_WRONG"
  | "TICKET_INVALID"
  | "TOTP_REQUIRED"
  | "PASSWORD_INVALID"
  | "PASSWORD_WRONG"
  | "STEP_UP_REQUIRED"
  | "ACCOUNT_TAKEN"
  | "UNAUTHENTICATED"
  | "BUSY";

const RESET_MS = 15 * 60_000;
const RESEND_SECONDS = 60;

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
    timeMs: number,
  ): Promise<Result<CodeSent, CredentialRefusal>> {
    const name = readAccountName(account);
    if (name === undefined) return refused("ACCOUNT_INVALID");
    if (!(await this.#needs.isCaptchaSolved(captcha, timeMs))) return refused("CAPTCHA_REQUIRED");
    const minted = await this.#needs.mintCode("reset", name.value, timeMs);
    if (!minted.done) return refused("CODE_TOO_SOON", minted.detail);
    const known = await this.#needs.findByName(name);
    await this.#needs.sendCode(name, "reset", minted.value, known === undefined, timeMs);
    return done({ resendSeconds: RESEND_SECONDS });
  }

  async validateReset(account: string, code: string, timeMs: number): Promise<Result<ForgetTicket, CredentialRefusal>> {
    const name = readAccountName(account);
    if (name === undefined) return refused("ACCOUNT_INVALID");
    const isRight = await this.#needs.checkCode("reset", name.value, code, timeMs);
    const row = await this.#needs.findByName(name);
    if (!isRight || row === undefined) return refused("CODE_WRONG");
    const ticket = this.#needs.randomId();
    const id = this.#needs.mark(ticket, "reset");
    await this.#store.add({ id, user_id: row.id, expires_at_ms: timeMs + RESET_MS });
    return done({ ticket, needsTotp: await this.#needs.hasTotp(row.id) });
  }

  async reset(
    body: { readonly ticket: string; readonly password: string; readonly totp?: string },
    timeMs: number,
  ): Promise<Result<null, CredentialRefusal>> {
    const id = this.#needs.mark(body.ticket, "reset");
    const userId = await this.#store.find(id, timeMs);
    if (userId === undefined) return refused("TICKET_INVALID");
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
    if (!(await this.#store.spend(id))) return refused("TICKET_INVALID");
    await this.#needs.setPassword(userId, hash);
    await this.#needs.endSessions(userId);
    await this.#needs.onChanged(userId, "password-reset", timeMs);
    return done(null);
  }

  async changePassword(
    caller: { readonly userId: number; readonly sessionId: string },
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
    await this.#needs.setPassword(userId, hash);
    return this.#finish(userId, sessionId, "password-changed", timeMs);
  }

  /** A code to the new address or number; the old one proved itself when the session was verified. */
  async sendContactCode(
    caller: { readonly userId: number; readonly sessionId: string },
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
    // A taken address gets nothing and the caller is told nothing: this is no way to find out who is here.
    const known = await this.#needs.findByName(name);
    await this.#needs.sendCode(name, "contact", minted.value, known !== undefined, timeMs);
    return done({ resendSeconds: RESEND_SECONDS });
  }

  async bindContact(
    caller: { readonly userId: number; readonly sessionId: string },
    account: string,
    code: string,
    timeMs: number,
  ): Promise<Result<SessionTokens, CredentialRefusal>> {
    const { userId, sessionId } = caller;
    const name = readAccountName(account);
    if (name === undefined) return refused("ACCOUNT_INVALID");
    if (!(await this.#needs.isVerified(sessionId, timeMs))) return refused("STEP_UP_REQUIRED");
    if (!(await this.#needs.checkCode("contact", contactKey(userId, name), code, timeMs))) return refused("CODE_WRONG");
    const [row, other] = await Promise.all([this.#needs.find(userId), this.#needs.findByName(name)]);
    if (other !== undefined || row === undefined) return refused("ACCOUNT_TAKEN");
    await this.#needs.setContact(userId, name);
    const isFirst = row[name.kind] === null;
    return this.#finish(userId, sessionId, `${name.kind}-${isFirst ? "bound" : "changed"}`, timeMs);
  }

  async #finish(
    userId: number,
    sessionId: string,
    change: Parameters<CredentialNeeds["onChanged"]>[1],
    timeMs: number,
  ): Promise<Result<SessionTokens, CredentialRefusal>> {
    await this.#needs.onChanged(userId, change, timeMs);
    const tokens = await this.#needs.renewAlone(userId, sessionId, timeMs);
    return tokens === null ? refused("UNAUTHENTICATED") : done(tokens);
  }
}

/** One user's code for an address is no other user's. */
function contactKey(userId: number, { value }: AccountName): string {
  return `${userId}:${value}`;
}
