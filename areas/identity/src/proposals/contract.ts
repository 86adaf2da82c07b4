// The wire contract of proposals: those waiting for a second person, and deciding on them. The only file of the slice a
// browser may import.

import { endpoint } from "@clockwork/kit/endpoint";
import { PROPOSAL_REFUSALS, PROPOSAL_STATES } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";

const State = Type.Enum([...PROPOSAL_STATES]);
const ProposalId = Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 });
const PayloadHash = Type.String({ pattern: "^[0-9a-f]{64}$", maxLength: 64 });
const Person = Type.Object({ user: Type.String(), name: Type.String() });
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

export const Proposal = Type.Object({
  proposalId: Type.String(),
  kind: Type.String(),
  /** One line from the payload. */
  summary: Type.String(),
  /** The payload as it is hashed, and its SHA-256: the approved payload is the one that was read. */
  payload: Type.String(),
  payloadHash: Type.String(),
  proposer: Person,
  /** Users who gain by it or by its refusal. */
  beneficiaries: Type.Array(Person),
  state: State,
  createdAtMs: Type.Integer(),
  expiresAtMs: Type.Integer(),
  decidedBy: OrNull(Person),
  decidedAtMs: OrNull(Type.Integer()),
  /** Decided by the simulated person of a run whose coins have no value. */
  isSimulated: Type.Boolean(),
  reason: Type.String(),
  endedAtMs: OrNull(Type.Integer()),
  outcome: Type.String(),
  /** What the caller may do with it now. */
  mayDecide: Type.Boolean(),
  mayWithdraw: Type.Boolean(),
});
export type Proposal = Static<typeof Proposal>;

export const ProposalQuery = Type.Object({
  /** Only open ones and those being carried out. */
  openOnly: Type.Optional(Type.Boolean()),
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});
export const ProposalPage = Type.Object({
  proposals: Type.Array(Proposal),
  nextBefore: OrNull(Type.Integer()),
  /** A simulated second person decides within seconds: never in production. */
  hasSimulatedReviewer: Type.Boolean(),
});
export type ProposalPage = Static<typeof ProposalPage>;

export const ApproveBody = Type.Object(
  { proposalId: ProposalId, payloadHash: PayloadHash },
  { additionalProperties: false },
);
export const RejectBody = Type.Object(
  { proposalId: ProposalId, reason: Type.String({ minLength: 1, maxLength: 300, pattern: "\\S" }) },
  { additionalProperties: false },
);
export const WithdrawBody = Type.Object({ proposalId: ProposalId }, { additionalProperties: false });

export const PROPOSAL_CALLS = {
  list: endpoint("GET", "/v2/operators/proposals", {
    query: ProposalQuery,
    output: ProposalPage,
    refusals: PROPOSAL_REFUSALS,
  }),
  approve: endpoint("POST", "/v2/operators/proposals/approve", {
    body: ApproveBody,
    output: Proposal,
    refusals: PROPOSAL_REFUSALS,
  }),
  reject: endpoint("POST", "/v2/operators/proposals/reject", {
    body: RejectBody,
    output: Proposal,
    refusals: PROPOSAL_REFUSALS,
  }),
  withdraw: endpoint("POST", "/v2/operators/proposals/withdraw", {
    body: WithdrawBody,
    output: Proposal,
    refusals: PROPOSAL_REFUSALS,
  }),
};
