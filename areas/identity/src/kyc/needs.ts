// What identity verification takes of operators, pictures and notices.

import type { GuardCode } from "@clockwork/host/refusal";
import type { Vault } from "@clockwork/host/vault";
import type { Redrawn } from "@clockwork/kit/picture";
import type { Result } from "@clockwork/kit/result";
import type { Operator, RoleService } from "../operators/role-service.ts";
import type { OperatorService } from "../operators/service.ts";

/** A liveness check: an outside provider or the simulated one. */
export interface Liveness {
  /** `simulated` must be labelled as such wherever it is shown: it examines no one. */
  readonly kind: "simulated" | "outside";
  /** Undefined while the provider is unavailable. */
  begin(
    userId: number,
  ): Promise<{ readonly token: string; readonly url?: string; readonly steps?: readonly string[] } | undefined>;
  judge(token: string, answers: readonly string[]): Promise<"passed" | "failed" | "waiting" | undefined>;
}

export interface KycNeeds extends Vault, Pick<RoleService, "withRights"> {
  randomId(): string;
  /** Re-encodes a picture, so that nothing hidden in the file survives. */
  redrawPicture(bytes: Uint8Array): Promise<Redrawn>;
  readonly liveness: Liveness;
  /** Countries that cannot be verified. */
  readonly blockedCountries: readonly string[];
  /** Withdrawals require the first level. */
  readonly isStrict: boolean;
  /** May this operator review, in this session, now? */
  permit(reviewer: Operator, timeMs: number): Promise<Result<null, GuardCode>>;
  /** The name of a person in a list; their mail address or number, shortened. */
  nameOf(userId: number): Promise<string>;
  /** Writes an operator's action down before it counts. */
  readonly audit: OperatorService["record"];
  notify(
    userId: number,
    decision: "kyc-approved" | "kyc-rejected" | "kyc-more-info",
    reason: string,
    timeMs: number,
  ): Promise<void>;
}
