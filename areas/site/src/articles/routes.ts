// REST of written pages: schema → service → envelope. All of it is public.

import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import {
  Article,
  ArticleChanges,
  type ArticleKind,
  ArticleLinks,
  ArticleList,
  CoinInfo,
  CoinQuery,
  HelpCentre,
  ListQuery,
  SearchQuery,
  SearchResult,
  SlugQuery,
} from "./contract.ts";
import type { ArticleService } from "./service.ts";

const open = { method: "GET", tag: "articles" } as const;

export function articleRoutes(service: ArticleService): readonly RouteSpec[] {
  return [
    ...feedRoutes(service, "announcement", "/v1/announcements", "announcements"),
    ...feedRoutes(service, "news", "/v1/news", "news"),
    ...listRoutes(service),
    oneRoute(service, "help", "/v1/help/article", "One article of the help centre"),
    oneRoute(service, "legal", "/v1/legal/one", "One legal document"),
    defineRoute({
      ...open,
      path: "/v1/legal/changes",
      summary: "The versions of a legal document, newest first, and the sections each changed",
      query: SlugQuery,
      output: ArticleChanges,
      handle: async ({ query }, { timeMs }) => outcomeOf(await service.readChanges("legal", query.slug, timeMs)),
    }),
  ];
}

function feedRoutes(service: ArticleService, kind: ArticleKind, path: string, noun: string): readonly RouteSpec[] {
  return [
    defineRoute({
      ...open,
      path: `${path}/list`,
      summary: `All ${noun}, newest first, by category`,
      query: ListQuery,
      output: ArticleList,
      handle: async ({ query }, { timeMs }) => answer(await service.listNewest(kind, query, timeMs)),
    }),
    defineRoute({
      ...open,
      path: `${path}/hot`,
      summary: `The ${noun} most people should read now`,
      output: ArticleLinks,
      handle: async (_, { timeMs }) => answer(await service.listHot(kind, timeMs)),
    }),
    defineRoute({
      ...open,
      path: `${path}/operation`,
      summary: `The ${noun} pinned by the operator`,
      output: ArticleLinks,
      handle: async (_, { timeMs }) => answer(await service.listPinned(kind, timeMs)),
    }),
    oneRoute(service, kind, `${path}/one`, `One of the ${noun}`),
  ];
}

function listRoutes(service: ArticleService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...open,
      path: "/v1/home/notices",
      summary: "The announcements of the home page: pinned ones first, then those most people should read",
      output: ArticleLinks,
      handle: async (_, { timeMs }) => answer(await service.listNotices(timeMs)),
    }),
    defineRoute({
      ...open,
      path: "/v1/help/centre",
      summary: "The help centre: categories, sections and their articles",
      output: HelpCentre,
      handle: async (_, { timeMs }) => answer(await service.readHelp(timeMs)),
    }),
    defineRoute({
      ...open,
      path: "/v1/legal/list",
      summary: "The legal documents",
      output: ArticleLinks,
      handle: async (_, { timeMs }) => answer(await service.listAll("legal", timeMs)),
    }),
    defineRoute({
      ...open,
      path: "/v1/articles/search",
      summary: "Articles, announcements, news and legal documents that have all the words",
      query: SearchQuery,
      output: SearchResult,
      rate: { callsMax: 240, windowMs: 60_000 },
      handle: async ({ query }, { timeMs }) => answer(await service.search(query.q, query.kind, timeMs)),
    }),
  ];
}

function oneRoute(service: ArticleService, kind: ArticleKind, path: string, summary: string): RouteSpec {
  return defineRoute({
    ...open,
    path,
    summary,
    query: SlugQuery,
    output: Article,
    handle: async ({ query }, { timeMs }) => outcomeOf(await service.read(kind, query.slug, timeMs)),
  });
}

function outcomeOf<Data>(result: Result<Data, "ARTICLE_NOT_FOUND">) {
  if (result.done) return answer(result.value);
  return refuse({ code: result.code, status: 404, message: "There is no such article." });
}

/** Coins are facts, not texts with versions: read from their file at the start. */
export function coinRoutes(coins: readonly CoinInfo[]): readonly RouteSpec[] {
  return [
    defineRoute({
      ...open,
      path: "/v1/coins/one",
      summary: "What a coin is: description, supply and links",
      query: CoinQuery,
      output: CoinInfo,
      handle: async ({ query }) => {
        const coin = coins.find(({ symbol }) => symbol === query.coin.toUpperCase());
        return coin === undefined
          ? refuse({ code: "COIN_UNKNOWN", status: 404, message: "Nothing is written about this coin." })
          : answer(coin);
      },
    }),
  ];
}
