// Connects operators, their log and rights, and their decisions: proposals and identities. Contains no rules.

import type { Clock } from "@clockwork/host/clock";
import type { Log } from "@clockwork/host/log";
import { keepResuming } from "@clockwork/host/resume-loop";
import type { Kysely } from "kysely";
import { identityRoutes } from "../kyc/dev-routes.ts";
import { ReviewService } from "../kyc/review-service.ts";
import { kycRoutes } from "../kyc/routes.ts";
import { KycService } from "../kyc/service.ts";
import { kycStore } from "../kyc/store.ts";
import { grantKind } from "../operators/grant-service.ts";
import { RoleService } from "../operators/role-service.ts";
import { operatorRoutes } from "../operators/routes.ts";
import { OperatorService } from "../operators/service.ts";
import { operatorStore } from "../operators/store.ts";
import { kycNeeds, type NeedParts, nameOf, roleNeeds } from "./account-needs.ts";
import { composeProposals } from "./proposals.ts";

export function composeConsole(kysely: Kysely<unknown>, needs: NeedParts) {
  const { log, clock, config } = needs.parts;
  const operators = new OperatorService({ store: operatorStore(kysely), needs: { mark: needs.vault.mark } });
  const roles = new RoleService({ store: operatorStore(kysely), needs: roleNeeds(needs), audit: operators });
  const identity = { store: kycStore(kysely), needs: kycNeeds(needs, operators, roles) };
  const kyc = new KycService(identity);
  const reviews = new ReviewService({ ...identity, kyc });
  const hasSimulatedReviewer = config.mode !== "production" && config.simulatedReviewer === "auto";
  const proposals = composeProposals({
    kysely,
    log,
    clock,
    roles,
    nameOf: (userId) => nameOf(needs, userId),
    hasSimulatedReviewer,
  });
  const proposeGrant = proposals.register(grantKind(roles, roleNeeds(needs)));
  return {
    services: { operators, roles, kyc, proposals, nameOf: (userId: number) => nameOf(needs, userId) },
    routes: [
      ...kycRoutes(kyc, reviews),
      ...(config.mode === "production" ? [] : identityRoutes(kyc)),
      ...operatorRoutes(roles, proposeGrant),
      ...proposals.routes,
    ],
    start: () => {
      const stops = [proposals.start(), ...(hasSimulatedReviewer ? [startReviewing(reviews, clock, log)] : [])];
      return async () => {
        for (const stop of stops) await stop();
      };
    },
  };
}

const REVIEW_MS = 1_000;

/** The simulated reviewer of a run whose coins have no value. */
function startReviewing(reviews: ReviewService, clock: Clock, log: Log): () => Promise<void> {
  return keepResuming({
    clock,
    everyMs: REVIEW_MS,
    resume: () => reviews.decideSimulated(clock.now()),
    onFailure: (error) => log.warn("kyc.review.failed", { error }),
  });
}
