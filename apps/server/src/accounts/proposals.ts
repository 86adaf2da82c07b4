// Connects proposals with operators' rights, the log and the clock. Holds no rule of its own.
import { createHash, randomBytes } from "node:crypto";
import type { RoleService } from "@clockwork/identity/operators/role-service";
import type { ProposalNeeds } from "@clockwork/identity/proposals/needs";
import { proposalRoutes } from "@clockwork/identity/proposals/routes";
import { ProposalService } from "@clockwork/identity/proposals/service";
import { proposalStore } from "@clockwork/identity/proposals/store";
import { ProposalView } from "@clockwork/identity/proposals/view-service";
import type { Clock } from "@clockwork/kit/clock";
import type { Proposals } from "@clockwork/kit/proposal";
import type { RouteSpec } from "@clockwork/kit/route";
import type { Kysely } from "kysely";
import type { Log } from "../base/log.ts";
import { keepResuming } from "../resume-loop.ts";

export interface ProposalParts {
  readonly kysely: Kysely<unknown>;
  readonly log: Log;
  readonly clock: Clock;
  readonly roles: RoleService;
  readonly nameOf: (userId: number) => Promise<string>;
  readonly hasSimulatedReviewer: boolean;
}

export interface ProposalsPart extends Proposals {
  readonly routes: readonly RouteSpec[];
  /** Goes on with what was approved, expires what is old; the answer ends it. */
  start(): () => Promise<void>;
}

const RESUME_MS = 1_000;

export function composeProposals(parts: ProposalParts): ProposalsPart {
  const { kysely, log, clock, roles, hasSimulatedReviewer } = parts;
  const known = (permission: string): string => {
    if (roles.permissions.has(permission)) return permission;
    throw new Error(`no role allows ${permission}`);
  };
  const needs: ProposalNeeds = {
    hasSimulatedReviewer,
    nameOf: parts.nameOf,
    permit: (decider, permission, isFresh, timeMs) =>
      roles.permit(decider, known(permission), timeMs, isFresh ? "fresh" : "console"),
    withRights: (work) =>
      roles.withRights(({ inside, holds, record }) =>
        work({ inside, record, holds: (userId, permission) => holds(userId, known(permission)) }),
      ),
    hash: (text) => createHash("sha256").update(text).digest("hex"),
    randomId: () => randomBytes(8).toString("hex"),
    report: (fact, fields) => log.warn(fact, fields),
  };
  const store = proposalStore(kysely);
  const service = new ProposalService({ store, needs });
  return {
    register(kind) {
      known(kind.permission);
      return service.register(kind);
    },
    routes: proposalRoutes(service, new ProposalView({ service, store, needs })),
    start: () =>
      keepResuming({
        clock,
        everyMs: RESUME_MS,
        resume: () => service.resume(clock.now()),
        onFailure: (error) => log.warn("proposal.resume.failed", { error }),
      }),
  };
}
