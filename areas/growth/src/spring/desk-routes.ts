// REST of the operators' desk of spring cards: schema → service → envelope.
import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import { answer, defineRoute, type RouteSpec, refuseBy } from "@clockwork/host/route";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import { Type } from "typebox";
import {
  ActivityBody,
  ActivityOpenBody,
  type ActivityPayload,
  SPRING_CONSOLE_PATHS,
  SpringReport,
} from "./contract.ts";
import { SPRING_PERMISSION, type SpringDesk } from "./desk-service.ts";
import { DESK_REFUSALS } from "./rules.ts";

export interface SpringDeskParts {
  readonly desk: SpringDesk;
  readonly audit: Audit;
  readonly propose: Propose<typeof ActivityPayload>;
}

const desk = { tag: "spring", scope: { operator: SPRING_PERMISSION } } as const;

export function springDeskRoutes({ desk: service, audit, propose }: SpringDeskParts): readonly RouteSpec[] {
  return [
    defineRoute({
      ...desk,
      method: "GET",
      path: SPRING_CONSOLE_PATHS.report,
      summary: "For operators: spring activities with their terms and what was drawn and won",
      output: SpringReport,
      handle: async () => answer(await service.report()),
    }),
    defineRoute({
      ...desk,
      method: "POST",
      path: SPRING_CONSOLE_PATHS.open,
      summary: "For operators: closes or opens a spring activity; draws under way go on",
      body: ActivityOpenBody,
      output: Type.Null(),
      handle: async ({ body: { activityId, isOpen } }, context) => {
        await audit.record(context, isOpen ? "spring.opened" : "spring.closed", activityId, "");
        const opened = await service.open(activityId, isOpen);
        return opened.done ? answer(null) : refuseBy(DESK_REFUSALS, opened);
      },
    }),
    defineRoute({
      tag: "spring",
      scope: "user",
      method: "POST",
      path: SPRING_CONSOLE_PATHS.activity,
      summary: "For operators: proposes a spring activity; its prizes come out of a campaign's budget",
      body: ActivityBody,
      output: ProposalMade,
      handle: ({ body: { clientId, ...payload } }, context) => propose(context, payload, clientId),
    }),
  ];
}
