// REST of proposals for the console: schema → service → envelope. Proposing is each kind's own call.

import { answer, type RouteContext, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { PROPOSAL_REFUSALS, type ProposalRefusal } from "@clockwork/kit/proposal-state";
import type { Result } from "@clockwork/kit/result";
import { PROPOSAL_CALLS } from "./contract.ts";
import { deciderOf, type ProposalService } from "./service.ts";
import type { ProposalRow } from "./store.ts";
import type { ProposalView } from "./view-service.ts";

const own = { tag: "proposals", scope: "user" } as const;

export function proposalRoutes(service: ProposalService, view: ProposalView): readonly RouteSpec[] {
  const result = async (decided: Result<ProposalRow, ProposalRefusal>, context: RouteContext) =>
    decided.done
      ? answer(await view.describe(decided.value, Number(context.userId), context.timeMs))
      : refuseBy(PROPOSAL_REFUSALS, decided);
  return [
    serve(PROPOSAL_CALLS.list, {
      ...own,
      summary: "For operators: what was proposed within their rights, newest first",
      handle: async ({ query }, context) => {
        const page = await view.list(deciderOf(context), query, context.timeMs);
        return page.done ? answer(page.value) : refuseBy(PROPOSAL_REFUSALS, page);
      },
    }),
    serve(PROPOSAL_CALLS.approve, {
      ...own,
      summary: "For a second operator: approves exactly what the hash names, and has it carried out once",
      handle: async ({ body: { proposalId, payloadHash } }, context) =>
        result(await service.approve(deciderOf(context), proposalId, payloadHash, context.timeMs), context),
    }),
    serve(PROPOSAL_CALLS.reject, {
      ...own,
      summary: "For a second operator: turns a proposal down",
      handle: async ({ body: { proposalId, reason } }, context) =>
        result(await service.reject(deciderOf(context), proposalId, reason.trim(), context.timeMs), context),
    }),
    serve(PROPOSAL_CALLS.withdraw, {
      ...own,
      summary: "For the proposer: withdraws a proposal",
      handle: async ({ body: { proposalId } }, context) =>
        result(await service.withdraw(deciderOf(context), proposalId, context.timeMs), context),
    }),
  ];
}
