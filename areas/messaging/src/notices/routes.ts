// REST of a user's choices of notices: schema → service → envelope.
import { answer, defineRoute, type RouteSpec, refuseBy } from "@clockwork/host/route";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { ChoiceBody, NOTICE_PATHS, NoticeChoices } from "./contract.ts";
import type { ChoiceRefusal, NoticeService } from "./service.ts";

const REFUSALS: RefusalTable<ChoiceRefusal> = {
  NOTICE_UNKNOWN: [404, "There are no such notices."],
  NOTICE_FIXED: [409, "This is told always: it concerns the safety of your account."],
};

const own = { tag: "notices", scope: "user" } as const;

export function noticeRoutes(service: NoticeService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: NOTICE_PATHS.choices,
      summary: "By which ways the caller is told of what",
      output: NoticeChoices,
      handle: async (_, { userId }) => answer(await service.readChoices(Number(userId))),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: NOTICE_PATHS.choices,
      summary: "Turns one way of being told of one kind on or off",
      body: ChoiceBody,
      output: NoticeChoices,
      handle: async ({ body }, { userId }) => {
        const chosen = await service.choose(Number(userId), body);
        return chosen.done ? answer(chosen.value) : refuseBy(REFUSALS, chosen);
      },
    }),
  ];
}
