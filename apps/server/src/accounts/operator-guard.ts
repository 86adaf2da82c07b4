// The operator guard in front of the slices: a role's permission with its second factor, and the audit log.
import type { RoleService } from "@clockwork/domains/operators/role-service";
import { describeRefusal, operatorOf } from "@clockwork/domains/operators/routes";
import type { Permission } from "@clockwork/domains/operators/rules";
import type { OperatorService } from "@clockwork/domains/operators/service";
import type { OperatorGuard } from "@clockwork/kit/operator-guard";

export interface OperatorGuardParts {
  readonly roles: RoleService;
  readonly operators: OperatorService;
}

const DETAIL_LENGTH_MAX = 500;

/** One line the log can hold: a control character would be refused by the database and the action with it. */
function cleanLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").slice(0, DETAIL_LENGTH_MAX);
}

export function openOperatorGuard({ roles, operators }: OperatorGuardParts, permission: Permission): OperatorGuard {
  return {
    async permit(context) {
      const permitted = await roles.permit(operatorOf(context), permission, context.timeMs);
      return permitted.done ? undefined : describeRefusal(permitted.code);
    },
    record: (context, action, subject, detail) => {
      const { userId, address } = operatorOf(context);
      const said = { subject: cleanLine(subject), detail: cleanLine(detail) };
      return operators.record({ operatorId: userId, action, ...said, address }, context.timeMs);
    },
  };
}
