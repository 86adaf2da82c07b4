// What proposals take of operators: permissions, the lock of rights, the log, and names of people.

import type { GuardCode } from "@clockwork/host/refusal";
import type { Result } from "@clockwork/kit/result";
import type { Operator, RoleService } from "../operators/role-service.ts";

export interface ProposalNeeds extends Pick<RoleService, "withRights"> {
  /** May this operator, in this session, now? `isFresh` requires a recent proof. */
  permit(decider: Operator, permission: string, isFresh: boolean, timeMs: number): Promise<Result<null, GuardCode>>;
  nameOf(userId: number): Promise<string>;
  hash(text: string): string;
  randomId(): string;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
  /** A run whose coins have no value: a simulated person decides on proposals of a single operator. */
  readonly hasSimulatedReviewer: boolean;
}
