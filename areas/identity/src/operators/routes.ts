// REST of the console: schema → service → envelope. Non-operators get 404.

import type { Propose } from "@clockwork/host/proposal";
import { answer, type RouteContext, type RouteRejection, type RouteSpec, refuse, serve } from "@clockwork/host/route";
import { type GrantPayload, OPERATOR_CALLS } from "./contract.ts";
import { REFUSALS, type RoleRefusal } from "./refusals.ts";
import type { Operator, RoleService } from "./role-service.ts";

/** The refusal in words, for every part of the console. */
export function describeRefusal<Code extends RoleRefusal>(code: Code): RouteRejection<Code> {
  const [status, message] = REFUSALS[code];
  return { code, status, message };
}

function refuseRole({ code }: { code: RoleRefusal }) {
  return refuse(describeRefusal(code));
}

export function operatorOf({ userId, session, ip }: RouteContext): Operator {
  return { userId: Number(userId), sessionId: session?.id ?? "", address: ip };
}

const OWN = { tag: "operators", scope: "user" } as const;

export function operatorRoutes(
  roles: RoleService,
  proposeGrant: Propose<typeof GrantPayload, never>,
): readonly RouteSpec[] {
  return [
    serve(OPERATOR_CALLS.me, {
      ...OWN,
      summary: "For operators: own roles, and whether the second factor is bound and proved",
      handle: async (_, context) => {
        const me = await roles.me(operatorOf(context), context.timeMs);
        return me.done ? answer(me.value) : refuseRole(me);
      },
    }),
    serve(OPERATOR_CALLS.list, {
      ...OWN,
      summary: "For administrators: operators and their roles",
      handle: async (_, context) => {
        const list = await roles.list(operatorOf(context), context.timeMs);
        return list.done ? answer(list.value) : refuseRole(list);
      },
    }),
    ...changeRoutes(roles, proposeGrant),
    serve(OPERATOR_CALLS.audit, {
      ...OWN,
      summary: "For auditors: what operators did, newest first, and whether the log is whole",
      handle: async ({ query }, context) => {
        const { operator, ...rest } = query;
        const filter = operator === undefined ? rest : { ...rest, operatorId: Number(operator) };
        const page = await roles.readAudit(operatorOf(context), filter, context.timeMs);
        return page.done ? answer(page.value) : refuseRole(page);
      },
    }),
  ];
}

function changeRoutes(roles: RoleService, proposeGrant: Propose<typeof GrantPayload, never>): readonly RouteSpec[] {
  return [
    serve(OPERATOR_CALLS.grant, {
      ...OWN,
      summary: "For administrators: proposes a role for an account; another administrator decides",
      handle: async ({ body: { account, role, clientId } }, context) => {
        const grantee = await roles.findGrantee(operatorOf(context), account, context.timeMs);
        if (!grantee.done) return refuseRole(grantee);
        return proposeGrant(context, { user: String(grantee.value), role }, clientId);
      },
    }),
    serve(OPERATOR_CALLS.rename, {
      ...OWN,
      summary: "For administrators: sets the name by which operators distinguish each other",
      handle: async ({ body: { user, name } }, context) => {
        const named = await roles.rename(operatorOf(context), Number(user), name, context.timeMs);
        return named.done ? answer(null) : refuseRole(named);
      },
    }),
    serve(OPERATOR_CALLS.revoke, {
      ...OWN,
      summary: "For administrators: takes a role away",
      handle: async ({ body }, context) => {
        const revoked = await roles.revoke(operatorOf(context), Number(body.user), body.role, context.timeMs);
        return revoked.done ? answer(null) : refuseRole(revoked);
      },
    }),
  ];
}
