// Connects operators, their log and rights, and what they decide about: proposals and identities. Holds no rule of its
// own.

import { identityRoutes } from "@clockwork/identity/kyc/dev-routes";
import { ReviewService } from "@clockwork/identity/kyc/review-service";
import { kycRoutes } from "@clockwork/identity/kyc/routes";
import { KycService } from "@clockwork/identity/kyc/service";
import { kycStore } from "@clockwork/identity/kyc/store";
import { grantKind } from "@clockwork/identity/operators/grant-service";
import { RoleService } from "@clockwork/identity/operators/role-service";
import { operatorRoutes } from "@clockwork/identity/operators/routes";
import { OperatorService } from "@clockwork/identity/operators/service";
import { operatorStore } from "@clockwork/identity/operators/store";
import type { Clock } from "@clockwork/kit/clock";
import type { Kysely } from "kysely";
import type { Log } from "../base/log.ts";
import { keepResuming } from "../resume-loop.ts";
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

/** The simulated reviewer of a run whose coins are worth nothing. */
function startReviewing(reviews: ReviewService, clock: Clock, log: Log): () => Promise<void> {
  return keepResuming({
    clock,
    everyMs: REVIEW_MS,
    resume: () => reviews.decideSimulated(clock.now()),
    onFailure: (error) => log.warn("kyc.review.failed", { error }),
  });
}
