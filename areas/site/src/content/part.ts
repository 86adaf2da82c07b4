// Connects the content slice with the database, the configuration, the sockets and the clock. Contains no rules.

import type { Channel } from "@clockwork/host/channel";
import { type PartWith, runs } from "@clockwork/host/part";
import { readPartner } from "@clockwork/host/settings/domains";
import { CURRENCIES, LOCAL_LANGUAGES, PRODUCT_NAME } from "@clockwork/kit/constants";
import type { PartContext } from "@clockwork/trading/context";
import type { FastifyInstance } from "fastify";
import { contentConsoleRoutes } from "./console-routes.ts";
import { COMMON_CHANNEL, COMMON_TYPES, type CommonType, type WebConfig } from "./contract.ts";
import { findResting } from "./module-calls.ts";
import type { ContentNeeds } from "./needs.ts";
import { openModuleKind } from "./open-service.ts";
import { BUILT_IN_SOURCE } from "./rate-rules.ts";
import { RateService } from "./rate-service.ts";
import { urlRateSource } from "./rate-source.ts";
import { contentRoutes } from "./routes.ts";
import { ContentService } from "./service.ts";
import { contentStore } from "./store.ts";

export interface Content extends PartWith<"routes" | "channels" | "mount" | "findResting"> {
  readonly content: ContentService;
  readonly rates: RateService;
}

/** The company's facts by name. */
type Facts = Readonly<Record<string, string>>;

const REFRESH_MS = 30_000;

export function contentPart(
  context: Pick<PartContext, "config" | "log" | "clock" | "database" | "live" | "audit" | "isTestMoney"> & {
    readonly accounts: Pick<PartContext["accounts"], "proposals" | "hasOutbox">;
  },
  facts: Facts,
): Content {
  const { config, clock, log, live } = context;
  const store = contentStore(context.database.kysely);
  const needs: ContentNeeds = {
    maySimulateRates: config.mode !== "production" || config.simulated.includes("rates"),
    source: config.ratesUrl === undefined ? BUILT_IN_SOURCE : urlRateSource(config.ratesUrl),
    publish: (type, data) => live.publish({ channel: COMMON_CHANNEL, type }, data),
    report: (fact, fields) => log.warn(fact, fields),
  };
  const partners = config.partnerDomains.flatMap((text) => readPartner(text) ?? []);
  const rates = new RateService({ store, needs });
  const { domainListUrl: url, domainListKey: key } = config;
  const domains = {
    fastOrigins: config.fastOrigins,
    partners,
    domain: config.domain,
    cookieDomain: config.cookieDomain,
    isSecure: config.publicOrigin?.startsWith("https:") === true,
    ...(url === undefined || key === "" ? {} : { published: { url, key } }),
  };
  const content = new ContentService({ store, needs, domains });
  const proposeOpen = context.accounts.proposals.register(openModuleKind(content));
  return {
    content,
    rates,
    routes: [
      ...contentRoutes({
        content,
        rates,
        web: {
          ...describeWeb(config, facts),
          hasTestFunds: context.isTestMoney,
          hasOutbox: context.accounts.hasOutbox,
        },
      }),
      ...contentConsoleRoutes({ content, rates, audit: context.audit, proposeOpen }),
    ],
    channels: [
      commonChannel({
        rate: () => rates.read(clock.now()),
        config: () => content.readConfig(),
        modules: () => content.readModules(clock.now()),
      }),
    ],
    findResting: (spec, input, timeMs) =>
      content.isAllUp ? undefined : findResting(spec, input, (module) => content.findDown(module, timeMs), timeMs),
    mount: (app) => mountDomainList(app, content),
    ...runs(() =>
      startLoop(
        clock,
        async () => {
          // First: calls of a part under maintenance do not wait for a source of rates.
          await content.refresh(clock.now());
          await rates.refresh(clock.now());
        },
        (error) => log.warn("content.failed", { error }),
      ),
    ),
  };
}

function describeWeb(config: PartContext["config"], facts: Facts): Omit<WebConfig, "hasTestFunds" | "hasOutbox"> {
  const say = (name: string): string => facts[name] ?? "";
  return {
    name: facts.tradingName ?? PRODUCT_NAME,
    legalName: say("legalName"),
    supportEmail: say("supportEmail"),
    regulator: say("regulator"),
    licenceNumber: say("licenceNumber"),
    isSampleCompany: facts.isSample === "true",
    riskPath: config.riskPath,
    languages: LOCAL_LANGUAGES.map(({ lang }) => lang),
    currencies: [...CURRENCIES],
  };
}

function commonChannel(read: Readonly<Record<CommonType, () => Promise<unknown>>>): Channel {
  const find = (type: string | undefined) => COMMON_TYPES.find((known) => known === type);
  return {
    channel: COMMON_CHANNEL,
    kind: "latest",
    serves: ({ type, biz, pairCode, base }) =>
      find(type) !== undefined && [biz, pairCode, base].every((part) => part === undefined),
    snapshot: async ({ type }) => ({ data: await read[find(type) ?? "config"]() }),
  };
}

/**
 * The list of addresses as a plain file at the root, where clients of every release read it. Public, the same for all
 * at one host, and readable from anywhere: a page without a connection reads it.
 */
function mountDomainList(app: FastifyInstance, content: ContentService): void {
  app.get("/domain-list.json", { config: { weight: 1 } }, async (request, reply) => {
    reply.raw.setHeader("access-control-allow-origin", "*");
    reply.raw.setHeader("cross-origin-resource-policy", "cross-origin");
    reply.header("cache-control", "no-cache").type("application/json; charset=utf-8");
    return content.readDomains(request.headers.host ?? "");
  });
}

function startLoop(
  clock: PartContext["clock"],
  run: () => Promise<void>,
  onFault: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let isIdle = true;
  const turn = (): void => {
    // A source slower than the timer is not queried twice at once.
    if (!isIdle) return;
    isIdle = false;
    running = run()
      .catch(onFault)
      .finally(() => {
        isIdle = true;
      });
  };
  turn();
  const stop = clock.every(REFRESH_MS, turn);
  return async () => {
    stop();
    await running;
  };
}
