// REST of what every page shares, for operators: footer, links elsewhere, downtimes, switches, rates. Each change is
// written into the audit log before it is made and told to open pages at once.

import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import { answer, defineRoute, type Outcome, type RouteContext, type RouteSpec, refuse } from "@clockwork/host/route";
import { CURRENCIES } from "@clockwork/kit/constants";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import type { Result } from "@clockwork/kit/result";
import { type TSchema, Type } from "typebox";
import {
  ConfigBody,
  DowntimeBody,
  ExchangeRate,
  FooterBody,
  GlobalConfig,
  ModuleQuery,
  ModuleState,
  OpenModuleBody,
  type OpenModulePayload,
  RateBody,
  SocialBody,
} from "./contract.ts";
import type { RateService } from "./rate-service.ts";
import type { ContentService } from "./service.ts";

const REFUSALS = {
  FOOTER_INVALID: "Columns need different titles, and links a title and a path of this site or an https address.",
  SOCIAL_INVALID: "Links need a kind in small letters, a title and an https address.",
  DOWNTIME_INVALID: "A reason is needed, and an end after the beginning.",
  CONFIRMATION_WRONG: "Type the part's name exactly to confirm.",
  CONFIG_INVALID: "A switch is 0 or 1; the address of a chat group begins with https, or is empty.",
  RATE_INVALID: "A positive decimal number is needed; the dollar's own rate is one.",
} as const;

const CONFLICTS = {
  DOWNTIME_TAKES_TWO: "Opening a part earlier takes two people: propose it.",
  DOWNTIME_CHANGED: "Somebody else has changed this maintenance; look again.",
  DOWNTIME_NONE: "This part is up.",
  LINKS_CHANGED: "Somebody else has changed this list; look again.",
} as const;

const refuseConflict = ({ code }: { readonly code: keyof typeof CONFLICTS }) =>
  refuse({ code, status: 409, message: CONFLICTS[code] });

const refuseChange = ({ code }: { readonly code: keyof typeof REFUSALS }) =>
  refuse({ code, status: 400, message: REFUSALS[code] });

function answerLinks(set: Result<null, "FOOTER_INVALID" | "SOCIAL_INVALID" | "LINKS_CHANGED">): Outcome<null> {
  if (set.done) return answer(null);
  const { code } = set;
  return code === "LINKS_CHANGED" ? refuseConflict({ code }) : refuseChange({ code });
}

export interface ContentConsoleParts {
  readonly content: ContentService;
  readonly rates: RateService;
  readonly audit: Audit;
  readonly proposeOpen: Propose<typeof OpenModulePayload>;
}

const PATH = "/v2/operators/site";
const changeOf = ({ userId, timeMs }: RouteContext) => ({ by: userId ?? "", timeMs });

function own<Body extends TSchema, Output extends object>(path: string, summary: string, body: Body, output: Output) {
  return {
    method: "POST",
    tag: "content",
    scope: { operator: "content.edit" },
    path: `${PATH}/${path}`,
    summary,
    body,
    output,
  } as const;
}

export function contentConsoleRoutes(parts: ContentConsoleParts): readonly RouteSpec[] {
  return [...linkRoutes(parts), ...downtimeRoutes(parts), ...switchRoutes(parts)];
}

function linkRoutes({ content, audit }: ContentConsoleParts): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own("footer", "For editors: replaces the footer's columns and links", FooterBody, Type.Null()),
      handle: async ({ body }, context) => {
        const links = body.columns.reduce((sum, column) => sum + column.links.length, 0);
        await audit.record(context, "footer.set", "footer", `${body.columns.length} columns, ${links} links`);
        return answerLinks(await content.setFooter(body.was, body.columns));
      },
    }),
    defineRoute({
      ...own(
        "social",
        "For editors: replaces the links to where the exchange speaks elsewhere",
        SocialBody,
        Type.Null(),
      ),
      handle: async ({ body }, context) => {
        await audit.record(context, "social.set", "social", body.links.map(({ url }) => url).join(" "));
        return answerLinks(await content.setSocial(body.was, body.links));
      },
    }),
  ];
}

function downtimeRoutes({ content, audit, proposeOpen }: ContentConsoleParts): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own(
        "downtime",
        "For editors: takes a part down or plans it, confirmed by its typed name",
        DowntimeBody,
        ModuleState,
      ),
      handle: async ({ body: { module, reason, startsAtMs, endsAtMs, confirmation } }, context) => {
        if (confirmation.trim() !== module) return refuseChange({ code: "CONFIRMATION_WRONG" });
        const times = `${startsAtMs}–${endsAtMs ?? ""}`;
        await audit.record(context, "downtime.set", module, `${times}: ${reason}`);
        const planned = { reason, startsAtMs, ...(endsAtMs === null ? {} : { endsAtMs }) };
        const set = await content.setDowntime(module, planned, changeOf(context));
        if (set.done) return answer(set.value);
        return set.code === "DOWNTIME_INVALID" ? refuseChange({ code: set.code }) : refuseConflict({ code: set.code });
      },
    }),
    defineRoute({
      ...own("downtime/clear", "For editors: takes back a maintenance that has not begun", ModuleQuery, ModuleState),
      handle: async ({ body: { module } }, context) => {
        await audit.record(context, "downtime.cleared", module, "");
        const cleared = await content.clearDowntime(module, changeOf(context));
        return cleared.done ? answer(cleared.value) : refuseConflict(cleared);
      },
    }),
    defineRoute({
      ...own("downtime/open", "For editors: proposes to end a maintenance under way", OpenModuleBody, ProposalMade),
      handle: async ({ body: { module, clientId } }, context) => {
        const setAtMs = await content.findUnderWay(module, context.timeMs);
        if (setAtMs === undefined) return refuseConflict({ code: "DOWNTIME_NONE" });
        return proposeOpen(context, { module, setAtMs }, clientId);
      },
    }),
  ];
}

function switchRoutes({ content, rates, audit }: ContentConsoleParts): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own(
        "config",
        "For editors: turns a switch every page reads; systemOut is confirmed by its typed name",
        ConfigBody,
        GlobalConfig,
      ),
      handle: async ({ body: { key, value, confirmation } }, context) => {
        if (key === "systemOut" && value === "1" && confirmation?.trim() !== key) {
          return refuseChange({ code: "CONFIRMATION_WRONG" });
        }
        await audit.record(context, "config.set", key, value);
        const set = await content.setConfig(key, value, changeOf(context));
        return set.done ? answer(set.value) : refuseChange(set);
      },
    }),
    defineRoute({
      ...own("rate", "For editors: pins an exchange rate, or with null gives it back", RateBody, ExchangeRate),
      handle: async ({ body }, context) => {
        const currency = CURRENCIES.find((known) => known === body.currency);
        if (currency === undefined) return refuseChange({ code: "RATE_INVALID" });
        await audit.record(context, "rate.set", currency, body.rate ?? "source");
        if (body.rate === null) return answer(await rates.clearOverride(currency, changeOf(context)));
        const set = await rates.setOverride(currency, body.rate, changeOf(context));
        return set.done ? answer(set.value) : refuseChange(set);
      },
    }),
  ];
}
