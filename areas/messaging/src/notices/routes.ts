// REST of a user's notice preferences: schema → service → envelope.
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { NOTICE_CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { NoticeService } from "./service.ts";

const own = { tag: "notices", scope: "user" } as const;

export function noticeRoutes(service: NoticeService): readonly RouteSpec[] {
  return [
    serve(NOTICE_CALLS.choices, {
      ...own,
      summary: "By which ways the caller is told of what",
      handle: async (_, { userId }) => answer(await service.readChoices(Number(userId))),
    }),
    serve(NOTICE_CALLS.choose, {
      ...own,
      summary: "Turns one way of being told of one kind on or off",
      handle: async ({ body }, { userId }) => {
        const chosen = await service.choose(Number(userId), body);
        return chosen.done ? answer(chosen.value) : refuseBy(REFUSALS, chosen);
      },
    }),
  ];
}
