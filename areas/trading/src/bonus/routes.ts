// REST of almighty gold: schema → service → envelope. Giving is proposed here and carried out when another has approved.

import type { Propose } from "@clockwork/host/proposal";
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import { BonusAmount, BonusList, BonusState, BonusStatus, GrantBody, type GrantPayload } from "./contract.ts";
import type { BonusService } from "./service.ts";

const PATH = "/v1/futuresc/almighty-gold";
const own = { tag: "bonus", method: "GET", scope: { key: "read" }, bases: ["futures"] } as const;

export function bonusRoutes(service: BonusService, propose: Propose<typeof GrantPayload>): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      path: `${PATH}/list`,
      summary: "The caller's almighty gold, newest first",
      output: BonusList,
      handle: (_, { userId }) => service.list(Number(userId)),
    }),
    defineRoute({
      ...own,
      path: `${PATH}/amount`,
      summary: "How much almighty gold the caller has left and was given, by coin",
      output: BonusAmount,
      handle: (_, { userId }) => service.readAmount(Number(userId)),
    }),
    defineRoute({
      ...own,
      path: `${PATH}/status`,
      summary: "Whether almighty gold counts as the caller's margin now",
      output: BonusStatus,
      handle: (_, { userId }) => service.readStatus(Number(userId)),
    }),
    defineRoute({
      ...own,
      bases: ["spot"],
      path: "/v1/common/almighty-gold/state",
      summary: "Whether almighty gold counts as the caller's margin now, how much there is of it, and each grant",
      output: BonusState,
      handle: async (_, { userId }) => {
        const id = Number(userId);
        const [status, amount, list] = await Promise.all([
          service.readStatus(id),
          service.readAmount(id),
          service.list(id),
        ]);
        if (!status.ok) return status;
        if (!amount.ok) return amount;
        return list.ok ? answer({ ...status.data, ...amount.data, ...list.data }) : list;
      },
    }),
    defineRoute({
      tag: "bonus",
      method: "POST",
      scope: "user",
      path: "/v1/console/almighty-gold",
      summary: "For operators: proposes almighty gold for a person; a second operator approves it",
      body: GrantBody,
      output: ProposalMade,
      handle: ({ body: { clientId, ...payload } }, context) => propose(context, payload, clientId),
    }),
  ];
}
