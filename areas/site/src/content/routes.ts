// REST of the content slice: schema → service → envelope. All of it is public and answers below both bases.
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { CONTENT_CALLS as CALLS, type WebConfig } from "./contract.ts";
import type { RateService } from "./rate-service.ts";
import type { ContentService } from "./service.ts";

export interface ContentRouteParts {
  readonly content: ContentService;
  readonly rates: RateService;
  readonly web: WebConfig;
}

export function contentRoutes(parts: ContentRouteParts): readonly RouteSpec[] {
  return [...stateRoutes(parts), ...listRoutes(parts), ...domainRoutes(parts)];
}

function stateRoutes({ content, rates }: ContentRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.exchangeRate, {
      tag: "content",
      summary: "What one US dollar costs in each price currency, how old that is and who says so",
      handle: async (_, { timeMs }) => answer(await rates.read(timeMs)),
    }),
    serve(CALLS.globalConfig, {
      tag: "content",
      summary: "The switches every page reads, by name",
      handle: async () => answer(await content.readConfig()),
    }),
    serve(CALLS.module, {
      tag: "content",
      summary: "Whether a module is down or about to be",
      handle: async ({ query }, { timeMs }) => answer(await content.readModule(query.module, timeMs)),
    }),
    serve(CALLS.modules, {
      tag: "content",
      summary: "The state of every module",
      handle: async (_, { timeMs }) => answer(await content.readModules(timeMs)),
    }),
  ];
}

function listRoutes({ content, web }: ContentRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.webConfig, {
      tag: "content",
      summary: "What the site says about itself: its name, the company, languages and currencies",
      handle: async () => answer(web),
    }),
    serve(CALLS.footer, {
      tag: "content",
      summary: "The footer's columns and links",
      handle: async () => answer(await content.readFooter()),
    }),
    serve(CALLS.social, {
      tag: "content",
      summary: "Where the exchange speaks elsewhere",
      handle: async () => answer(await content.readSocial()),
    }),
    serve(CALLS.countries, {
      tag: "content",
      summary: "Countries and territories with their telephone codes",
      handle: async () => answer(content.readCountries()),
    }),
  ];
}

function domainRoutes({ content }: ContentRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.domains, {
      tag: "content",
      summary: "The addresses the product answers at, and the inviter of the one the visitor came by",
      handle: async ({ query }, { header }) => answer(content.readDomains(query.host ?? header("host") ?? "")),
    }),
    serve(CALLS.ping, {
      tag: "content",
      summary: "Answers at once; shows a client which address is fastest",
      handle: async (_, { timeMs }) => answer({ timeMs }),
    }),
  ];
}
