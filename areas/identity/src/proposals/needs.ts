// The ports of proposals: permissions, the lock of rights, the log, and names of people.
import type { GuardCode } from "@clockwork/host/refusal";
import type { Result } from "@clockwork/kit/result";
import type { Kysely } from "kysely";

export interface Decider {
  readonly userId: number;
  readonly sessionId: string;
  readonly address: string;
}

export interface RightsHeld {
  /** Everything done with it is one transaction, during which no right changes. */
  readonly inside: Kysely<unknown>;
  holds(userId: number, permission: string): Promise<boolean>;
  record(
    entry: {
      readonly operatorId: number;
      readonly action: string;
      readonly subject: string;
      readonly detail: string;
      readonly address: string;
    },
    timeMs: number,
  ): Promise<void>;
}

export interface ProposalNeeds {
  /** May this operator, in this session, now? `isFresh` requires a recent proof. */
  permit(decider: Decider, permission: string, isFresh: boolean, timeMs: number): Promise<Result<null, GuardCode>>;
  withRights<Value>(work: (rights: RightsHeld) => Promise<Value>): Promise<Value>;
  nameOf(userId: number): Promise<string>;
  hash(text: string): string;
  randomId(): string;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
  /** A run whose coins have no value: a simulated person decides on proposals of a single operator. */
  readonly hasSimulatedReviewer: boolean;
}
