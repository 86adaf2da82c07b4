// Four eyes: one person proposes, another without a benefit decides, then it is carried out once. Every decision is one
// transaction under the lock of rights, with its log row; execution is stored as an intent first.

import type { ProposalKind, Propose } from "@clockwork/host/proposal";
import { answer, callerOf, type RouteContext, refuse, refuseBy } from "@clockwork/host/route";
import type { ProposalMade } from "@clockwork/kit/proposal-state";
import { PROPOSAL_REFUSALS, type ProposalRefusal } from "@clockwork/kit/proposal-state";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { SchemaValue } from "@clockwork/kit/schema-value";
import { Value } from "typebox/value";
import type { Operator, Rights } from "../operators/role-service.ts";
import { Execution } from "./execution-service.ts";
import type { ProposalNeeds } from "./needs.ts";
import {
  canonicalText,
  hashedText,
  OPEN_MAX,
  refusalOfDecider,
  SIMULATED_DECIDES_MS,
  SIMULATED_REVIEWER,
  writeIds,
} from "./rules.ts";
import { type ProposalRow, type ProposalStore, proposalStore } from "./store.ts";

type Outcome = Promise<Result<ProposalRow, ProposalRefusal>>;
const RESUME_PAGE = 100;

export class ProposalService {
  readonly #store: ProposalStore;
  readonly #needs: ProposalNeeds;
  readonly #kinds = new Map<string, ProposalKind>();
  readonly #execution: Execution;

  constructor({ store, needs }: { readonly store: ProposalStore; readonly needs: ProposalNeeds }) {
    this.#store = store;
    this.#needs = needs;
    this.#execution = new Execution({ needs, kinds: this.#kinds });
  }

  get kinds(): ReadonlyMap<string, ProposalKind> {
    return this.#kinds;
  }

  /** The proposal function for a slice's own call. */
  register<Schema, Code extends string = string>(kind: ProposalKind<Schema, Code>): Propose<Schema, Code> {
    if (this.#kinds.has(kind.kind)) throw new Error(`two kinds of proposals are called ${kind.kind}`);
    this.#kinds.set(kind.kind, kind);
    return async (context, payload, clientId) => {
      const proposer = deciderOf(context);
      const { timeMs } = context;
      const permitted = await this.#needs.permit(proposer, kind.permission, kind.needsFreshProof, timeMs);
      if (!permitted.done) return refuseBy(PROPOSAL_REFUSALS, permitted);
      if (!Value.Check(kind.payload, payload)) return refuseBy(PROPOSAL_REFUSALS, { code: "PROPOSAL_INVALID" });
      const wrong = await kind.check?.(payload);
      if (wrong !== undefined) return refuse(wrong);
      const made = await this.#propose(kind, proposer, payload, clientId, timeMs);
      return made.done ? answer(describeMade(made.value)) : refuseBy(PROPOSAL_REFUSALS, made);
    };
  }

  async #propose<Schema>(
    kind: ProposalKind<Schema>,
    proposer: Operator,
    payload: SchemaValue<Schema>,
    clientId: string,
    timeMs: number,
  ): Outcome {
    const beneficiaries = await kind.beneficiariesOf(payload);
    if (beneficiaries.includes(proposer.userId)) return refused("BENEFICIARY_DECIDES");
    const named = {
      proposal_id: this.#needs.randomId(),
      kind: kind.kind,
      payload: canonicalText(payload),
      beneficiary_ids: writeIds(beneficiaries),
    };
    const row = {
      ...named,
      client_id: clientId,
      payload_hash: this.#needs.hash(hashedText(named)),
      proposer_id: proposer.userId,
      state: "PROPOSED",
      created_ms: timeMs,
      expires_ms: timeMs + kind.expiresAfterMs,
      decided_by: null,
      decided_ms: null,
      is_simulated: false,
      reason: "",
      began_ms: null,
      ended_ms: null,
      outcome: "",
    } as const;
    return this.#needs.withRights((rights) => this.#add(rights, kind, row, proposer));
  }

