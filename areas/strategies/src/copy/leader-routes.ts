// REST of public data about leaders, and of the console: applicants and leaders, deciding, suspending. Approving a
// leader takes two people, suspending one.
import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import { answer, type Outcome, type RouteContext, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import {
  COPY_CONSOLE_CALLS,
  COPY_V2_CALLS,
  type CopyKind,
  type DecidePayload,
  type LeaderCalls,
  type OwnCalls,
} from "./contract.ts";
import type { FollowService } from "./follow-service.ts";
import type { LeaderService } from "./leader-service.ts";
import { type CopyRefusal, REFUSALS } from "./refusals.ts";
import type { LeaderView } from "./view-service.ts";

const whoOf = ({ userId }: RouteContext): number | undefined => (userId === null ? undefined : Number(userId));
const known = <Value>(found: Value | undefined): Outcome<Value, CopyRefusal> =>
  found === undefined ? refuseBy(REFUSALS, { code: "LEADER_UNKNOWN" }) : answer(found);
const open = { tag: "copy" } as const;

export interface Place {
  readonly kind: CopyKind;
  readonly calls: OwnCalls;
}

interface Requested {
  readonly leaders: LeaderView;
  readonly following: FollowService;
}

export function leaderRoutes(kind: CopyKind, calls: LeaderCalls, { leaders, following }: Requested): RouteSpec[] {
  return [
    serve(calls.leaders, {
      ...open,
      summary: "Leaders ranked by a figure of a window, filtered",
      handle: async ({ query }, context) =>
        answer(await leaders.list(kind, query, await following.lookingOf(whoOf(context)))),
    }),
    serve(calls.leader, {
      ...open,
      summary: "One leader with every figure, all made from the ledger",
      handle: async ({ params }, context) =>
        known(await leaders.detail(kind, Number(params.id), await following.lookingOf(whoOf(context)))),
    }),
    serve(calls.leaderTrades, {
      ...open,
      summary: "What a leader closed, newest first",
      handle: async ({ params, query }) => known(await leaders.trades(kind, Number(params.id), query)),
    }),
    serve(calls.leaderFollowers, {
      ...open,
      summary: "Who follows a leader, without names, by what they invested or by what came of it",
      handle: async ({ params, query }) => known(await leaders.followers(kind, Number(params.id), query)),
    }),
  ];
}

export function configRoute({ kind, calls }: Place, { leaders }: Requested): RouteSpec {
  return serve(calls.config, {
    ...open,
    summary: "Bounds of following, levels of leaders, when shares are settled next",
    handle: async () => answer(leaders.config(kind)),
  });
}

export function recordRoute({ kind, calls }: Place, { leaders }: Requested): RouteSpec {
  return serve(calls.record, {
    ...open,
    summary: "All that a leader's figures are made of, exact, to reckon them oneself",
    handle: async ({ params }) => known(await leaders.record(kind, Number(params.id))),
  });
}

/** Below the second version: the filters of the first, by cursors, with the figures of every window. */
export function cursorRoutes({ leaders, following }: Requested): RouteSpec[] {
  return [
    serve(COPY_V2_CALLS.leaders, {
      ...open,
      summary: "Leaders ranked and filtered, by a cursor, with the figures of every window",
      handle: async ({ query }, context) =>
        answer(await leaders.listAfter("futures", query, await following.lookingOf(whoOf(context)))),
    }),
    serve(COPY_V2_CALLS.leader, {
      ...open,
      summary: "One leader with every figure of every window",
      handle: async ({ params }, context) =>
        known(await leaders.detail("futures", Number(params.id), await following.lookingOf(whoOf(context)))),
    }),
    serve(COPY_V2_CALLS.leaderTrades, {
      ...open,
      summary: "What a leader closed, newest first, by a cursor",
      handle: async ({ params, query }) => known(await leaders.tradesAfter("futures", Number(params.id), query)),
    }),
    serve(COPY_V2_CALLS.leaderFollowers, {
      ...open,
      summary: "Who follows a leader, without names, by a cursor",
      handle: async ({ params, query }) => known(await leaders.followersAfter("futures", Number(params.id), query)),
    }),
  ];
}

export interface CopyConsole {
  readonly leading: LeaderService;
  readonly propose: Propose<typeof DecidePayload, CopyRefusal>;
  readonly audit: Audit;
}

export function copyConsoleRoutes({ leading, propose, audit }: CopyConsole): readonly RouteSpec[] {
  return [
    serve(COPY_CONSOLE_CALLS.leaders, {
      tag: "copy",
      scope: { operator: "copy.read" },
      summary: "For operators: applications and leaders, with trades between leaders and their followers counted",
      handle: async ({ query }) => answer({ leaders: await leading.listForReview(query.state) }),
    }),
    serve(COPY_CONSOLE_CALLS.decide, {
      tag: "copy",
      scope: { operator: "copy.review" },
      summary: "For operators: proposes to let somebody lead; a second operator approves it",
      handle: async ({ body: { leaderId, action, clientId } }, context) => {
        const row = await leading.find(Number(leaderId));
        if (row === undefined) return known<never>(undefined);
        return propose(context, { leaderId, user: String(row.user_id), action }, clientId);
      },
    }),
    serve(COPY_CONSOLE_CALLS.stop, {
      tag: "copy",
      scope: { operator: "copy.review" },
      summary: "For operators: refuses an application or suspends a leader",
      handle: async ({ body: { leaderId, action, reason } }, context) => {
        await audit.record(context, `copy.${action}`, leaderId, reason);
        const stopped = await leading.stop(Number(leaderId), action, reason);
        return stopped.done ? answer({ done: true }) : refuseBy(REFUSALS, stopped);
      },
    }),
  ];
}
