// REST of the launch console: schema → service → envelope. Launches are proposed here and created with a second
// approval.

import type { Propose } from "@clockwork/host/proposal";
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { LAUNCH_DESK_CALLS as CALLS, type LaunchPayload, type StockPayload } from "./contract.ts";
import type { LaunchDeskRefusal } from "./refusals.ts";
import { LAUNCH_PERMISSION } from "./rules.ts";
import type { LaunchDeskService } from "./service.ts";

export interface LaunchProposals {
  readonly fund: Propose<typeof StockPayload, LaunchDeskRefusal>;
  readonly giveBack: Propose<typeof StockPayload, LaunchDeskRefusal>;
  readonly create: Propose<typeof LaunchPayload, LaunchDeskRefusal>;
}

export function launchDeskRoutes(desk: LaunchDeskService, propose: LaunchProposals): readonly RouteSpec[] {
  const two = { tag: "launchpad", scope: "user" } as const;
  return [
    serve(CALLS.desk, {
      tag: "launchpad",
      scope: { operator: LAUNCH_PERMISSION },
      summary: "For operators: coins the house has for sales",
      handle: async () => answer(await desk.read()),
    }),
    serve(CALLS.fund, {
      ...two,
      summary: "For operators: proposes coins of the reserves for launches",
      handle: ({ body: { clientId, ...payload } }, context) => propose.fund(context, payload, clientId),
    }),
    serve(CALLS.giveBack, {
      ...two,
      summary: "For operators: proposes to give coins that no launch has back to the reserves",
      handle: ({ body: { clientId, ...payload } }, context) => propose.giveBack(context, payload, clientId),
    }),
    serve(CALLS.create, {
      ...two,
      summary: "For operators: proposes a launch with its rounds, stocked out of those coins",
      handle: ({ body: { clientId, ...payload } }, context) => propose.create(context, payload, clientId),
    }),
  ];
}
