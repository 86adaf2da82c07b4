// The operators' guard in front of the slices: a role's permission with its second factor, and the audit log.

import type { Audit } from "@clockwork/host/audit";
import type { RouteContext, RouteRejection } from "@clockwork/host/route";
import type { RoleService } from "../operators/role-service.ts";
import { describeRefusal, operatorOf } from "../operators/routes.ts";
import type { OperatorService } from "../operators/service.ts";

export interface OperatorGuard {
  /** Undefined when this caller may, in this session, now; a read admits auditors too. */
  permit(context: RouteContext, permission: string, isRead?: boolean): Promise<RouteRejection | undefined>;
  readonly audit: Audit;
}

const DETAIL_LENGTH_MAX = 500;

/** One line for the log: the database would refuse a control character, and the action with it. */
function cleanLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").slice(0, DETAIL_LENGTH_MAX);
}

export function operatorGuard({
  roles,
  operators,
}: {
  readonly roles: RoleService;
  readonly operators: OperatorService;
}): OperatorGuard {
  return {
    async permit(context, permission, isRead = false) {
      if (!roles.permissions.has(permission)) return describeRefusal("FORBIDDEN");
      const permitted = await roles.permit(
        operatorOf(context),
        permission,
        context.timeMs,
        isRead ? "read" : "console",
      );
      return permitted.done ? undefined : describeRefusal(permitted.code);
    },
    audit: {
      record: (context, action, subject, detail) => {
        const { userId, address } = operatorOf(context);
        const reply = { subject: cleanLine(subject), detail: cleanLine(detail) };
        return operators.record({ operatorId: userId, action, ...reply, address }, context.timeMs);
      },
    },
  };
}
