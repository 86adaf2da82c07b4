// REST of campaigns: schema → service → envelope.
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import { Type } from "typebox";
import { BannerList, KeyBody, PopupList } from "./contract.ts";
import type { CampaignService } from "./service.ts";

const idOf = (userId: string | null): number | null => (userId === null ? null : Number(userId));

export function campaignRoutes(service: CampaignService): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      tag: "campaigns",
      path: "/v1/home/banners",
      summary: "The banners of the home page, in their order",
      output: BannerList,
      handle: async (_, { userId, timeMs }) =>
        answer({ banners: [...(await service.listBanners(idOf(userId), timeMs))] }),
    }),
    defineRoute({
      method: "GET",
      tag: "campaigns",
      path: "/v1/home/popups",
      summary: "Popups to show once each; those the account has closed are left out",
      output: PopupList,
      handle: async (_, { userId, timeMs }) =>
        answer({ popups: [...(await service.listPopups(idOf(userId), timeMs))] }),
    }),
    defineRoute({
      method: "POST",
      tag: "campaigns",
      path: "/v1/home/popups/seen",
      scope: "user",
      summary: "The account has seen a popup and is not shown it again",
      body: KeyBody,
      output: Type.Null(),
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, { userId, timeMs }) => {
        const marked = await service.markSeen(Number(userId), body.key, timeMs);
        if (marked.done) return answer(null);
        return refuse({ code: marked.code, status: 404, message: "There is no such popup." });
      },
    }),
  ];
}
