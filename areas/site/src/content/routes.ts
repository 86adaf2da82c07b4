// REST of the content slice: schema → service → envelope. All of it is public and answers below both bases.
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import {
  CountryList,
  DomainList,
  DomainQuery,
  ExchangeRate,
  FooterList,
  GlobalConfig,
  ModuleList,
  ModuleQuery,
  ModuleState,
  Ping,
  SocialList,
  WebConfig,
} from "./contract.ts";
import type { RateService } from "./rate-service.ts";
import type { ContentService } from "./service.ts";

export interface ContentRouteParts {
  readonly content: ContentService;
  readonly rates: RateService;
  readonly web: WebConfig;
}

const PATH = "/v1/common";
const open = { method: "GET", tag: "content", bases: ["spot", "futures"] } as const;

export function contentRoutes(parts: ContentRouteParts): readonly RouteSpec[] {
  return [...stateRoutes(parts), ...listRoutes(parts), ...domainRoutes(parts)];
}

function stateRoutes({ content, rates }: ContentRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      ...open,
      path: `${PATH}/exchange-rate`,
      summary: "What one US dollar costs in each price currency, how old that is and who says so",
      output: ExchangeRate,
      handle: async (_, { timeMs }) => answer(await rates.read(timeMs)),
    }),
    defineRoute({
      ...open,
      path: `${PATH}/global-config`,
      summary: "The switches every page reads, by name",
      output: GlobalConfig,
      handle: async () => answer(await content.readConfig()),
    }),
    defineRoute({
      ...open,
      path: `${PATH}/module-downtime`,
      summary: "Whether a module is down or about to be",
      query: ModuleQuery,
      output: ModuleState,
      handle: async ({ query }, { timeMs }) => answer(await content.readModule(query.module, timeMs)),
    }),
    defineRoute({
      ...open,
      path: `${PATH}/modules`,
      summary: "The state of every module",
      output: ModuleList,
      handle: async (_, { timeMs }) => answer(await content.readModules(timeMs)),
    }),
  ];
}

function listRoutes({ content, web }: ContentRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      ...open,
      path: "/v1/home/web-config",
      summary: "What the site says about itself: its name, the company, languages and currencies",
      output: WebConfig,
      handle: async () => answer(web),
    }),
    defineRoute({
      ...open,
      path: `${PATH}/footer-list`,
      summary: "The footer's columns and links",
      output: FooterList,
      handle: async () => answer(await content.readFooter()),
    }),
    defineRoute({
      ...open,
      path: `${PATH}/social-media`,
      summary: "Where the exchange speaks elsewhere",
      output: SocialList,
      handle: async () => answer(await content.readSocial()),
    }),
    defineRoute({
      ...open,
      path: `${PATH}/countries`,
      summary: "Countries and territories with their telephone codes",
      output: CountryList,
      handle: async () => answer(content.readCountries()),
    }),
  ];
}

function domainRoutes({ content }: ContentRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      ...open,
      path: `${PATH}/domain-list`,
      summary: "The addresses the product answers at, and the inviter of the one the visitor came by",
      query: DomainQuery,
      output: DomainList,
      handle: async ({ query }, { header }) => answer(content.readDomains(query.host ?? header("host") ?? "")),
    }),
    defineRoute({
      ...open,
      path: `${PATH}/ping`,
      summary: "Answers at once; shows a client which address is fastest",
      output: Ping,
      handle: async (_, { timeMs }) => answer({ timeMs }),
    }),
  ];
}
