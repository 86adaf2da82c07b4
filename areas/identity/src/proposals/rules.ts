// Pure rules of proposals: how a payload is written and named, who may decide, and what is refused in which words.
import type { ProposalKind } from "@clockwork/host/proposal";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import type { DeciderRefusal } from "./needs.ts";
import type { ProposalRow } from "./store.ts";

export type ProposalRefusal =
  | DeciderRefusal
  | "PROPOSAL_UNKNOWN"
  | "PROPOSAL_DECIDED"
  | "PROPOSAL_EXPIRED"
  | "PROPOSAL_CHANGED"
  | "PROPOSAL_INVALID"
  | "PROPOSER_IS_APPROVER"
  | "BENEFICIARY_DECIDES"
  | "PROPOSER_LOST_RIGHT"
  | "CLIENT_ID_REUSED"
  | "PROPOSALS_FULL"
  | "NOT_PROPOSER";

export const REFUSALS: RefusalTable<ProposalRefusal> = {
  FORBIDDEN: [403, "Your role does not allow this."],
  OPERATOR_TOTP_REQUIRED: [403, "Operators need an authenticator; bind one in the security centre first."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you."],
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
};

/** The simulated person has no account; user numbers begin above. */
export const SIMULATED_REVIEWER = 0;
/** Long enough to see that it waits, short enough to wait for it. */
export const SIMULATED_DECIDES_MS = 2_000;
export const OPEN_MAX = 100;

/** One spelling per value: keys in order, nothing between. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonicalText(one)}`).join(",")}}`;
}

/** As they are stored: each once, in order. */
export function writeIds(userIds: readonly number[]): string {
  return JSON.stringify([...new Set(userIds)].sort((left, right) => left - right));
}

export function readIds({ beneficiary_ids }: Pick<ProposalRow, "beneficiary_ids">): readonly number[] {
  return JSON.parse(beneficiary_ids);
}

/** What the hash is of: the kind and the receivers belong to it, or one could be exchanged under it. None and one are written
 *  as they were before there could be several, so that older proposals keep their hash. */
export function hashedText(row: Pick<ProposalRow, "proposal_id" | "kind" | "payload" | "beneficiary_ids">): string {
  const [first = null, ...others] = readIds(row);
  const receivers = others.length === 0 ? first : [first, ...others];
  return canonicalText([row.proposal_id, row.kind, receivers, row.payload]);
}

/** The second person is neither the first nor anybody who gains. */
export function refusalOfDecider(
  row: Pick<ProposalRow, "proposer_id" | "beneficiary_ids">,
  deciderId: number,
): ProposalRefusal | undefined {
  if (row.proposer_id === deciderId) return "PROPOSER_IS_APPROVER";
  return readIds(row).includes(deciderId) ? "BENEFICIARY_DECIDES" : undefined;
}

export function summarize(kind: ProposalKind | undefined, row: ProposalRow): string {
  return kind === undefined ? row.kind : kind.describe(JSON.parse(row.payload));
}
