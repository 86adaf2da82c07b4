// Leaders, their trades and their followers below the second version: the filters of the first, by cursors, with the figures
// of every window.
import { answer, defineRoute, type RouteSpec } from "@clockwork/kit/route";
import { COPY_V2_PATH, FollowerCursorPage, LeaderCursorPage, LeaderDetail, LeadTradeCursorPage } from "./api.ts";
import type { FollowService } from "./follow-service.ts";
import { CursorQuery, FollowersCursorQuery, LeaderParams, TradesCursorQuery } from "./input-rules.ts";
import { known, open, whoOf } from "./route-rules.ts";
import type { LeaderView } from "./view-service.ts";

export function cursorRoutes({
  leaders,
  following,
}: {
  readonly leaders: LeaderView;
  readonly following: FollowService;
}): RouteSpec[] {
  const base = `${COPY_V2_PATH}/leaders`;
  return [
    defineRoute({
      ...open,
      path: base,
      summary: "Leaders ranked and filtered, by a cursor, with the figures of every window",
      query: CursorQuery,
      output: LeaderCursorPage,
      handle: async ({ query }, context) =>
        answer(await leaders.listAfter("futures", query, await following.lookingOf(whoOf(context)))),
    }),
    defineRoute({
      ...open,
      path: `${base}/:id`,
      summary: "One leader with every figure of every window",
      params: LeaderParams,
      output: LeaderDetail,
      handle: async ({ params }, context) =>
        known(await leaders.detail("futures", Number(params.id), await following.lookingOf(whoOf(context)))),
    }),
    defineRoute({
      ...open,
      path: `${base}/:id/trades`,
      summary: "What a leader closed, newest first, by a cursor",
      params: LeaderParams,
      query: TradesCursorQuery,
      output: LeadTradeCursorPage,
      handle: async ({ params, query }) => known(await leaders.tradesAfter("futures", Number(params.id), query)),
    }),
    defineRoute({
      ...open,
      path: `${base}/:id/followers`,
      summary: "Who follows a leader, without names, by a cursor",
      params: LeaderParams,
      query: FollowersCursorQuery,
      output: FollowerCursorPage,
      handle: async ({ params, query }) => known(await leaders.followersAfter("futures", Number(params.id), query)),
    }),
  ];
}
