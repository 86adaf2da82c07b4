// Carries out what was approved, once: the row first stores that execution has started, and a start that finds it so
// continues under the same reference. Rights are checked once more at the start, under the lock.

import type { ProposalEnd, ProposalKind } from "@clockwork/host/proposal";
import type { Rights } from "../operators/role-service.ts";
import type { ProposalNeeds } from "./needs.ts";
import { hashedText, SIMULATED_REVIEWER } from "./rules.ts";
import { type ProposalRow, proposalStore } from "./store.ts";

export interface ExecutionParts {
  readonly needs: Pick<ProposalNeeds, "withRights" | "hash" | "report" | "hasSimulatedReviewer">;
  readonly kinds: ReadonlyMap<string, ProposalKind>;
}

const OUTCOME_LENGTH_MAX = 300;

export class Execution {
  readonly #needs: ExecutionParts["needs"];
  readonly #kinds: ReadonlyMap<string, ProposalKind>;
  readonly #running = new Map<string, Promise<void>>();

  constructor({ needs, kinds }: ExecutionParts) {
    this.#needs = needs;
    this.#kinds = kinds;
  }

  /** Does nothing unless approved. A concurrent caller waits for the same attempt. */
  run(proposalId: string, timeMs: number): Promise<void> {
    const known = this.#running.get(proposalId);
    if (known !== undefined) return known;
    const running = this.#run(proposalId, timeMs).finally(() => this.#running.delete(proposalId));
    this.#running.set(proposalId, running);
    return running;
  }

  async #run(proposalId: string, timeMs: number): Promise<void> {
    const row = await this.#needs.withRights((rights) => this.#begin(rights, proposalId, timeMs));
    const kind = this.#kinds.get(row?.kind ?? "");
    if (row === undefined || kind === undefined) return;
    const end = await this.#execute(kind, row, timeMs);
    if (end.end === "later") return;
    await this.#needs.withRights((rights) => this.#finish(rights, row, end, timeMs));
  }

  async #begin(rights: Rights, proposalId: string, timeMs: number): Promise<ProposalRow | undefined> {
    const own = proposalStore(rights.inside);
    const row = await own.find(proposalId);
    const kind = this.#kinds.get(row?.kind ?? "");
    if (row?.state !== "APPROVED" || kind === undefined) return undefined;
    const wrong = await this.#refusal(rights, kind, row);
    if (wrong !== undefined) {
      await this.#finish(rights, row, { end: "refused", ...wrong }, timeMs);
      return undefined;
    }
    return row.began_ms === null ? own.step(proposalId, "APPROVED", { began_ms: timeMs }) : row;
  }

  /**
   * What has started is completed, whoever has left since; what has not needs both people to hold their right still.
   */
  async #refusal(
    rights: Rights,
    { permission }: ProposalKind,
    row: ProposalRow,
  ): Promise<{ readonly code: string; readonly message: string } | undefined> {
    if (this.#needs.hash(hashedText(row)) !== row.payload_hash)
      return { code: "PROPOSAL_CHANGED", message: "The payload differs from what was approved." };
    if (row.began_ms !== null) return undefined;
    const isApproved = row.is_simulated
      ? this.#needs.hasSimulatedReviewer
      : await rights.holds(row.decided_by ?? SIMULATED_REVIEWER, permission);
    if (!isApproved) return { code: "APPROVER_LOST_RIGHT", message: "The approver no longer has the required role." };
    if (await rights.holds(row.proposer_id, permission)) return undefined;
    return { code: "PROPOSER_LOST_RIGHT", message: "The proposer no longer has the required role." };
  }

  async #execute(kind: ProposalKind, row: ProposalRow, timeMs: number): Promise<ProposalEnd> {
    try {
      return await kind.execute(JSON.parse(row.payload), {
        reference: `proposal:${row.proposal_id}`,
        proposerId: row.proposer_id,
        approverId: row.decided_by ?? SIMULATED_REVIEWER,
        timeMs: row.began_ms ?? timeMs,
      });
    } catch (error) {
      // Its progress is unknown: it remains approved and is retried under the same reference.
      this.#needs.report("proposal.execute.failed", { proposalId: row.proposal_id, kind: row.kind, error });
      return { end: "later" };
    }
  }

  async #finish(
    rights: Rights,
    row: ProposalRow,
    end: Exclude<ProposalEnd, { end: "later" }>,
    timeMs: number,
  ): Promise<void> {
    const state = end.end === "done" ? "EXECUTED" : "FAILED";
    const reply = end.end === "done" ? end.outcome : `${end.code}: ${end.message}`;
    const values = { state, ended_ms: timeMs, outcome: reply.slice(0, OUTCOME_LENGTH_MAX) } as const;
    const ended = await proposalStore(rights.inside).step(row.proposal_id, "APPROVED", values);
    if (ended === undefined) return;
    const entry = { operatorId: row.decided_by ?? SIMULATED_REVIEWER, subject: row.proposal_id, address: "" };
    await rights.record({ ...entry, action: `proposal.${state.toLowerCase()}`, detail: values.outcome }, timeMs);
  }
}
