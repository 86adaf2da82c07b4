// REST of the inbox: schema → service → envelope.
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { Type } from "typebox";
import { LetterPage, LetterQuery, ReadBody, UnreadCount } from "./contract.ts";
import type { LetterService } from "./service.ts";

export function letterRoutes(service: LetterService): readonly RouteSpec[] {
  const own = { tag: "letters", scope: "user" } as const;
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: "/v2/users/letters",
      summary: "Letters to the account, newest first",
      query: LetterQuery,
      output: LetterPage,
      handle: async ({ query }, { userId }) => answer(await service.list(Number(userId), query)),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: "/v2/users/letters/unread-count",
      summary: "How many letters are unread",
      output: UnreadCount,
      handle: async (_, { userId }) => answer({ count: await service.countUnread(Number(userId)) }),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: "/v2/users/letters/read",
      summary: "Marks letters read; without ids all of them",
      body: ReadBody,
      output: Type.Object({ count: Type.Integer() }),
      handle: async ({ body }, { userId }) => answer({ count: await service.markRead(Number(userId), body.ids) }),
    }),
  ];
}
