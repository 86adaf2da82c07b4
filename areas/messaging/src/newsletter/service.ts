// Use cases of the newsletter: asking for it, confirming, leaving. The answer to asking is the same whether an address is
// known or not, and nobody gets more than one mail in ten minutes because somebody else typed their address.
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
    return (await this.#store.remove(this.#needs.hash(token))) ? done(null) : refused("TOKEN_INVALID");
  }

  async list(after: string | undefined = ""): Promise<SubscriberPage> {
    const [confirmed, waiting, rows] = await Promise.all([
      this.#store.countConfirmed(),
      this.#store.countWaiting(),
      this.#store.listConfirmed(after, PAGE + 1),
    ]);
    const shown = rows.slice(0, PAGE);
    return {
      confirmed,
      waiting,
      subscribers: shown.map(({ email, source, locale, confirmed_at_ms }) => ({
        email,
        source,
        locale,
        confirmedAtMs: confirmed_at_ms ?? 0,
      })),
      next: rows.length > PAGE ? (shown.at(-1)?.email ?? null) : null,
    };
  }
}
