// Connects proposals with operators' rights, the log and the clock. Contains no rules.
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@clockwork/host/clock";
import type { Log } from "@clockwork/host/log";
import type { Proposals } from "@clockwork/host/proposal";
import { keepResuming } from "@clockwork/host/resume-loop";
import type { RouteSpec } from "@clockwork/host/route";
import type { Kysely } from "kysely";
import type { RoleService } from "../operators/role-service.ts";
import type { ProposalNeeds } from "../proposals/needs.ts";
import { proposalRoutes } from "../proposals/routes.ts";
import { ProposalService } from "../proposals/service.ts";
import { proposalStore } from "../proposals/store.ts";
import { ProposalView } from "../proposals/view-service.ts";

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
  /** Resumes what was approved, expires what is old; the returned function stops it. */
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
    withRights: roles.withRights.bind(roles),
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
