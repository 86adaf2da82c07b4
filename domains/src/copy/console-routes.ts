// REST of the operators' desk of copy trading: who applied or leads, deciding, stopping. Letting somebody lead takes two
// people, stopping him one.
import type { Audit } from "@clockwork/kit/audit";
import { ProposalMade, type Propose } from "@clockwork/kit/proposal";
import { answer, defineRoute, type RouteSpec, refuseBy } from "@clockwork/kit/route";
import { Done, ReviewList } from "./api.ts";
import { DecideBody, type DecidePayload, ReviewQuery, StopBody } from "./input-rules.ts";
import type { LeaderService } from "./leader-service.ts";
import { REFUSALS } from "./rules.ts";

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
