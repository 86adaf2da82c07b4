// Pure rules of proposals: the encoding and hash of a payload, who may decide, and the texts of refusals.
import type { ProposalKind } from "@clockwork/host/proposal";
import type { ProposalRefusal } from "@clockwork/kit/proposal-state";
import type { ProposalRow } from "./store.ts";

/** The simulated person has no account; user numbers start above. */
export const SIMULATED_REVIEWER = 0;
/** Long enough to be visible as open, short enough to wait for. */
export const SIMULATED_DECIDES_MS = 2_000;
export const OPEN_MAX = 100;

/** One spelling per value: keys in order, no whitespace. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonicalText(one)}`).join(",")}}`;
}

/** The stored form: each once, in order. */
export function writeIds(userIds: readonly number[]): string {
  return JSON.stringify([...new Set(userIds)].sort((left, right) => left - right));
}

export function readIds({ beneficiary_ids }: Pick<ProposalRow, "beneficiary_ids">): readonly number[] {
  return JSON.parse(beneficiary_ids);
}

/**
 * The hashed content: it includes the kind and the receivers, so that neither can be exchanged. None and one are
 * written as before there could be several, so that older proposals keep their hash.
 */
export function hashedText(row: Pick<ProposalRow, "proposal_id" | "kind" | "payload" | "beneficiary_ids">): string {
  const [first = null, ...others] = readIds(row);
  const receivers = others.length === 0 ? first : [first, ...others];
  return canonicalText([row.proposal_id, row.kind, receivers, row.payload]);
}

/** The second person is neither the first nor a beneficiary. */
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
