// REST of the inbox: schema → service → envelope.
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { LETTER_CALLS } from "./contract.ts";
import type { LetterService } from "./service.ts";

export function letterRoutes(service: LetterService): readonly RouteSpec[] {
  const own = { tag: "letters", scope: "user" } as const;
  return [
    serve(LETTER_CALLS.list, {
      ...own,
      summary: "Letters to the account, newest first",
      handle: async ({ query }, { userId }) => answer(await service.list(Number(userId), query)),
    }),
    serve(LETTER_CALLS.unreadCount, {
      ...own,
      summary: "How many letters are unread",
      handle: async (_, { userId }) => answer({ count: await service.countUnread(Number(userId)) }),
    }),
    serve(LETTER_CALLS.read, {
      ...own,
      summary: "Marks letters read; without ids all of them",
      handle: async ({ body }, { userId }) => answer({ count: await service.markRead(Number(userId), body.ids) }),
    }),
  ];
}