  async #add(rights: Rights, kind: ProposalKind, row: Omit<ProposalRow, "id">, proposer: Operator): Outcome {
    const own = proposalStore(rights.inside);
    if (!(await rights.holds(proposer.userId, kind.permission))) return refused("FORBIDDEN");
    const known = await own.findIntent(row.proposer_id, row.kind, row.client_id);
    if (known !== undefined) return known.payload === row.payload ? done(known) : refused("CLIENT_ID_REUSED");
    if ((await own.countOpen(row.proposer_id)) >= OPEN_MAX) return refused("PROPOSALS_FULL");
    await own.add(row);
    const detail = `${row.kind} ${row.payload_hash.slice(0, 16)}: ${kind.describe(JSON.parse(row.payload))}`;
    await record(rights, proposer, "proposed", row.proposal_id, detail, row.created_ms);
    const added = await own.find(row.proposal_id);
    return added === undefined ? refused("PROPOSAL_UNKNOWN") : done(added);
  }

  /** Approves and carries out; the row holds the result. A repeated approval by the same person changes nothing. */
  async approve(decider: Operator, proposalId: string, payloadHash: string, timeMs: number): Outcome {
    const kind = await this.#permitted(decider, proposalId, true, timeMs);
    if (!kind.done) return kind;
    const approved = await this.#needs.withRights((rights) =>
      this.#approve(rights, kind.value, { decider, proposalId, payloadHash, timeMs }),
    );
    if (!approved.done) return approved;
    await this.#execution.run(proposalId, timeMs);
    const row = await this.#store.find(proposalId);
    return row === undefined ? refused("PROPOSAL_UNKNOWN") : done(row);
  }

  async #approve(
    rights: Rights,
    kind: ProposalKind,
    requested: { decider: Operator; proposalId: string; payloadHash: string; timeMs: number },
  ): Outcome {
    const { decider, proposalId, payloadHash, timeMs } = requested;
    const own = proposalStore(rights.inside);
    const row = await own.find(proposalId);
    if (row === undefined) return refused("PROPOSAL_UNKNOWN");
    const isOwn = row.decided_by === decider.userId && row.payload_hash === payloadHash;
    if (isOwn && ["APPROVED", "EXECUTED", "FAILED"].includes(row.state)) return done(row);
    const wrong = await this.#refusal(rights, row, timeMs);
    if (wrong !== undefined) return refused(wrong);
    const notThem = refusalOfDecider(row, decider.userId);
    if (notThem !== undefined) return refused(notThem);
    if (payloadHash !== row.payload_hash) return refused("PROPOSAL_CHANGED");
    if (!(await rights.holds(decider.userId, kind.permission))) return refused("FORBIDDEN");
    if (!(await rights.holds(row.proposer_id, kind.permission))) return refused("PROPOSER_LOST_RIGHT");
    const values = { state: "APPROVED", decided_by: decider.userId, decided_ms: timeMs } as const;
    const approved = await own.step(proposalId, "PROPOSED", values);
    if (approved === undefined) return refused("PROPOSAL_DECIDED");
    await record(rights, decider, "approved", proposalId, `${row.kind} ${payloadHash.slice(0, 16)}`, timeMs);
    return done(approved);
  }

  async reject(decider: Operator, proposalId: string, reason: string, timeMs: number): Outcome {
    const kind = await this.#permitted(decider, proposalId, false, timeMs);
    if (!kind.done) return kind;
    return this.#needs.withRights(async (rights) => {
      if (!(await rights.holds(decider.userId, kind.value.permission))) return refused("FORBIDDEN");
      return this.#end(rights, { decider, proposalId, reason, timeMs, isProposer: false });
    });
  }

  async withdraw(decider: Operator, proposalId: string, timeMs: number): Outcome {
    const kind = await this.#permitted(decider, proposalId, false, timeMs);
    if (!kind.done) return kind;
    return this.#needs.withRights((rights) =>
      this.#end(rights, { decider, proposalId, reason: "", timeMs, isProposer: true }),
    );
  }

  async #end(
    rights: Rights,
    requested: { decider: Operator; proposalId: string; reason: string; timeMs: number; isProposer: boolean },
  ): Outcome {
    const { decider, proposalId, reason, timeMs, isProposer } = requested;
    const own = proposalStore(rights.inside);
    const row = await own.find(proposalId);
    if (row === undefined) return refused("PROPOSAL_UNKNOWN");
    if (isProposer && row.proposer_id !== decider.userId) return refused("NOT_PROPOSER");
    const notThem = isProposer ? undefined : refusalOfDecider(row, decider.userId);
    if (notThem !== undefined) return refused(notThem);
    const state = isProposer ? "WITHDRAWN" : "REJECTED";
    if (row.state === state && row.decided_by === decider.userId) return done(row);
    const wrong = await this.#refusal(rights, row, timeMs);
    if (wrong !== undefined) return refused(wrong);
    const values = { state, decided_by: decider.userId, decided_ms: timeMs, ended_ms: timeMs, reason } as const;
    const ended = await own.step(proposalId, "PROPOSED", values);
    if (ended === undefined) return refused("PROPOSAL_DECIDED");
    await record(rights, decider, state.toLowerCase(), proposalId, reason, timeMs);
    return done(ended);
  }

  /** Expires what is too old, lets the simulated person decide, resumes what a stopped process left unfinished. */
  async resume(timeMs: number): Promise<void> {
    for (let after = 0; ; ) {
      const rows = await this.#store.listOpen(after, RESUME_PAGE);
      for (const row of rows) {
        await this.#resumeOne(row, timeMs).catch((error: unknown) => {
          this.#needs.report("proposal.failed", { proposalId: row.proposal_id, error });
        });
        after = row.id;
      }
      if (rows.length < RESUME_PAGE) return;
    }
  }

  async #resumeOne(row: ProposalRow, timeMs: number): Promise<void> {
    const { proposal_id, state, created_ms, expires_ms } = row;
    if (state === "PROPOSED" && timeMs >= expires_ms)
      await this.#needs.withRights((rights) => this.#refusal(rights, row, timeMs));
    const isDue = this.#needs.hasSimulatedReviewer && timeMs - created_ms >= SIMULATED_DECIDES_MS;
    if (state === "PROPOSED" && isDue) await this.#needs.withRights((rights) => this.#simulate(rights, row, timeMs));
    if (state === "APPROVED" || isDue) await this.#execution.run(proposal_id, timeMs);
  }

  async #simulate(rights: Rights, { proposal_id, kind }: ProposalRow, timeMs: number): Promise<void> {
    const own = proposalStore(rights.inside);
    const row = await own.find(proposal_id);
    const known = this.#kinds.get(kind);
    if (row === undefined || known === undefined) return;
    if ((await this.#refusal(rights, row, timeMs)) !== undefined) return;
    const isHeld = await rights.holds(row.proposer_id, known.permission);
    const decided = { decided_by: SIMULATED_REVIEWER, decided_ms: timeMs, is_simulated: true };
    const values = isHeld
      ? ({ ...decided, state: "APPROVED" } as const)
      : ({
          ...decided,
          state: "REJECTED",
          ended_ms: timeMs,
          reason: "The proposer no longer has the required role.",
        } as const);
    if ((await own.step(proposal_id, "PROPOSED", values)) === undefined) return;
    const nobody = { userId: SIMULATED_REVIEWER, address: "" };
    await record(rights, nobody, values.state.toLowerCase(), proposal_id, "simulated reviewer", timeMs);
  }

  /** Why it can no longer be decided; one past its time becomes EXPIRED when read. */
  async #refusal(rights: Rights, row: ProposalRow, timeMs: number): Promise<ProposalRefusal | undefined> {
    if (row.state === "EXPIRED") return "PROPOSAL_EXPIRED";
    if (row.state !== "PROPOSED") return "PROPOSAL_DECIDED";
    if (this.#needs.hash(hashedText(row)) !== row.payload_hash) return "PROPOSAL_CHANGED";
    if (timeMs < row.expires_ms) return undefined;
    const values = { state: "EXPIRED", ended_ms: timeMs } as const;
    const expired = await proposalStore(rights.inside).step(row.proposal_id, "PROPOSED", values);
    const nobody = { userId: SIMULATED_REVIEWER, address: "" };
    if (expired !== undefined) await record(rights, nobody, "expired", row.proposal_id, row.kind, timeMs);
    return "PROPOSAL_EXPIRED";
  }

  async #permitted(
    decider: Operator,
    proposalId: string,
    isApproval: boolean,
    timeMs: number,
  ): Promise<Result<ProposalKind, ProposalRefusal>> {
    const row = await this.#store.find(proposalId);
    const kind = this.#kinds.get(row?.kind ?? "");
    if (kind === undefined) return refused("PROPOSAL_UNKNOWN");
    const isFresh = isApproval && kind.needsFreshProof;
    const permitted = await this.#needs.permit(decider, kind.permission, isFresh, timeMs);
    return permitted.done ? done(kind) : permitted;
  }
}

export function deciderOf(context: RouteContext): Operator {
  return { ...callerOf(context), address: context.ip };
}

function describeMade({ proposal_id, payload_hash, state }: ProposalRow): ProposalMade {
  return { proposalId: proposal_id, payloadHash: payload_hash, state };
}

function record(
  rights: Rights,
  { userId, address }: Pick<Operator, "userId" | "address">,
  what: string,
  proposalId: string,
  detail: string,
  timeMs: number,
): Promise<void> {
  return rights.record(
    { operatorId: userId, action: `proposal.${what}`, subject: proposalId, detail, address },
    timeMs,
  );
}
