// REST of campaigns for operators. Each action is written into the audit log before it is done.
import type { Audit } from "@clockwork/host/audit";
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import { Type } from "typebox";
import { CampaignBody, CampaignSaved, CampaignTable, KeyBody } from "./contract.ts";
import type { CampaignService } from "./service.ts";

const REFUSALS = {
  CAMPAIGN_INVALID: [400, "A title, a way to go that fits, and an end after the beginning are needed."],
  CAMPAIGN_CHANGED: [409, "Somebody else has changed it meanwhile. Load it again; what you wrote is still here."],
  CAMPAIGNS_FULL: [409, "Remove a campaign first; there are too many."],
  CAMPAIGN_UNKNOWN: [404, "There is no such campaign."],
} as const;

function refuseCampaign({ code }: { readonly code: keyof typeof REFUSALS }) {
  const [status, message] = REFUSALS[code];
  return refuse({ code, status, message });
}

const PATH = "/v2/operators/campaigns";
const OWN = { tag: "campaigns", scope: { operator: "content.edit" } } as const;

export function campaignConsoleRoutes(service: CampaignService, audit: Audit): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "GET",
      path: PATH,
      summary: "For editors: every banner and popup, planned, shown and over",
      output: CampaignTable,
      handle: async (_, { timeMs }) => answer(await service.list(timeMs)),
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/save`,
      summary: "For editors: makes or changes a banner or popup",
      body: CampaignBody,
      output: CampaignSaved,
      handle: async ({ body }, context) => {
        await audit.record(context, "campaign.saved", `${body.kind}/${body.key}`, body.title);
        const saved = await service.save(body, { by: context.userId ?? "", timeMs: context.timeMs });
        return saved.done ? answer(saved.value) : refuseCampaign(saved);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/remove`,
      summary: "For editors: takes a banner or popup back",
      body: KeyBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        await audit.record(context, "campaign.removed", body.key, "");
        const removed = await service.remove(body.key);
        return removed.done ? answer(null) : refuseCampaign(removed);
      },
    }),
  ];
}
