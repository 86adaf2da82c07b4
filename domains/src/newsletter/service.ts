// Use cases of the newsletter: asking for it, confirming, leaving. The answer to asking is the same whether an address is
// known or not, and nobody gets more than one mail in ten minutes because somebody else typed their address.
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import { checkEmail, trimEmail } from "@clockwork/kit/validate";
import type { NewsletterBody, SubscriberPage } from "./api.ts";
import type { NewsletterNeeds } from "./needs.ts";
import type { NewsletterStore } from "./store.ts";

export interface NewsletterService {
  signUp(
    body: NewsletterBody,
    locale: string,
    timeMs: number,
  ): Promise<Result<null, "EMAIL_INVALID" | "CAPTCHA_REQUIRED">>;
  confirm(token: string, timeMs: number): Promise<Result<null, "TOKEN_INVALID">>;
  leave(token: string): Promise<Result<null, "TOKEN_INVALID">>;
  list(after: string | undefined): Promise<SubscriberPage>;
}

export const REPEAT_MS = 10 * MINUTE_MS;
export const CONFIRM_DAYS = 7;
const PAGE = 100;

export function newsletterService({
  store,
  needs,
}: {
  readonly store: NewsletterStore;
  readonly needs: NewsletterNeeds;
}): NewsletterService {
  return {
    async signUp(body, locale, timeMs) {
      const email = trimEmail(body.email).toLowerCase();
      if (checkEmail(email) !== undefined) return refused("EMAIL_INVALID");
      if (!(await needs.isCaptchaSolved(body.captcha, timeMs))) return refused("CAPTCHA_REQUIRED");
      await store.removeWaiting(timeMs - CONFIRM_DAYS * DAY_MS);
      const known = await store.find(email);
      const isRecent = known !== undefined && timeMs - known.asked_at_ms < REPEAT_MS;
      if (isRecent || (known?.confirmed_at_ms ?? null) !== null) return done(null);
      const token = needs.randomToken();
      await store.put({
        email,
        token_hash: needs.hash(token),
        source: body.source ?? "",
        locale,
        asked_at_ms: timeMs,
        confirmed_at_ms: null,
      });
      await needs.sendConfirmation(email, token);
      return done(null);
    },
    async confirm(token, timeMs) {
      const row = await store.findByToken(needs.hash(token));
      const isOver = row?.confirmed_at_ms === null && timeMs - row.asked_at_ms > CONFIRM_DAYS * DAY_MS;
      if (row === undefined || isOver) return refused("TOKEN_INVALID");
      // Pressing twice is no mistake.
      if (row.confirmed_at_ms === null) await store.confirm(row.email, timeMs);
      return done(null);
    },
    async leave(token) {
      const row = await store.findByToken(needs.hash(token));
      if (row === undefined) return refused("TOKEN_INVALID");
      await store.remove(row.email);
      return done(null);
    },
    async list(after = "") {
      const [confirmed, waiting, rows] = await Promise.all([
        store.countConfirmed(),
        store.countWaiting(),
        store.listConfirmed(after, PAGE + 1),
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
    },
  };
}
