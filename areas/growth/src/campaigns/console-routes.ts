// REST of campaigns for operators. Each action is written into the audit log before it is done.
import type { Audit } from "@clockwork/host/audit";
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { CAMPAIGN_CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { CampaignService } from "./service.ts";

const OWN = { tag: "campaigns", scope: { operator: "content.edit" } } as const;

export function campaignConsoleRoutes(service: CampaignService, audit: Audit): readonly RouteSpec[] {
  return [
    serve(CAMPAIGN_CALLS.list, {
      ...OWN,
      summary: "For editors: every banner and popup, planned, shown and over",
      handle: async (_, { timeMs }) => answer(await service.list(timeMs)),
    }),
    serve(CAMPAIGN_CALLS.save, {
      ...OWN,
      summary: "For editors: makes or changes a banner or popup",
      handle: async ({ body }, context) => {
        await audit.record(context, "campaign.saved", `${body.kind}/${body.key}`, body.title);
        const saved = await service.save(body, { by: context.userId ?? "", timeMs: context.timeMs });
        return saved.done ? answer(saved.value) : refuseBy(REFUSALS, saved);
      },
    }),
    serve(CAMPAIGN_CALLS.remove, {
      ...OWN,
      summary: "For editors: takes a banner or popup back",
      handle: async ({ body }, context) => {
        await audit.record(context, "campaign.removed", body.key, "");
        const removed = await service.remove(body.key);
        return removed.done ? answer(null) : refuseBy(REFUSALS, removed);
      },
    }),
  ];
}
