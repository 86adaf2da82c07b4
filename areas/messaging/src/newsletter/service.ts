// Use cases of the newsletter: subscribing, confirming, leaving. The response to a subscription is the same whether an
// address is stored or not, and one address gets at most one mail in ten minutes.
import { cutPage } from "@clockwork/kit/pages/page";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import { checkEmail, trimEmail } from "@clockwork/kit/validate";
import type { NewsletterBody, SubscriberPage } from "./contract.ts";
import type { NewsletterNeeds } from "./needs.ts";
import type { NewsletterStore } from "./store.ts";

export const REPEAT_MS = 10 * MINUTE_MS;
export const CONFIRM_DAYS = 7;
const PAGE = 100;

export class NewsletterService {
  readonly #store: NewsletterStore;
  readonly #needs: NewsletterNeeds;

  constructor({
    store,
    needs,
  }: {
    readonly store: NewsletterStore;
    readonly needs: NewsletterNeeds;
  }) {
    this.#store = store;
    this.#needs = needs;
  }

  async signUp(
    body: NewsletterBody,
    locale: string,
    timeMs: number,
  ): Promise<Result<null, "EMAIL_INVALID" | "CAPTCHA_REQUIRED">> {
    const email = trimEmail(body.email).toLowerCase();
    if (checkEmail(email) !== undefined) return refused("EMAIL_INVALID");
    if (!(await this.#needs.isCaptchaSolved(body.captcha, timeMs))) return refused("CAPTCHA_REQUIRED");
    await this.#store.removeWaiting(timeMs - CONFIRM_DAYS * DAY_MS);
    const token = this.#needs.randomToken();
    const row = { email, token_hash: this.#needs.hash(token), source: body.source ?? "", locale, asked_at_ms: timeMs };
    if (await this.#store.ask(row, timeMs - REPEAT_MS)) await this.#needs.sendConfirmation(email, token);
    return done(null);
  }

  async confirm(token: string, timeMs: number): Promise<Result<null, "TOKEN_INVALID">> {
    const isConfirmed = await this.#store.confirm(this.#needs.hash(token), timeMs - CONFIRM_DAYS * DAY_MS, timeMs);
    return isConfirmed ? done(null) : refused("TOKEN_INVALID");
  }

  async leave(token: string): Promise<Result<null, "TOKEN_INVALID">> {
    if (await this.#store.remove(this.#needs.hash(token))) return done(null);
    const email = this.#needs.readLeaveToken(token);
    if (email === undefined) return refused("TOKEN_INVALID");
    // A repeat gets the same response: pressing twice is no mistake.
    await this.#store.removeAddress(email);
    return done(null);
  }

  leaveToken(email: string): string {
    return this.#needs.leaveToken(email);
  }

  countConfirmed(): Promise<number> {
    return this.#store.countConfirmed();
  }

  /** Who had confirmed by then, by the alphabet. */
  listReaders(
    after: string,
    confirmedBeforeMs: number,
    limit: number,
  ): Promise<readonly { readonly email: string; readonly locale: string }[]> {
    return this.#store.listConfirmed(after, limit, confirmedBeforeMs);
  }

  async list(after: string | undefined = ""): Promise<SubscriberPage> {
    const [confirmed, waiting, rows] = await Promise.all([
      this.#store.countConfirmed(),
      this.#store.countWaiting(),
      this.#store.listConfirmed(after, PAGE + 1),
    ]);
    const { shown, end } = cutPage(rows, PAGE);
    return {
      confirmed,
      waiting,
      subscribers: shown.map(({ email, source, locale, confirmed_at_ms }) => ({
        email,
        source,
        locale,
        confirmedAtMs: confirmed_at_ms ?? 0,
      })),
      next: end?.email ?? null,
    };
  }
}
