// REST of what anybody may ask about leaders, and of the operators' desk: who applied or leads, deciding, stopping. Letting
// somebody lead takes two people, stopping him one.
import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import { answer, defineRoute, type Outcome, type RouteContext, type RouteSpec, refuseBy } from "@clockwork/host/route";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import {
  COPY_V2_PATH,
  CopyConfig,
  type CopyKind,
  Done,
  FollowerCursorPage,
  FollowerPage,
  LeaderCursorPage,
  LeaderDetail,
  LeaderPage,
  LeaderRecord,
  LeadTradeCursorPage,
  LeadTradePage,
  ReviewList,
} from "./contract.ts";
import type { FollowService } from "./follow-service.ts";
import type { LeaderService } from "./leader-service.ts";
import { REFUSALS } from "./refusals.ts";
import {
  CursorQuery,
  DecideBody,
  type DecidePayload,
  FollowersCursorQuery,
  FollowersQuery,
  LeaderParams,
  LeadersQuery,
  LeadTradesQuery,
  ReviewQuery,
  StopBody,
  TradesCursorQuery,
} from "./rules.ts";
import type { LeaderView } from "./view-service.ts";

const whoOf = ({ userId }: RouteContext): number | undefined => (userId === null ? undefined : Number(userId));
const known = <Value>(found: Value | undefined): Outcome<Value> =>
  found === undefined ? refuseBy(REFUSALS, { code: "LEADER_UNKNOWN" }) : answer(found);
const open = { tag: "copy", method: "GET" } as const;

/** The second version of futures answers the same groups; its lists go by cursors. */
export interface Place {
  readonly kind: CopyKind;
  readonly base: string;
}

interface Asked {
  readonly leaders: LeaderView;
  readonly following: FollowService;
}

export function leaderRoutes({ kind, base }: Place, { leaders, following }: Asked): RouteSpec[] {
  return [
    defineRoute({
      ...open,
      path: `${base}/leaders`,
      summary: "Leaders ranked by a figure of a window, filtered",
      query: LeadersQuery,
      output: LeaderPage,
      handle: async ({ query }, context) =>
        answer(await leaders.list(kind, query, await following.lookingOf(whoOf(context)))),
    }),
    defineRoute({
      ...open,
      path: `${base}/leaders/:id`,
      summary: "One leader with every figure, all made from the ledger",
      params: LeaderParams,
      output: LeaderDetail,
      handle: async ({ params }, context) =>
        known(await leaders.detail(kind, Number(params.id), await following.lookingOf(whoOf(context)))),
    }),
    defineRoute({
      ...open,
      path: `${base}/leaders/:id/trades`,
      summary: "What a leader closed, newest first",
      params: LeaderParams,
      query: LeadTradesQuery,
      output: LeadTradePage,
      handle: async ({ params, query }) => known(await leaders.trades(kind, Number(params.id), query)),
    }),
    defineRoute({
      ...open,
      path: `${base}/leaders/:id/followers`,
      summary: "Who follows a leader, without names, by what they invested or by what came of it",
      params: LeaderParams,
      query: FollowersQuery,
      output: FollowerPage,
      handle: async ({ params, query }) => known(await leaders.followers(kind, Number(params.id), query)),
    }),
  ];
}

export function configRoute({ kind, base }: Place, { leaders }: Asked): RouteSpec {
  return defineRoute({
    ...open,
    path: `${base}/config`,
    summary: "Bounds of following, levels of leaders, when shares are settled next",
    output: CopyConfig,
    handle: async () => answer(leaders.config(kind)),
  });
}

export function recordRoute({ kind, base }: Place, { leaders }: Asked): RouteSpec {
  return defineRoute({
    ...open,
    path: `${base}/leaders/:id/record`,
    summary: "All that a leader's figures are made of, exact, to reckon them oneself",
    params: LeaderParams,
    output: LeaderRecord,
    handle: async ({ params }) => known(await leaders.record(kind, Number(params.id))),
  });
}

/** Below the second version: the filters of the first, by cursors, with the figures of every window. */
export function cursorRoutes({ leaders, following }: Asked): RouteSpec[] {
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

export interface CopyConsole {
  readonly leading: LeaderService;
  readonly propose: Propose<typeof DecidePayload>;
  readonly audit: Audit;
}

export function copyConsoleRoutes({ leading, propose, audit }: CopyConsole): readonly RouteSpec[] {
  return [
    defineRoute({
      tag: "copy",
      method: "GET",
      scope: { operator: "copy.read" },
      path: "/v1/console/copy/leaders",
      summary: "For operators: applications and leaders, with trades between leaders and their followers counted",
      query: ReviewQuery,
      output: ReviewList,
      handle: async ({ query }) => answer({ leaders: await leading.listForReview(query.state) }),
    }),
    defineRoute({
      tag: "copy",
      method: "POST",
      scope: { operator: "copy.review" },
      path: "/v1/console/copy/leaders/decide",
      summary: "For operators: proposes to let somebody lead; a second operator approves it",
      body: DecideBody,
      output: ProposalMade,
      handle: async ({ body: { leaderId, action, clientId } }, context) => {
        const row = await leading.find(Number(leaderId));
        if (row === undefined) return refuseBy(REFUSALS, { code: "LEADER_UNKNOWN" });
        return propose(context, { leaderId, user: String(row.user_id), action }, clientId);
      },
    }),
    defineRoute({
      tag: "copy",
      method: "POST",
      scope: { operator: "copy.review" },
      path: "/v1/console/copy/leaders/stop",
      summary: "For operators: refuses an application or suspends a leader",
      body: StopBody,
      output: Done,
      handle: async ({ body: { leaderId, action, reason } }, context) => {
        await audit.record(context, `copy.${action}`, leaderId, reason);
        const stopped = await leading.stop(Number(leaderId), action, reason);
        return stopped.done ? answer({ done: true }) : refuseBy(REFUSALS, stopped);
      },
    }),
  ];
}
