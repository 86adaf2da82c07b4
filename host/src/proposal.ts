// Four eyes as a slice sees them: what gives value, rights or levels is proposed by one person and carried out after
// another has approved it. A slice describes its kinds; who may, the lock, the hash and the log are the server's.
import type { RefusalTable } from "@clockwork/kit/endpoint";
import type { ProposalMade } from "@clockwork/kit/proposal-state";
import type { SchemaValue } from "@clockwork/kit/schema-value";
import { GUARD_REFUSALS } from "./refusal.ts";
import type { Outcome, RouteContext, RouteRejection } from "./route.ts";

/** What proposing and deciding are refused with, whatever is proposed. */
export const PROPOSAL_REFUSALS = {
  ...GUARD_REFUSALS,
  PROPOSAL_UNKNOWN: [404, "There is no such proposal."],
  PROPOSAL_DECIDED: [409, "Somebody has decided about this already."],
  PROPOSAL_EXPIRED: [409, "This proposal has expired; propose it again."],
  PROPOSAL_CHANGED: [409, "This is not what was proposed; read it again."],
  PROPOSAL_INVALID: [400, "This cannot be proposed as it is."],
  PROPOSER_IS_APPROVER: [403, "Somebody else has to decide about what you proposed."],
  BENEFICIARY_DECIDES: [403, "Whoever gains by it neither proposes it nor decides about it."],
  PROPOSER_LOST_RIGHT: [409, "Whoever proposed this may no longer do so."],
  CLIENT_ID_REUSED: [409, "This clientId was used for another proposal."],
  PROPOSALS_FULL: [409, "You have as many open proposals as there may be; withdraw some first."],
  NOT_PROPOSER: [403, "Only whoever proposed it can withdraw it."],
} as const satisfies RefusalTable<string>;

export type ProposalRefusal = keyof typeof PROPOSAL_REFUSALS;

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
  /** Asked of both people, in their session when they act and once more when it is carried out. */
  readonly permission: string;
  /** Both prove once more that it is them, however recently the console was opened. */
  readonly needsFreshProof: boolean;
  readonly expiresAfterMs: number;
  readonly payload: object & Schema;
  /** Everybody who gains by it or by its refusal: none of them proposes it or decides about it. */
  beneficiariesOf(payload: SchemaValue<Schema>): readonly number[] | Promise<readonly number[]>;
  /** What is wrong with it already now; asked before it is written down. */
  check?(payload: SchemaValue<Schema>): Promise<RouteRejection<Code> | undefined>;
  /** One line for the person who decides, from the payload alone. */
  describe(payload: SchemaValue<Schema>): string;
  /** Called again after a crash: must not do twice what it did under the same reference. */
  execute(payload: SchemaValue<Schema>, call: ProposalCall): Promise<ProposalEnd>;
}

/** What a slice's own call proposes through; `clientId` names the intent, so that a repeated press proposes once. */
export type Propose<Schema, Code extends string = string> = (
  context: RouteContext,
  payload: SchemaValue<Schema>,
  clientId: string,
) => Promise<Outcome<ProposalMade, Code | ProposalRefusal>>;

export interface Proposals {
  register<Schema, Code extends string = string>(kind: ProposalKind<Schema, Code>): Propose<Schema, Code>;
}
