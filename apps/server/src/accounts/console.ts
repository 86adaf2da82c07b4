// Connects operators, their log and rights, and what they decide about: proposals and identities. Holds no rule of its
// own.
import { kycRoutes } from "@clockwork/domains/kyc/routes";
import { KycService } from "@clockwork/domains/kyc/service";
import { kycStore } from "@clockwork/domains/kyc/store";
import { grantKind } from "@clockwork/domains/operators/grant-service";
import { RoleService } from "@clockwork/domains/operators/role-service";
import { operatorRoutes } from "@clockwork/domains/operators/routes";
import { operatorService } from "@clockwork/domains/operators/service";
import { operatorStore } from "@clockwork/domains/operators/store";
import type { Kysely } from "kysely";
import { kycNeeds, type NeedParts, nameOf, roleNeeds } from "./account-needs.ts";
import { composeProposals } from "./proposals.ts";

export function composeConsole(kysely: Kysely<unknown>, needs: NeedParts) {
  const { log, clock, config } = needs.parts;
  const operators = operatorService({ store: operatorStore(kysely), needs: { mark: needs.vault.mark } });
  const roles = new RoleService({ store: operatorStore(kysely), needs: roleNeeds(needs), audit: operators });
  const kyc = new KycService({ store: kycStore(kysely), needs: kycNeeds(needs, operators, roles) });
  const proposals = composeProposals({
    kysely,
    log,
    clock,
    roles,
    nameOf: (userId) => nameOf(needs, userId),
    hasSimulatedReviewer: config.mode !== "production" && config.simulatedReviewer === "auto",
  });
  const proposeGrant = proposals.register(grantKind(roles, roleNeeds(needs)));
  return {
    services: { operators, roles, kyc, proposals },
    routes: [...kycRoutes(kyc), ...operatorRoutes(roles, proposeGrant), ...proposals.routes],
    start: () => proposals.start(),
  };
}
