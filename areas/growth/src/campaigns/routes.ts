// REST of campaigns: schema → service → envelope.
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { CAMPAIGN_CALLS } from "./contract.ts";
import { SEEN_REFUSALS } from "./refusals.ts";
import type { CampaignService } from "./service.ts";

const idOf = (userId: string | null): number | null => (userId === null ? null : Number(userId));

export function campaignRoutes(service: CampaignService): readonly RouteSpec[] {
  return [
    serve(CAMPAIGN_CALLS.banners, {
      tag: "campaigns",
      summary: "The banners of the home page, in their order",
      handle: async (_, { userId, timeMs }) =>
        answer({ banners: [...(await service.listBanners(idOf(userId), timeMs))] }),
    }),
    serve(CAMPAIGN_CALLS.popups, {
      tag: "campaigns",
      summary: "Popups to show once each; those the account has closed are left out",
      handle: async (_, { userId, timeMs }) =>
        answer({ popups: [...(await service.listPopups(idOf(userId), timeMs))] }),
    }),
    serve(CAMPAIGN_CALLS.seen, {
      tag: "campaigns",
      scope: "user",
      summary: "The account has seen a popup and is not shown it again",
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, { userId, timeMs }) => {
        const marked = await service.markSeen(Number(userId), body.key, timeMs);
        if (marked.done) return answer(null);
        return refuseBy(SEEN_REFUSALS, marked);
      },
    }),
  ];
}
