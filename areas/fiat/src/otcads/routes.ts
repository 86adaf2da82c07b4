// REST of ads and matching: schema → service → envelope.
import type { Audit } from "@clockwork/host/audit";
import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import type { AdBook } from "./book-store.ts";
import type { AdCheckService } from "./check-service.ts";
import { type AdDraft, OTC_AD_CALLS as CALLS, type OwnAds } from "./contract.ts";
import type { MatchService } from "./match-service.ts";
import type { AdNeeds } from "./needs.ts";
import { type AdRefusal, REFUSALS } from "./refusals.ts";
import { fieldOf } from "./rules.ts";
import type { AdService } from "./service.ts";

export interface AdRouteParts {
  readonly ads: AdService;
  readonly checks: AdCheckService;
  readonly book: AdBook;
  readonly matches: MatchService;
  readonly needs: Pick<AdNeeds, "taker">;
  /** Records the user's activity. */
  readonly seen: (userId: number) => void;
  readonly audit: Audit;
}

const open = { tag: "otc" } as const;
const own = { tag: "otc", scope: "user" } as const;

/** Terms as sent, and their position in the body. */
interface SentTerms {
  readonly at: string;
  readonly draft: AdDraft;
}

function respond<Value>(result: Result<Value, AdRefusal>, sent?: SentTerms): Outcome<Value, AdRefusal> {
  if (result.done) return answer(result.value);
  const field = sent === undefined ? undefined : fieldOf(result.code, sent.draft);
  const fields = field === undefined ? undefined : { [`${sent?.at}.${field}`]: REFUSALS[result.code][1] };
  return refuseBy(REFUSALS, result, fields);
}

export function otcAdRoutes(parts: AdRouteParts): readonly RouteSpec[] {
  return [...listRoutes(parts), ...ownRoutes(parts), ...matchRoutes(parts), deskRoute(parts), banRoute(parts)];
}

function listRoutes({ book, needs, seen }: AdRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.index, {
      ...open,
      summary: "Coins and currencies traded between people, their index prices and the best ads",
      handle: async ({ query }) => answer(book.index(query.fiat)),
    }),
    serve(CALLS.page, {
      ...open,
      summary: "Ads of one coin in one currency, best price first; side is what the caller wants to do",
      handle: async ({ query }, { userId }) => {
        if (userId === null) return answer(book.page(query, undefined));
        seen(Number(userId));
        return answer(book.page(query, await needs.taker(Number(userId))));
      },
    }),
  ];
}

function ownRoutes({ ads, checks, seen }: AdRouteParts): readonly RouteSpec[] {
  const all = async (
    userId: number,
    result: Result<unknown, AdRefusal>,
    sent?: SentTerms,
  ): Promise<Outcome<OwnAds, AdRefusal>> => {
    seen(userId);
    return result.done ? answer(await ads.own(userId)) : respond(result, sent);
  };
  return [
    serve(CALLS.own, {
      ...own,
      summary: "The caller's ads",
      handle: async (_, { userId }) => {
        seen(Number(userId));
        return answer(await ads.own(Number(userId)));
      },
    }),
    serve(CALLS.add, {
      ...own,
      summary: "Posts an ad; the same clientId is the same ad",
      handle: async ({ body }, { userId }) =>
        all(Number(userId), await ads.add(Number(userId), body), { at: "body", draft: body }),
    }),
    serve(CALLS.update, {
      ...own,
      summary: "Takes an ad online or offline, deletes it, or gives it new terms",
      handle: async ({ body }, { userId }) => {
        const sent = body.terms === undefined ? undefined : { at: "body.terms", draft: body.terms };
        return all(Number(userId), await ads.update(Number(userId), body), sent);
      },
    }),
    serve(CALLS.validate, {
      ...own,
      summary: "Every rule an ad or its new terms must meet, its price now, its rank and its effect; posts nothing",
      handle: async ({ body }, { userId }) =>
        respond(await checks.validate(Number(userId), body), { at: "body", draft: body }),
    }),
  ];
}

function matchRoutes({ matches }: AdRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.match, {
      ...own,
      summary: "The best ad for an amount, its price held for 60 seconds",
      rate: { callsMax: 120, windowMs: 60_000 },
      handle: async ({ body }, { userId }) => respond(await matches.match(Number(userId), body)),
    }),
    serve(CALLS.matchNearest, {
      ...own,
      summary: "For a deal no ad takes: the nearest amount or quantity that one does, and that ad's limits",
      rate: { callsMax: 120, windowMs: 60_000 },
      handle: async ({ query }, { userId }) => respond(await matches.nearest(Number(userId), query)),
    }),
    serve(CALLS.matchStatus, {
      ...own,
      summary: "What became of a match",
      handle: async ({ query }, { userId }) => respond(await matches.status(Number(userId), query.id)),
    }),
  ];
}

function deskRoute({ ads }: AdRouteParts): RouteSpec {
  return serve(CALLS.desk, {
    tag: "otc",
    scope: { operator: "otc.merchants" },
    summary: "The ads of a merchant, for operators",
    handle: async ({ query }) => answer(await ads.own(Number(query.user))),
  });
}

function banRoute({ ads, audit }: AdRouteParts): RouteSpec {
  return serve(CALLS.ban, {
    tag: "otc",
    scope: { operator: "otc.merchants" },
    summary: "Bans an ad with a reason, or lets it be posted again",
    handle: async ({ body: { adId, isBanned, reason } }, context) => {
      await audit.record(context, isBanned ? "otc.ad.banned" : "otc.ad.freed", adId, reason);
      const banned = await ads.ban(Number(adId), isBanned, reason);
      return banned.done ? answer(await ads.own(banned.value.user_id)) : respond(banned);
    },
  });
}
