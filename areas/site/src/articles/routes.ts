// REST of written pages: schema → service → envelope. All of it is public.

import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import { ANNOUNCEMENT_CALLS, type ArticleKind, ARTICLE_CALLS as CALLS, type CoinInfo, NEWS_CALLS } from "./contract.ts";
import { COIN_REFUSALS, READ_REFUSALS } from "./refusals.ts";
import type { ArticleService } from "./service.ts";

const open = { tag: "articles" } as const;

export function articleRoutes(service: ArticleService): readonly RouteSpec[] {
  return [
    ...feedRoutes(service, "announcement", ANNOUNCEMENT_CALLS, "announcements"),
    ...feedRoutes(service, "news", NEWS_CALLS, "news"),
    ...listRoutes(service),
    oneRoute(service, "help", CALLS.helpArticle, "One article of the help center"),
    oneRoute(service, "legal", CALLS.legalOne, "One legal document"),
    serve(CALLS.legalChanges, {
      ...open,
      summary: "The versions of a legal document, newest first, and the sections each changed",
      handle: async ({ query }, { timeMs }) => outcomeOf(await service.readChanges("legal", query.slug, timeMs)),
    }),
  ];
}

function feedRoutes(
  service: ArticleService,
  kind: ArticleKind,
  calls: typeof NEWS_CALLS,
  noun: string,
): readonly RouteSpec[] {
  return [
    serve(calls.list, {
      ...open,
      summary: `All ${noun}, newest first, by category`,
      handle: async ({ query }, { timeMs }) => answer(await service.listNewest(kind, query, timeMs)),
    }),
    serve(calls.hot, {
      ...open,
      summary: `The ${noun} most people should read now`,
      handle: async (_, { timeMs }) => answer(await service.listHot(kind, timeMs)),
    }),
    serve(calls.pinned, {
      ...open,
      summary: `The ${noun} pinned by the operator`,
      handle: async (_, { timeMs }) => answer(await service.listPinned(kind, timeMs)),
    }),
    oneRoute(service, kind, calls.one, `One of the ${noun}`),
  ];
}

function listRoutes(service: ArticleService): readonly RouteSpec[] {
  return [
    serve(CALLS.notices, {
      ...open,
      summary: "The announcements of the home page: pinned ones first, then those most people should read",
      handle: async (_, { timeMs }) => answer(await service.listNotices(timeMs)),
    }),
    serve(CALLS.help, {
      ...open,
      summary: "The help center: categories, sections and their articles",
      handle: async (_, { timeMs }) => answer(await service.readHelp(timeMs)),
    }),
    serve(CALLS.legal, {
      ...open,
      summary: "The legal documents",
      handle: async (_, { timeMs }) => answer(await service.listAll("legal", timeMs)),
    }),
    serve(CALLS.search, {
      ...open,
      summary: "Articles, announcements, news and legal documents that have all the words",
      rate: { callsMax: 240, windowMs: 60_000 },
      handle: async ({ query }, { timeMs }) => answer(await service.search(query.q, query.kind, timeMs)),
    }),
  ];
}

function oneRoute(service: ArticleService, kind: ArticleKind, call: typeof NEWS_CALLS.one, summary: string): RouteSpec {
  return serve(call, {
    ...open,
    summary,
    handle: async ({ query }, { timeMs }) => outcomeOf(await service.read(kind, query.slug, timeMs)),
  });
}

function outcomeOf<Data>(result: Result<Data, "ARTICLE_NOT_FOUND">): Outcome<Data, "ARTICLE_NOT_FOUND"> {
  return result.done ? answer(result.value) : refuseBy(READ_REFUSALS, result);
}

/** Coins are facts, not texts with versions: read from their file at the start. */
export function coinRoutes(coins: readonly CoinInfo[]): readonly RouteSpec[] {
  return [
    serve(CALLS.coin, {
      ...open,
      summary: "What a coin is: description, supply and links",
      handle: async ({ query }) => {
        const coin = coins.find(({ symbol }) => symbol === query.coin.toUpperCase());
        return coin === undefined ? refuseBy(COIN_REFUSALS, { code: "COIN_UNKNOWN" }) : answer(coin);
      },
    }),
  ];
}
