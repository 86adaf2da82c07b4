// REST of restrictions, for operators: schema → service → envelope. Stopping takes one operator; lifting and resetting
// are proposed here and done by two. Each is in the audit log, with its reason, before it takes effect.
import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { RESTRICTION_CALLS as CALLS, type LiftPayload, RESTRICT_PERMISSION, type ResetPayload } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { RestrictionService } from "./service.ts";

export interface RestrictionRouteParts {
  readonly restrictions: RestrictionService;
  readonly audit: Audit;
  readonly proposeLift: Propose<typeof LiftPayload, never>;
  readonly proposeReset: Propose<typeof ResetPayload, never>;
}

const OWN = { tag: "restrictions", scope: { operator: RESTRICT_PERMISSION } } as const;

export function restrictionRoutes(parts: RestrictionRouteParts): readonly RouteSpec[] {
  return [...restrictRoutes(parts), ...securityRoutes(parts)];
}

function restrictRoutes({ restrictions, audit, proposeLift }: RestrictionRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.list, {
      ...OWN,
      scope: { operator: "people.read" },
      summary: "For operators: what is restricted for which users, the newest first",
      handle: async ({ query: { user, ...rest } }) =>
        answer(await restrictions.list(user === undefined ? rest : { ...rest, userId: Number(user) })),
    }),
    serve(CALLS.set, {
      ...OWN,
      summary: "For operators: restricts parts of a user's account immediately",
      handle: async ({ body: { user, parts, reason } }, context) => {
        const checked = await restrictions.check(Number(user));
        if (!checked.done) return refuseBy(REFUSALS, checked);
        await audit.record(context, "user.restricted", user, `${parts.join(", ")}: ${reason.trim()}`);
        const operatorId = Number(context.userId);
        const set = await restrictions.set(Number(user), parts, reason.trim(), operatorId, context.timeMs);
        return set.done ? answer(null) : refuseBy(REFUSALS, set);
      },
    }),
    serve(CALLS.lift, {
      ...OWN,
      summary: "For operators: proposes to lift restrictions of a user; another operator decides",
      handle: async ({ body: { user, parts, reason, clientId } }, context) => {
        const set = await restrictions.findSet(Number(user), parts);
        if (!set.done) return refuseBy(REFUSALS, set);
        return proposeLift(context, { user, parts: set.value, reason: reason.trim() }, clientId);
      },
    }),
  ];
}

function securityRoutes({ restrictions, audit, proposeReset }: RestrictionRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.signOut, {
      ...OWN,
      summary: "For operators: ends every session of a user",
      handle: async ({ body: { user, reason } }, context) => {
        await audit.record(context, "user.signed-out", user, reason.trim());
        const ended = await restrictions.signOut(Number(user));
        return ended.done ? answer(null) : refuseBy(REFUSALS, ended);
      },
    }),
    serve(CALLS.resetFactor, {
      ...OWN,
      summary: "For operators: proposes to remove a verified user's authenticator; another operator decides",
      handle: async ({ body: { user, reason, clientId } }, context) => {
        const checked = await restrictions.checkReset(Number(user), context.timeMs);
        if (!checked.done) return refuseBy(REFUSALS, checked);
        return proposeReset(context, { user, reason: reason.trim() }, clientId);
      },
    }),
    serve(CALLS.requestDocuments, {
      ...OWN,
      summary: "For operators: requests documents of a user by a notice in their inbox and by email",
      handle: async ({ body: { user, message, reason } }, context) => {
        const checked = await restrictions.check(Number(user));
        if (!checked.done) return refuseBy(REFUSALS, checked);
        await audit.record(context, "user.documents-requested", user, reason.trim());
        const requested = await restrictions.requestDocuments(Number(user), message.trim(), context.timeMs);
        return requested.done ? answer(null) : refuseBy(REFUSALS, requested);
      },
    }),
  ];
}
