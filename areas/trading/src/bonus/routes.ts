// REST of almighty gold: schema → service → envelope. Giving is proposed here and carried out with a second approval.

import type { Propose } from "@clockwork/host/proposal";
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { BONUS_CALLS as CALLS, type GrantPayload } from "./contract.ts";
import type { BonusRefusal } from "./refusals.ts";
import type { BonusService } from "./service.ts";

const own = { tag: "bonus", scope: { key: "read" } } as const;

export function bonusRoutes(
  service: BonusService,
  propose: Propose<typeof GrantPayload, BonusRefusal>,
): readonly RouteSpec[] {
  return [
    serve(CALLS.list, {
      ...own,
      summary: "The caller's almighty gold, newest first",
      handle: async (_, { userId }) => answer(await service.list(Number(userId))),
    }),
    serve(CALLS.amount, {
      ...own,
      summary: "How much almighty gold the caller has left and was given, by coin",
      handle: async (_, { userId }) => answer(await service.readAmount(Number(userId))),
    }),
    serve(CALLS.status, {
      ...own,
      summary: "Whether almighty gold counts as the caller's margin now",
      handle: async (_, { userId }) => answer(await service.readStatus(Number(userId))),
    }),
    serve(CALLS.state, {
      ...own,
      summary: "Whether almighty gold counts as the caller's margin now, how much there is of it, and each grant",
      handle: async (_, { userId }) => {
        const id = Number(userId);
        const [status, amount, list] = await Promise.all([
          service.readStatus(id),
          service.readAmount(id),
          service.list(id),
        ]);
        return answer({ ...status, ...amount, ...list });
      },
    }),
    serve(CALLS.grant, {
      tag: "bonus",
      scope: "user",
      summary: "For operators: proposes almighty gold for a person; a second operator approves it",
      handle: ({ body: { clientId, ...payload } }, context) => propose(context, payload, clientId),
    }),
  ];
}
