// Granting a role to an account: proposed by one administrator, approved by another, neither of them the receiver.
import type { ProposalKind } from "@clockwork/host/proposal";
import { DAY_MS } from "@clockwork/kit/time";
import { GrantPayload } from "./contract.ts";
import type { RoleNeeds } from "./needs.ts";
import type { RoleService } from "./role-service.ts";
import { operatorStore } from "./store.ts";

export function grantKind(
  roles: Pick<RoleService, "withRights">,
  needs: Pick<RoleNeeds, "setOperator">,
): ProposalKind<typeof GrantPayload, never> {
  return {
    kind: "operator.grant",
    permission: "operators.manage",
    needsFreshProof: true,
    expiresAfterMs: 7 * DAY_MS,
    payload: GrantPayload,
    beneficiariesOf: ({ user }) => [Number(user)],
    describe: ({ user, role }) => `Give account ${user} the role ${role}`,
    execute: ({ user, role }, { approverId, timeMs }) =>
      roles.withRights(async ({ inside, record }) => {
        const userId = Number(user);
        const row = { user_id: userId, role, granted_by: approverId, granted_at_ms: timeMs };
        if (!(await operatorStore(inside).grant(row))) return { end: "done", outcome: "had it already" };
        await needs.setOperator(userId, true, inside);
        const entry = { operatorId: approverId, subject: user, address: "" };
        await record({ ...entry, action: "operator.granted", detail: role }, timeMs);
        return { end: "done", outcome: "granted" };
      }),
  };
}
