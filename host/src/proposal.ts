// Four eyes as a slice sees them: grants of value, rights or levels are proposed by one person and carried out after
// another has approved. A slice describes its kinds; permissions, the lock, the hash and the log are the server's.
import type { ProposalMade, ProposalRefusal } from "@clockwork/kit/proposal-state";
import type { SchemaValue } from "@clockwork/kit/schema-value";
import type { Outcome, RouteContext, RouteRejection } from "./route.ts";

export interface ProposalCall {
  /** The same for every try: what was done under it is not done again. */
  readonly reference: string;
  readonly proposerId: number;
  readonly approverId: number;
  readonly timeMs: number;
}

/** `later` leaves it approved and is tried again; a refusal ends it. */
export type ProposalEnd =
  | { readonly end: "done"; readonly outcome: string }
  | { readonly end: "refused"; readonly code: string; readonly message: string }
  | { readonly end: "later" };

export interface ProposalKind<Schema = unknown, Code extends string = string> {
  /** Such as `coupon.issue`. */
  readonly kind: string;
  /** Checked for both people, in their session when they act and once more when it is carried out. */
  readonly permission: string;
  /** Both prove their identity again, however recently the console was opened. */
  readonly needsFreshProof: boolean;
  readonly expiresAfterMs: number;
  readonly payload: object & Schema;
  /** All who gain by it or by its refusal: none of them proposes it or decides on it. */
  beneficiariesOf(payload: SchemaValue<Schema>): readonly number[] | Promise<readonly number[]>;
  /** Validates it; called before it is stored. */
  check?(payload: SchemaValue<Schema>): Promise<RouteRejection<Code> | undefined>;
  /** One line for the deciding person, from the payload only. */
  describe(payload: SchemaValue<Schema>): string;
  /** Called again after a crash: must not do twice what it did under the same reference. */
  execute(payload: SchemaValue<Schema>, call: ProposalCall): Promise<ProposalEnd>;
}

/** The proposal call of a slice; `clientId` identifies the intent, so that a repeated press proposes once. */
export type Propose<Schema, Code extends string = string> = (
  context: RouteContext,
  payload: SchemaValue<Schema>,
  clientId: string,
) => Promise<Outcome<ProposalMade, Code | ProposalRefusal>>;

export interface Proposals {
  register<Schema, Code extends string = string>(kind: ProposalKind<Schema, Code>): Propose<Schema, Code>;
}
