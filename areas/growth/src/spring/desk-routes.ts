// REST of the console of spring cards: schema → service → envelope.
import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { type ActivityPayload, SPRING_CONSOLE_CALLS } from "./contract.ts";
import { SPRING_PERMISSION, type SpringDesk } from "./desk-service.ts";
import { DESK_REFUSALS, type DeskRefusal } from "./refusals.ts";

export interface SpringDeskParts {
  readonly desk: SpringDesk;
  readonly audit: Audit;
  readonly propose: Propose<typeof ActivityPayload, DeskRefusal>;
}

const desk = { tag: "spring", scope: { operator: SPRING_PERMISSION } } as const;

export function springDeskRoutes({ desk: service, audit, propose }: SpringDeskParts): readonly RouteSpec[] {
  return [
    serve(SPRING_CONSOLE_CALLS.report, {
      ...desk,
      summary: "For operators: spring activities with their terms and what was drawn and won",
      handle: async () => answer(await service.report()),
    }),
    serve(SPRING_CONSOLE_CALLS.open, {
      ...desk,
      summary: "For operators: closes or opens a spring activity; draws under way go on",
      handle: async ({ body: { activityId, isOpen } }, context) => {
        await audit.record(context, isOpen ? "spring.opened" : "spring.closed", activityId, "");
        const opened = await service.open(activityId, isOpen);
        return opened.done ? answer(null) : refuseBy(DESK_REFUSALS, opened);
      },
    }),
    serve(SPRING_CONSOLE_CALLS.activity, {
      tag: "spring",
      scope: "user",
      summary: "For operators: proposes a spring activity; its prizes come out of a campaign's budget",
      handle: ({ body: { clientId, ...payload } }, context) => propose(context, payload, clientId),
    }),
  ];
}
