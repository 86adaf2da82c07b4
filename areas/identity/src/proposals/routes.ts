// REST of proposals for the console: schema → service → envelope. Proposing is each kind's own call.

import { PROPOSAL_REFUSALS, type ProposalRefusal } from "@clockwork/kit/proposal-state";
import { answer, defineRoute, type RouteContext, type RouteSpec, refuseBy } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import {
  ApproveBody,
  PROPOSAL_PATHS,
  Proposal,
  ProposalPage,
  ProposalQuery,
  RejectBody,
  WithdrawBody,
} from "./contract.ts";
import { deciderOf, type ProposalService } from "./service.ts";
import type { ProposalRow } from "./store.ts";
import type { ProposalView } from "./view-service.ts";

const own = { tag: "proposals", scope: "user" } as const;

export function proposalRoutes(service: ProposalService, view: ProposalView): readonly RouteSpec[] {
  const told = async (decided: Result<ProposalRow, ProposalRefusal>, context: RouteContext) =>
    decided.done
      ? answer(await view.describe(decided.value, Number(context.userId), context.timeMs))
      : refuseBy(PROPOSAL_REFUSALS, decided);
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: PROPOSAL_PATHS.list,
      summary: "For operators: what was proposed within their rights, newest first",
      query: ProposalQuery,
      output: ProposalPage,
      handle: async ({ query }, context) => {
        const page = await view.list(deciderOf(context), query, context.timeMs);
        return page.done ? answer(page.value) : refuseBy(PROPOSAL_REFUSALS, page);
      },
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: PROPOSAL_PATHS.approve,
      summary: "For a second operator: approves exactly what the hash names, and has it carried out once",
      body: ApproveBody,
      output: Proposal,
      handle: async ({ body: { proposalId, payloadHash } }, context) =>
        told(await service.approve(deciderOf(context), proposalId, payloadHash, context.timeMs), context),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: PROPOSAL_PATHS.reject,
      summary: "For a second operator: turns a proposal down",
      body: RejectBody,
      output: Proposal,
      handle: async ({ body: { proposalId, reason } }, context) =>
        told(await service.reject(deciderOf(context), proposalId, reason.trim(), context.timeMs), context),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: PROPOSAL_PATHS.withdraw,
      summary: "For whoever proposed it: takes a proposal back",
      body: WithdrawBody,
      output: Proposal,
      handle: async ({ body: { proposalId } }, context) =>
        told(await service.withdraw(deciderOf(context), proposalId, context.timeMs), context),
    }),
  ];
}
