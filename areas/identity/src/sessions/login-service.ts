// Signing in with a password: password, then whatever else this account and this device need. Gives the same answer,
// after the same work, whether the account exists or not; the requirements of an account are returned only after the
// right password.

import type { SessionTokens } from "@clockwork/host/route";
import { maskAccountName, readAccountName } from "@clockwork/kit/account";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { RetryAfter } from "../attempts/rules.ts";
import type { AttemptService } from "../attempts/service.ts";
import type { CodeSent, Codes, Factor, LoginBody } from "./contract.ts";
import type { LoginAccount, LoginNeeds } from "./needs.ts";
import type { LoginRefusal } from "./refusals.ts";
import { FACTOR_TRIES, factorKey, passwordTries, SOURCE_TRIES, TICKET_MS } from "./rules.ts";
import type { Client, OpenOptions, SessionService } from "./service.ts";
import type { SessionStore, TicketRow } from "./store.ts";

export type LoginOutcome =
  | { readonly kind: "open"; readonly userId: number; readonly tokens: SessionTokens }
  | { readonly kind: "next"; readonly next: readonly Factor[]; readonly ticket: string; readonly sentTo?: string };

interface Progress {
  readonly account: LoginAccount;
  readonly ticket: TicketRow | undefined;
  readonly passed: readonly Factor[];
}

export interface LoginParts {
  readonly needs: LoginNeeds;
  readonly store: SessionStore;
  readonly sessions: SessionService;
  readonly attempts: AttemptService;
}

/** The part of an address that is one caller's. */
export interface LoginClient extends Client {
  readonly source: string;
}

const PRUNE_EVERY = 256;
/** The id of no user. */
const NOBODY = 0;

export class LoginService {
  readonly #parts: LoginParts;
  #issued = 0;

  constructor(parts: LoginParts) {
    this.#parts = parts;
  }

  /** The first steps of a sign-in: the same for every name, existing or not. */
  async validateType(account: string): Promise<Result<readonly ("password" | "passkey")[], LoginRefusal>> {
    const name = readAccountName(account);
    return name === undefined ? refused("ACCOUNT_INVALID") : done(["password", "passkey"]);
  }

  async login(body: LoginBody, client: LoginClient, timeMs: number): Promise<Result<LoginOutcome, LoginRefusal>> {
    const started =
      body.ticket === undefined
        ? await this.#checkPassword(body, client, timeMs)
        : await this.#resume(body.ticket, client, timeMs);
    if (!started.done) return started;
    return this.#proceed(started.value, body, client, "password", timeMs);
  }

  /** Continues where another proof replaced the password. */
  async enter(
    userId: number,
    client: LoginClient,
    isKept: boolean,
    timeMs: number,
  ): Promise<Result<LoginOutcome, LoginRefusal>> {
    const account = await this.#parts.needs.findUser(userId);
    if (account === undefined) return refused("TICKET_INVALID");
    const progress = { account, ticket: undefined, passed: [] };
    return this.#proceed(progress, { staySignedIn: isKept }, client, "social", timeMs);
  }

