// The states of a proposal that needs a second person, and the response of a call that proposes, as the console reads
// them.
import { GUARD_REFUSALS } from "./caller.ts";
import type { RefusalTable } from "./endpoint.ts";

/** PROPOSED waits for the second person; APPROVED is being carried out; the others are final. */
export const PROPOSAL_STATES = [
  "PROPOSED",
  "APPROVED",
  "EXECUTED",
  "REJECTED",
  "WITHDRAWN",
  "EXPIRED",
  "FAILED",
] as const;

export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** The response of every call that proposes. */
export const ProposalMade = {
  type: "object",
  required: ["proposalId", "payloadHash", "state"],
  properties: {
    proposalId: { type: "string" },
    payloadHash: { type: "string" },
    state: { type: "string", enum: PROPOSAL_STATES },
  },
} as const;
export interface ProposalMade {
  proposalId: string;
  payloadHash: string;
  state: ProposalState;
}

/** The refusals of proposing and deciding, for every kind. */
export const PROPOSAL_REFUSALS = {
  ...GUARD_REFUSALS,
  PROPOSAL_UNKNOWN: [404, "Proposal not found."],
  PROPOSAL_DECIDED: [409, "This has already been decided."],
  PROPOSAL_EXPIRED: [409, "This proposal has expired. Make a new one."],
  PROPOSAL_CHANGED: [409, "The proposal has changed. Review it again."],
  PROPOSAL_INVALID: [400, "This proposal is invalid."],
  PROPOSER_IS_APPROVER: [403, "Another operator must decide on your proposal."],
  BENEFICIARY_DECIDES: [403, "Operators who benefit from a proposal can neither make nor decide it."],
  PROPOSER_LOST_RIGHT: [409, "The proposer no longer has the required role."],
  CLIENT_ID_REUSED: [409, "This clientId was already used for another proposal."],
  PROPOSALS_FULL: [409, "Open proposal limit reached. Withdraw some first."],
  NOT_PROPOSER: [403, "Only the proposer can withdraw a proposal."],
} as const satisfies RefusalTable<string>;

export type ProposalRefusal = keyof typeof PROPOSAL_REFUSALS;
