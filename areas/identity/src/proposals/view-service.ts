// How proposals are shown to an operator: those of the kinds within their rights, and what they may do with each.

import type { GuardCode } from "@clockwork/host/refusal";
import { cutPage } from "@clockwork/kit/pages/page";
import { PROPOSAL_STATES, type ProposalState } from "@clockwork/kit/proposal-state";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { Operator } from "../operators/role-service.ts";
import type { Proposal, ProposalPage } from "./contract.ts";
import type { ProposalNeeds } from "./needs.ts";
import { readIds, refusalOfDecider, SIMULATED_REVIEWER, summarize } from "./rules.ts";
import type { ProposalService } from "./service.ts";
import type { ProposalRow, ProposalStore } from "./store.ts";

const PAGE = 50;
const OPEN: readonly ProposalState[] = ["PROPOSED", "APPROVED"];

export class ProposalView {
  readonly #service: Pick<ProposalService, "kinds">;
  readonly #store: Pick<ProposalStore, "list">;
  readonly #needs: Pick<ProposalNeeds, "permit" | "nameOf" | "hasSimulatedReviewer">;

  constructor(parts: {
    readonly service: Pick<ProposalService, "kinds">;
    readonly store: Pick<ProposalStore, "list">;
    readonly needs: Pick<ProposalNeeds, "permit" | "nameOf" | "hasSimulatedReviewer">;
  }) {
    this.#service = parts.service;
    this.#store = parts.store;
    this.#needs = parts.needs;
  }

  async list(
    decider: Operator,
    query: { readonly openOnly?: boolean; readonly before?: number },
    timeMs: number,
  ): Promise<Result<ProposalPage, GuardCode>> {
    const kinds = await this.#visibleKinds(decider, timeMs);
    if (!kinds.done) return kinds;
    const states = query.openOnly === true ? OPEN : PROPOSAL_STATES;
    const rows = await this.#store.list(kinds.value, states, query.before, PAGE + 1);
    const { shown, end } = cutPage(rows, PAGE);
    const proposals: Proposal[] = [];
    for (const row of shown) proposals.push(await this.describe(row, decider.userId, timeMs));
    return done({
      proposals,
      nextBefore: end?.id ?? null,
      hasSimulatedReviewer: this.#needs.hasSimulatedReviewer,
    });
  }

  async describe(row: ProposalRow, viewerId: number, timeMs: number): Promise<Proposal> {
    const isOpen = row.state === "PROPOSED" && timeMs < row.expires_ms;
    return {
      proposalId: row.proposal_id,
      kind: row.kind,
      summary: summarize(this.#service.kinds.get(row.kind), row),
      payload: row.payload,
      payloadHash: row.payload_hash,
      proposer: await this.#person(row.proposer_id),
      beneficiaries: await Promise.all(readIds(row).map((userId) => this.#person(userId))),
      state: row.state,
      createdAtMs: row.created_ms,
      expiresAtMs: row.expires_ms,
      decidedBy: row.decided_by === null ? null : await this.#person(row.decided_by),
      decidedAtMs: row.decided_ms,
      isSimulated: row.is_simulated,
      reason: row.reason,
      endedAtMs: row.ended_ms,
      outcome: row.outcome,
      mayDecide: isOpen && refusalOfDecider(row, viewerId) === undefined,
      mayWithdraw: isOpen && row.proposer_id === viewerId,
    };
  }

  async #person(userId: number): Promise<{ user: string; name: string }> {
    const name = userId === SIMULATED_REVIEWER ? "Simulated reviewer" : await this.#needs.nameOf(userId);
    return { user: String(userId), name };
  }

  async #visibleKinds(decider: Operator, timeMs: number): Promise<Result<readonly string[], GuardCode>> {
    const visible: string[] = [];
    let refusal: GuardCode = "FORBIDDEN";
    const requested = new Map<string, boolean>();
    for (const { kind, permission } of this.#service.kinds.values()) {
      if (!requested.has(permission)) {
        const permitted = await this.#needs.permit(decider, permission, false, timeMs);
        requested.set(permission, permitted.done);
        if (!permitted.done && permitted.code !== "FORBIDDEN") refusal = permitted.code;
      }
      if (requested.get(permission) === true) visible.push(kind);
    }
    return visible.length > 0 ? done(visible) : refused(refusal);
  }
}