  async #proceed(
    progress: Progress,
    body: Pick<LoginBody, "codes" | "staySignedIn">,
    client: LoginClient,
    method: "password" | "social",
    timeMs: number,
  ): Promise<Result<LoginOutcome, LoginRefusal>> {
    const { account, ticket } = progress;
    const needed = await this.#neededFactors(account, client);
    const checked = await this.#checkFactors(progress, needed, body.codes ?? {}, client, timeMs);
    if (!checked.done) return checked;
    const passed = checked.value;
    const next = needed.filter((factor) => !passed.includes(factor));
    if (next.length > 0) return this.#requestFor(progress, next, passed, client, timeMs);
    if (ticket !== undefined && !(await this.#parts.store.removeTicket(ticket.id))) return refused("TICKET_INVALID");
    if (account.isFrozen) return refused("ACCOUNT_FROZEN");
    const options = { isKept: body.staySignedIn === true, isVerified: passed.length > 0, method };
    return this.#open(account, client, options, timeMs);
  }

  /** Sends the code of a sign-in under way again. */
  async resend(
    ticketText: string,
    captcha: Readonly<Record<string, string>> | undefined,
    timeMs: number,
  ): Promise<Result<CodeSent, LoginRefusal>> {
    const { needs, store } = this.#parts;
    const ticket = await store.findTicket(this.#ticketId(ticketText), timeMs);
    const account = ticket === undefined ? undefined : await needs.findUser(ticket.user_id);
    if (account === undefined) return refused("TICKET_INVALID");
    if (!(await needs.isCaptchaSolved(captcha, timeMs))) return refused("CAPTCHA_REQUIRED");
    const minted = await needs.mintCode(account.contact, timeMs);
    if (!minted.done) return refused("CODE_TOO_SOON", minted.detail);
    await needs.sendCode(account.userId, account.contact, minted.value, timeMs);
    return done({ sentTo: maskAccountName(account.contact), resendSeconds: 60 });
  }

  async #checkPassword(body: LoginBody, client: LoginClient, timeMs: number): Promise<Result<Progress, LoginRefusal>> {
    const { needs, attempts, sessions } = this.#parts;
    const name = readAccountName(body.account ?? "");
    if (name === undefined || body.password === undefined) return refused("ACCOUNT_INVALID");
    if (!(await needs.isCaptchaSolved(body.captcha, timeMs))) return refused("CAPTCHA_REQUIRED");
    const account = await needs.findAccount(name);
    const isKnown = await sessions.knowsDevice(account?.userId ?? NOBODY, client.deviceKey);
    // Users who share an address may sign in at the same time: only failures count against it, and none of them against
    // a device the account recognises.
    const source = `source:${client.source}`;
    const shut = isKnown ? undefined : await attempts.peek(source, timeMs);
    if (shut !== undefined) return refused("LOGIN_LOCKED", String(shut.retryAfterSeconds));
    const full = needs.hashBusy(attempts.waiting);
    if (full !== undefined) return refused("BUSY", String(full.retryAfterSeconds));
    const { password } = body;
    let busy: RetryAfter | undefined;
    const { isRight, locked } = await attempts.judgeAll(passwordTries(name, client, isKnown), timeMs, async () => {
      const verdict = await needs.verifyPassword(password, account?.passwordHash);
      if (typeof verdict === "boolean") return verdict && account !== undefined;
      busy = verdict;
      return undefined;
    });
    if (busy !== undefined) return refused("BUSY", String((busy as RetryAfter).retryAfterSeconds));
    if (isRight === false) await attempts.blame(source, SOURCE_TRIES, timeMs);
    // The failed try that locks reports it: the next one would anyway.
    if (locked !== undefined) return refused("LOGIN_LOCKED", String(locked.retryAfterSeconds));
    if (account === undefined || isRight !== true) return refused("CREDENTIALS_WRONG");
    return done({ account, ticket: undefined, passed: [] });
  }

  async #resume(ticketText: string, client: LoginClient, timeMs: number): Promise<Result<Progress, LoginRefusal>> {
    const ticket = await this.#parts.store.findTicket(this.#ticketId(ticketText), timeMs);
    const account = ticket === undefined ? undefined : await this.#parts.needs.findUser(ticket.user_id);
    // A ticket is valid on its device, until the account's security changes.
    if (ticket === undefined || ticket.device_key !== client.deviceKey || ticket.version !== account?.version) {
      return refused("TICKET_INVALID");
    }
    return done({ account, ticket, passed: ticket.passed.split(",").filter((text) => text !== "") as Factor[] });
  }

  async #neededFactors(account: LoginAccount, client: LoginClient): Promise<readonly Factor[]> {
    const { needs, sessions } = this.#parts;
    const [hasTotp, isKnown] = await Promise.all([
      needs.hasTotp(account.userId),
      sessions.knowsDevice(account.userId, client.deviceKey),
    ]);
    return [...(hasTotp ? (["totp"] as const) : []), ...(isKnown ? [] : [account.contact.kind])];
  }

  async #checkFactors(
    { account, ticket, passed }: Progress,
    needed: readonly Factor[],
    codes: Codes,
    client: LoginClient,
    timeMs: number,
  ): Promise<Result<readonly Factor[], LoginRefusal>> {
    const { needs, attempts, store } = this.#parts;
    const isKnown = !needed.includes(account.contact.kind);
    const key = factorKey(account.userId, isKnown ? client.deviceKey : undefined);
    const proved = [...passed];
    for (const factor of needed) {
      const code = codes[factor];
      if (proved.includes(factor) || code === undefined) continue;
      const { isRight, locked } = await attempts.judge(key, FACTOR_TRIES, timeMs, () =>
        factor === "totp"
          ? needs.checkTotp(account.userId, code, timeMs)
          : needs.checkCode(account.contact, code, timeMs),
      );
      if (isRight === undefined) return refused("LOGIN_LOCKED", String(locked?.retryAfterSeconds ?? 1));
      if (!isRight) return refused("CODE_WRONG");
      proved.push(factor);
      if (ticket !== undefined) await store.markTicket(ticket.id, proved.join(","));
    }
    return done(proved);
  }

  async #requestFor(
    { account, ticket }: Progress,
    next: readonly Factor[],
    passed: readonly Factor[],
    client: LoginClient,
    timeMs: number,
  ): Promise<Result<LoginOutcome, LoginRefusal>> {
    const { needs, store } = this.#parts;
    let sentTo: string | undefined;
    if (next.includes(account.contact.kind)) {
      const minted = await needs.mintCode(account.contact, timeMs);
      // Too soon means the last one is still on its way and valid.
      if (minted.done) await needs.sendCode(account.userId, account.contact, minted.value, timeMs);
      sentTo = maskAccountName(account.contact);
    }
    const text = needs.randomId();
    if (ticket !== undefined) await store.removeTicket(ticket.id);
    await store.addTicket({
      id: this.#ticketId(text),
      user_id: account.userId,
      passed: passed.join(","),
      device_key: client.deviceKey,
      expires_at_ms: timeMs + TICKET_MS,
      version: account.version,
    });
    this.#issued += 1;
    if (this.#issued % PRUNE_EVERY === 0) await store.removeTickets(timeMs);
    return done({ kind: "next", next, ticket: text, ...(sentTo === undefined ? {} : { sentTo }) });
  }

  async #open(
    account: LoginAccount,
    client: LoginClient,
    options: OpenOptions,
    timeMs: number,
  ): Promise<Result<LoginOutcome, LoginRefusal>> {
    const { needs, sessions } = this.#parts;
    const { userId } = account;
    const isNew = !(await sessions.knowsDevice(userId, client.deviceKey));
    const tokens = await sessions.open(account, client, options, timeMs);
    if (tokens === null) return refused("ACCOUNT_CHANGED");
    if (isNew) await needs.onNewDevice(userId, { name: client.deviceName, address: client.address }, timeMs);
    return done({ kind: "open", userId, tokens });
  }

  #ticketId(text: string): string {
    return this.#parts.needs.mark(text, "ticket");
  }
}
