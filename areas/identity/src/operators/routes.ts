// REST of the operators' console: schema → service → envelope. Whoever is no operator is told that nothing is here.

import type { Propose } from "@clockwork/host/proposal";
import {
  answer,
  defineRoute,
  type RouteContext,
  type RouteRejection,
  type RouteSpec,
  refuse,
} from "@clockwork/host/route";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import { Type } from "typebox";
import { AuditPage, AuditQuery, GrantBody, type GrantPayload, Me, OperatorList, RevokeBody } from "./contract.ts";
import type { Operator, RoleRefusal, RoleService } from "./role-service.ts";

const REFUSALS: Readonly<Record<RoleRefusal, readonly [status: number, message: string]>> = {
  FORBIDDEN: [403, "Your role does not allow this."],
  OPERATOR_TOTP_REQUIRED: [403, "Operators need an authenticator; bind one in the security centre first."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you."],
  ACCOUNT_UNKNOWN: [404, "Nobody has this address or number."],
  LAST_ADMIN: [409, "The last administrator stays."],
};

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

const PATH = "/v2/operators";
const OWN = { tag: "operators", scope: "user" } as const;

export function operatorRoutes(roles: RoleService, proposeGrant: Propose<typeof GrantPayload>): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/me`,
      summary: "For operators: own roles, and whether the second factor is bound and proved",
      output: Me,
      handle: async (_, context) => {
        const me = await roles.me(operatorOf(context), context.timeMs);
        return me.done ? answer(me.value) : refuseRole(me);
      },
    }),
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/list`,
      summary: "For administrators: operators and their roles",
      output: OperatorList,
      handle: async (_, context) => {
        const list = await roles.list(operatorOf(context), context.timeMs);
        return list.done ? answer(list.value) : refuseRole(list);
      },
    }),
    ...changeRoutes(roles, proposeGrant),
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/audit`,
      summary: "For auditors: what operators did, newest first, and whether the log is whole",
      query: AuditQuery,
      output: AuditPage,
      handle: async ({ query }, context) => {
        const page = await roles.readAudit(operatorOf(context), query.before, context.timeMs);
        return page.done ? answer(page.value) : refuseRole(page);
      },
    }),
  ];
}

function changeRoutes(roles: RoleService, proposeGrant: Propose<typeof GrantPayload>): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/grant`,
      summary: "For administrators: proposes a role for an account; another administrator decides",
      body: GrantBody,
      output: ProposalMade,
      handle: async ({ body: { account, role, clientId } }, context) => {
        const grantee = await roles.findGrantee(operatorOf(context), account, context.timeMs);
        if (!grantee.done) return refuseRole(grantee);
        return proposeGrant(context, { user: String(grantee.value), role }, clientId);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/revoke`,
      summary: "For administrators: takes a role away",
      body: RevokeBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const revoked = await roles.revoke(operatorOf(context), Number(body.user), body.role, context.timeMs);
        return revoked.done ? answer(null) : refuseRole(revoked);
      },
    }),
  ];
}
