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
