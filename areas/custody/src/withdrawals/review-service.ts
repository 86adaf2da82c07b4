// The reviews of withdrawals and their decisions: one person reviews, two from a worth on. In a run whose coins have no
// value a simulated reviewer, marked as such, decides within seconds. Also pausing a network, which takes one, and
// opening it again.

import type { ProposalKind } from "@clockwork/host/proposal";
import { formatUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import type { Static } from "typebox";
import { OpenPayload, ReleasePayload, type ReviewQueue } from "./contract.ts";
import type { RightNeeds } from "./needs.ts";
import { REFUSALS, type WithdrawRefusal } from "./refusals.ts";
import { RISK_MAX, reviewReasons, riskScore, TWO_PEOPLE_UNITS } from "./rules.ts";
import type { WithdrawService } from "./service.ts";
import type { PauseRow, WithdrawalRow, WithdrawStore } from "./store.ts";

export interface ReviewNeeds {
  readonly now: () => number;
  readonly hasSimulatedReviewer: boolean;
  wake(network: string): void;
  changed(userId: number): void;
  signer(): ReviewQueue["signer"];
  /** True while no outgoing movement of a user may start. */
  readonly isHeld: RightNeeds["isHeld"];
}

/** Why it waits although it was released: its owner's account is frozen, or withdrawals are suspended. */
const HELD = "held";

/** User numbers start above. */
const SIMULATED_REVIEWER = 0;
const SIMULATED_DECIDES_MS = 2_000;
const USDT_SCALE = 6;

export class ReviewService {
  readonly #store: WithdrawStore;
  readonly #withdrawals: WithdrawService;
  readonly #needs: ReviewNeeds;
  #pauses: readonly PauseRow[] = [];
  #heldAfter = "";

  constructor(parts: { store: WithdrawStore; withdrawals: WithdrawService; needs: ReviewNeeds }) {
    this.#store = parts.store;
    this.#withdrawals = parts.withdrawals;
    this.#needs = parts.needs;
  }

  /** Loaded by the first turn; until then everything is paused. */
  async load(): Promise<void> {
    this.#pauses = await this.#store.listPauses();
  }

  isPaused(network: string): boolean {
    return this.#pauses.some((row) => row.network === network);
  }

  async pause(network: string, cause: string): Promise<void> {
    await this.#store.pause({ network, cause, since_ms: this.#needs.now() });
    await this.load();
  }

  findPause(network: string): Static<typeof OpenPayload> | undefined {
    const row = this.#pauses.find((one) => one.network === network);
    return row === undefined ? undefined : { network, cause: row.cause, sinceMs: row.since_ms };
  }

  /** One person pauses, two open again: the one who paused may have information the other lacks. */
  openKind(): ProposalKind<typeof OpenPayload, never> {
    return {
      kind: "withdrawals.open",
      permission: "withdrawals.review",
      needsFreshProof: true,
      expiresAfterMs: DAY_MS,
      payload: OpenPayload,
      beneficiariesOf: () => [],
      describe: ({ network, cause }) => `Open withdrawals over ${network} again, which were paused because ${cause}`,
      execute: async ({ network, sinceMs }) => {
        const isLifted = await this.#store.unpause(network, sinceMs);
        await this.load();
        this.#needs.wake(network);
        // Lifted before a stop, or paused again since.
        if (isLifted || !this.isPaused(network)) return { end: "done", outcome: "OPEN" };
        return { end: "refused", code: "PAUSED_ANEW", message: "It was paused anew since; look at that cause first." };
      },
    };
  }

  async queue(): Promise<Omit<ReviewQueue, "gifts">> {
    const rows = await this.#store.listState("REVIEW");
    const held = await this.#heldOwners(rows);
    return {
      waiting: rows.map((row) => ({
        ...this.#withdrawals.describe(held.has(row.user_id) ? { ...row, review: withHeld(row.review) } : row),
        user: String(row.user_id),
        worthUsdt: formatUnits(units(row.worth_units), USDT_SCALE),
        needsTwo: this.needsTwo(row),
      })),
      paused: this.#pauses.map(({ network, cause, since_ms }) => ({ network, cause, sinceMs: since_ms })),
      signer: this.#needs.signer(),
    };
  }

  needsTwo({ worth_units }: WithdrawalRow): boolean {
    return worth_units >= TWO_PEOPLE_UNITS;
  }

  async findWaiting(withdrawalId: string): Promise<Result<WithdrawalRow, WithdrawRefusal>> {
    const row = await this.#store.find(withdrawalId);
    if (row === undefined) return refused("WITHDRAWAL_UNKNOWN");
    return row.state === "REVIEW" ? done(row) : refused("WITHDRAWAL_DECIDED");
  }

  async approve(withdrawalId: string, reviewerId: number): Promise<Result<WithdrawalRow, WithdrawRefusal>> {
    const row = await this.#store.find(withdrawalId);
    if (row?.state === "REVIEW" && (await this.#needs.isHeld(row.user_id))) return refused("OWNER_RESTS");
    return this.#decide(withdrawalId, { state: "QUEUED", reviewer_id: reviewerId });
  }

  async reject(
    withdrawalId: string,
    reviewerId: number,
    reason: string,
  ): Promise<Result<WithdrawalRow, WithdrawRefusal>> {
    const decided = await this.#decide(withdrawalId, { state: "REJECTED", reviewer_id: reviewerId, reason });
    if (decided.done) await this.#withdrawals.settle(decided.value);
    return decided;
  }

  async #decide(withdrawalId: string, values: Partial<WithdrawalRow>): Promise<Result<WithdrawalRow, WithdrawRefusal>> {
    const changed = { ...values, changed_ms: this.#needs.now() };
    if (!(await this.#store.stepWithdrawal(withdrawalId, "REVIEW", changed))) return refused("WITHDRAWAL_DECIDED");
    const row = await this.#store.find(withdrawalId);
    if (row === undefined) return refused("WITHDRAWAL_UNKNOWN");
    this.#needs.changed(row.user_id);
    this.#needs.wake(row.network);
    return done(row);
  }

  /**
   * Checked before it is sent. True where its owner is held: it waits in review again, may be cancelled or refused, and
   * gives the reason.
   */
  async holdBack(row: WithdrawalRow): Promise<boolean> {
    if (!(await this.#needs.isHeld(row.user_id))) return false;
    const values = { state: "REVIEW", review: withHeld(row.review), changed_ms: this.#needs.now() } as const;
    if (await this.#store.stepWithdrawal(row.withdrawal_id, "QUEUED", values)) this.#needs.changed(row.user_id);
    return true;
  }

  /**
   * Withdrawals released before their owner was held continue afterwards. One page at a time: accounts may stay frozen
   * for good, and those behind them get their turn.
   */
  async resume(): Promise<void> {
    const rows = await this.#store.listHeld(this.#heldAfter);
    this.#heldAfter = rows.at(-1)?.withdrawal_id ?? "";
    const held = await this.#heldOwners(rows);
    for (const row of rows) {
      if (held.has(row.user_id)) continue;
      const review = row.review.split(",").filter((reason) => reason !== HELD);
      await this.#decide(row.withdrawal_id, { state: "QUEUED", review: review.join(",") });
    }
  }

  async #heldOwners(rows: readonly WithdrawalRow[]): Promise<ReadonlySet<number>> {
    const held = new Set<number>();
    for (const userId of new Set(rows.map(({ user_id }) => user_id)))
      if (await this.#needs.isHeld(userId)) held.add(userId);
    return held;
  }

  /** Withdrawals the simulated reviewer has had long enough; never those the signer's policy refused. */
  async simulate(): Promise<void> {
    if (!this.#needs.hasSimulatedReviewer) return;
    for (const row of await this.#store.listForSimulated(this.#needs.now() - SIMULATED_DECIDES_MS))
      await this.approve(row.withdrawal_id, SIMULATED_REVIEWER);
  }

  /** Above a worth a second person releases what the first one reviewed. */
  releaseKind(): ProposalKind<typeof ReleasePayload, never> {
    return {
      kind: "withdrawal.release",
      permission: "withdrawals.review",
      needsFreshProof: true,
      expiresAfterMs: DAY_MS,
      payload: ReleasePayload,
      beneficiariesOf: ({ user }) => [Number(user)],
      describe: ({ amount, asset, address, user }) => `Send ${amount} ${asset} of user ${user} to ${address}`,
      execute: async ({ withdrawalId }, { approverId }) => {
        const decided = await this.approve(withdrawalId, approverId);
        const row = await this.#store.find(withdrawalId);
        if (decided.done || row?.reviewer_id === approverId) return { end: "done", outcome: "QUEUED" };
        return { end: "refused", code: decided.code, message: REFUSALS[decided.code][1] };
      },
    };
  }
}

function withHeld(review: string): string {
  const reasons = review.split(",").filter((reason) => reason !== "" && reason !== HELD);
  return [...reasons, HELD].join(",");
}

export interface VerifyNeeds {
  readonly now: () => number;
  limitUnits(userId: number): Promise<bigint>;
  createdMs(userId: number): Promise<number>;
  /** The rest of the coin in the source account. */
  leftUnits(row: WithdrawalRow): Promise<bigint>;
  /** The hook for lists of blocked addresses. Rejects while it cannot answer: the withdrawal waits then. */
  isFlagged(network: string, address: string): Promise<boolean>;
}

/**
 * Checks a withdrawal whose money is frozen: its destination, its amount, and its owner's behaviour. Decides whether it
 * needs a review, and why.
 */
export class VerifyService {
  readonly #store: WithdrawStore;
  readonly #needs: VerifyNeeds;

  constructor({ store, needs }: { readonly store: WithdrawStore; readonly needs: VerifyNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async reasonsOf(row: WithdrawalRow): Promise<readonly string[]> {
    const nowMs = this.#needs.now();
    const { user_id: userId, address, worth_units: worthUnits } = row;
    const [hasDone, hasDoneThere, limitUnits, isFlagged, createdMs, leftUnits, recent] = await Promise.all([
      this.#store.hasDone(userId),
      this.#store.hasDone(userId, address),
      this.#needs.limitUnits(userId),
      this.#needs.isFlagged(row.network, address),
      this.#needs.createdMs(userId),
      this.#needs.leftUnits(row),
      this.#store.listSince(userId, nowMs - DAY_MS),
    ]);
    const score = riskScore({
      ageMs: nowMs - createdMs,
      lastHour: recent.filter(({ created_ms }) => created_ms > nowMs - HOUR_MS).length,
      addresses: new Set(recent.map((one) => one.address)).size,
      takesAll: leftUnits * 20n < row.amount_units,
    });
    const facts = { isFirst: !hasDone, isNewAddress: !hasDoneThere, worthUnits, limitUnits };
    return [...reviewReasons(facts), ...(isFlagged ? ["flagged"] : []), ...(score > RISK_MAX ? ["risk"] : [])];
  }
}
