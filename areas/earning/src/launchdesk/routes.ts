// REST of the launch desk: schema → service → envelope. What it makes is proposed here and made when another approved.

import type { Propose } from "@clockwork/host/proposal";
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import {
  LAUNCH_DESK_PATHS,
  LaunchBody,
  LaunchDesk,
  type LaunchPayload,
  StockBody,
  type StockPayload,
} from "./contract.ts";
import { LAUNCH_PERMISSION } from "./rules.ts";
import type { LaunchDeskService } from "./service.ts";

export interface LaunchProposals {
  readonly fund: Propose<typeof StockPayload>;
  readonly giveBack: Propose<typeof StockPayload>;
  readonly create: Propose<typeof LaunchPayload>;
}

export function launchDeskRoutes(desk: LaunchDeskService, propose: LaunchProposals): readonly RouteSpec[] {
  const two = { tag: "launchpad", scope: "user", method: "POST", output: ProposalMade } as const;
  return [
    defineRoute({
      tag: "launchpad",
      scope: { operator: LAUNCH_PERMISSION },
      method: "GET",
      path: LAUNCH_DESK_PATHS.desk,
      summary: "For operators: coins the house has for sales",
      output: LaunchDesk,
      handle: async () => answer(await desk.read()),
    }),
    defineRoute({
      ...two,
      path: LAUNCH_DESK_PATHS.fund,
      summary: "For operators: proposes coins of the reserves for launches",
      body: StockBody,
      handle: ({ body: { clientId, ...payload } }, context) => propose.fund(context, payload, clientId),
    }),
    defineRoute({
      ...two,
      path: LAUNCH_DESK_PATHS.giveBack,
      summary: "For operators: proposes to give coins that no launch has back to the reserves",
      body: StockBody,
      handle: ({ body: { clientId, ...payload } }, context) => propose.giveBack(context, payload, clientId),
    }),
    defineRoute({
      ...two,
      path: LAUNCH_DESK_PATHS.create,
      summary: "For operators: proposes a launch with its rounds, stocked out of those coins",
      body: LaunchBody,
      handle: ({ body: { clientId, ...payload } }, context) => propose.create(context, payload, clientId),
    }),
  ];
}
