// The states of a proposal that needs a second person, and what a call that proposes answers, as the console reads them.

/** PROPOSED waits for the second person; APPROVED is being carried out; the others are ends. */
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

/** What every call that proposes answers. */
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
