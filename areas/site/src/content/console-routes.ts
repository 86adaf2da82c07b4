// REST of what every page shares, for operators: footer, external links, downtimes, switches, rates. Each change is
// written into the audit log before it is made and published to open pages at once.

import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import { answer, type Outcome, type RouteContext, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { CURRENCIES } from "@clockwork/kit/constants";
import type { Result } from "@clockwork/kit/result";
import { SITE_CONSOLE_CALLS as CALLS, type OpenModulePayload } from "./contract.ts";
import type { RateService } from "./rate-service.ts";
import { REFUSALS, type SiteRefusal } from "./refusals.ts";
import type { ContentService } from "./service.ts";

const outcome = <Data>(result: Result<Data, SiteRefusal>): Outcome<Data, SiteRefusal> =>
  result.done ? answer(result.value) : refuseBy(REFUSALS, result);

export interface ContentConsoleParts {
  readonly content: ContentService;
  readonly rates: RateService;
  readonly audit: Audit;
  readonly proposeOpen: Propose<typeof OpenModulePayload, never>;
}

const OWN = { tag: "content", scope: { operator: "content.edit" } } as const;
const changeOf = ({ userId, timeMs }: RouteContext) => ({ by: userId ?? "", timeMs });

export function contentConsoleRoutes(parts: ContentConsoleParts): readonly RouteSpec[] {
  return [...linkRoutes(parts), ...downtimeRoutes(parts), ...switchRoutes(parts)];
}

function linkRoutes({ content, audit }: ContentConsoleParts): readonly RouteSpec[] {
  return [
    serve(CALLS.footer, {
      ...OWN,
      summary: "For editors: replaces the footer's columns and links",
      handle: async ({ body }, context) => {
        const links = body.columns.reduce((sum, column) => sum + column.links.length, 0);
        await audit.record(context, "footer.set", "footer", `${body.columns.length} columns, ${links} links`);
        return outcome(await content.setFooter(body.was, body.columns));
      },
    }),
    serve(CALLS.social, {
      ...OWN,
      summary: "For editors: replaces the links to where the exchange speaks elsewhere",
      handle: async ({ body }, context) => {
        await audit.record(context, "social.set", "social", body.links.map(({ url }) => url).join(" "));
        return outcome(await content.setSocial(body.was, body.links));
      },
    }),
  ];
}

function downtimeRoutes({ content, audit, proposeOpen }: ContentConsoleParts): readonly RouteSpec[] {
  return [
    serve(CALLS.downtime, {
      ...OWN,
      summary: "For editors: takes a part down or plans it, confirmed by its typed name",
      handle: async ({ body: { module, reason, startsAtMs, endsAtMs, confirmation } }, context) => {
        if (confirmation.trim() !== module) return refuseBy(REFUSALS, { code: "CONFIRMATION_WRONG" });
        const times = `${startsAtMs}–${endsAtMs ?? ""}`;
        await audit.record(context, "downtime.set", module, `${times}: ${reason}`);
        const planned = { reason, startsAtMs, ...(endsAtMs === null ? {} : { endsAtMs }) };
        return outcome(await content.setDowntime(module, planned, changeOf(context)));
      },
    }),
    serve(CALLS.clearDowntime, {
      ...OWN,
      summary: "For editors: takes back a maintenance that has not begun",
      handle: async ({ body: { module } }, context) => {
        await audit.record(context, "downtime.cleared", module, "");
        return outcome(await content.clearDowntime(module, changeOf(context)));
      },
    }),
    serve(CALLS.open, {
      ...OWN,
      summary: "For editors: proposes to end a maintenance under way",
      handle: async ({ body: { module, clientId } }, context) => {
        const setAtMs = await content.findUnderWay(module, context.timeMs);
        if (setAtMs === undefined) return refuseBy(REFUSALS, { code: "DOWNTIME_NONE" });
        return proposeOpen(context, { module, setAtMs }, clientId);
      },
    }),
  ];
}

function switchRoutes({ content, rates, audit }: ContentConsoleParts): readonly RouteSpec[] {
  return [
    serve(CALLS.config, {
      ...OWN,
      summary: "For editors: turns a switch every page reads; systemOut is confirmed by its typed name",
      handle: async ({ body: { key, value, confirmation } }, context) => {
        if (key === "systemOut" && value === "1" && confirmation?.trim() !== key) {
          return refuseBy(REFUSALS, { code: "CONFIRMATION_WRONG" });
        }
        await audit.record(context, "config.set", key, value);
        return outcome(await content.setConfig(key, value, changeOf(context)));
      },
    }),
    serve(CALLS.rate, {
      ...OWN,
      summary: "For editors: pins an exchange rate, or with null gives it back",
      handle: async ({ body }, context) => {
        const currency = CURRENCIES.find((known) => known === body.currency);
        if (currency === undefined) return refuseBy(REFUSALS, { code: "RATE_INVALID" });
        await audit.record(context, "rate.set", currency, body.rate ?? "source");
        if (body.rate === null) return answer(await rates.clearOverride(currency, changeOf(context)));
        return outcome(await rates.setOverride(currency, body.rate, changeOf(context)));
      },
    }),
  ];
}
