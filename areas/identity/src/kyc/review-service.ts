// Reviews of identities by operators. No reviewer handles their own case; every access to submitted data is logged
// first, and a decision is one transaction with its log row, under the lock of rights.

import { done, type Result, refused } from "@clockwork/kit/result";
import type { Operator, Rights } from "../operators/role-service.ts";
import type { BaseInfo, FileKind, Waiting } from "./contract.ts";
import type { KycNeeds } from "./needs.ts";
import type { ReviewRefusal } from "./refusals.ts";
import { readDetails, SIMULATED_AT_ONCE, SIMULATED_REVIEW_MS, sealContext } from "./rules.ts";
import type { KycService } from "./service.ts";
import { type KycStore, kycStore, type PersonRow, type StoredState } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, ReviewRefusal>>;

export interface Decision {
  readonly decision: "APPROVED" | "REJECTED" | "MORE_INFO";
  readonly reason: string;
}

const WAITING_MAX = 100;
const NOTICES = { APPROVED: "kyc-approved", REJECTED: "kyc-rejected", MORE_INFO: "kyc-more-info" } as const;
/** The simulated reviewer has no account. */
const NOBODY = { userId: 0, address: "" };
const SIMULATED = "Decided by a simulated reviewer; the documents were not checked.";

export class ReviewService {
  readonly #store: KycStore;
  readonly #needs: KycNeeds;
  readonly #kyc: Pick<KycService, "baseInfo">;

  constructor(parts: {
    readonly store: KycStore;
    readonly needs: KycNeeds;
    readonly kyc: Pick<KycService, "baseInfo">;
  }) {
    this.#store = parts.store;
    this.#needs = parts.needs;
    this.#kyc = parts.kyc;
  }

  async listWaiting(reviewer: Operator, timeMs: number): Outcome<Waiting> {
    const permitted = await this.#needs.permit(reviewer, timeMs);
    if (!permitted.done) return permitted;
    const rows = await this.#store.listWaiting(WAITING_MAX);
    const waiting = await Promise.all(
      rows.map(async (row) => ({
        user: String(row.user_id),
        name: await this.#needs.nameOf(row.user_id),
        target: row.target,
        state: row.state,
        submittedAtMs: row.submitted_at_ms,
      })),
    );
    return done({ waiting });
  }

  /** Starts the review of a person; the submitted data is returned and the access logged. */
  async review(reviewer: Operator, userId: number, timeMs: number): Outcome<BaseInfo> {
    const permitted = await this.#permit(reviewer, userId, timeMs);
    if (!permitted.done) return permitted;
    if ((await this.#store.find(userId)) === undefined) return refused("KYC_UNKNOWN");
    await this.#audit(reviewer, "kyc.viewed", userId, "details", timeMs);
    await this.#store.step(userId, ["SUBMITTED"], { state: "REVIEW" });
    return done(await this.#kyc.baseInfo(userId, timeMs));
  }

  async readFile(
    reviewer: Operator,
    userId: number,
    kind: FileKind,
    timeMs: number,
  ): Outcome<{ readonly mediaType: string; readonly data: string }> {
    const permitted = await this.#permit(reviewer, userId, timeMs);
    if (!permitted.done) return permitted;
    const file = await this.#store.findFile(userId, kind);
    if (file === undefined) return refused("KYC_UNKNOWN");
    await this.#audit(reviewer, "kyc.viewed", userId, kind, timeMs);
    const { userId: viewer_id, address } = reviewer;
    await this.#store.addView({ file_id: file.id, viewer_id, address, at_ms: timeMs });
    const bytes = this.#needs.open(file.sealed, `${sealContext(userId)}:${kind}`);
    return done({ mediaType: file.media_type, data: Buffer.from(bytes).toString("base64") });
  }

  async decide(reviewer: Operator, userId: number, wanted: Decision, timeMs: number): Outcome<null> {
    const permitted = await this.#permit(reviewer, userId, timeMs);
    if (!permitted.done) return permitted;
    // A rejection requires a reason.
    if (wanted.decision !== "APPROVED" && wanted.reason.trim() === "") return refused("KYC_REASON_MISSING");
    const reason = wanted.decision === "APPROVED" ? "" : wanted.reason;
    const decided = await this.#needs.withRights(async (rights) => {
      if (!(await rights.holds(reviewer.userId, "kyc.review"))) return refused("FORBIDDEN" as const);
      const row = await kycStore(rights.inside).find(userId);
      const isDecided = await this.#step(rights, row, "REVIEW", { ...wanted, reason }, reviewer, timeMs);
      return isDecided ? done(null) : refused("KYC_UNKNOWN" as const);
    });
    if (!decided.done) return decided;
    await this.#needs.notify(userId, NOTICES[wanted.decision], reason, timeMs);
    return done(null);
  }

  /** In a run whose coins have no value: approves what waits, unless an operator has taken it. */
  async decideSimulated(timeMs: number): Promise<void> {
    for (const { user_id, state, target, submitted_at_ms } of await this.#store.listWaiting(WAITING_MAX)) {
      const waitMs = target <= SIMULATED_AT_ONCE ? 0 : SIMULATED_REVIEW_MS;
      if (state !== "SUBMITTED" || timeMs - submitted_at_ms < waitMs) continue;
      const wanted = { decision: "APPROVED", reason: SIMULATED } as const;
      const isDecided = await this.#needs.withRights(async (rights) => {
        const row = await kycStore(rights.inside).find(user_id);
        return this.#step(rights, row, "SUBMITTED", wanted, NOBODY, timeMs);
      });
      if (isDecided) await this.#needs.notify(user_id, NOTICES.APPROVED, SIMULATED, timeMs);
    }
  }

  /** False when it has changed since it was read. */
  async #step(
    { inside, record }: Rights,
    row: PersonRow | undefined,
    from: StoredState,
    { decision, reason }: Decision,
    by: Pick<Operator, "userId" | "address">,
    timeMs: number,
  ): Promise<boolean> {
    if (row?.state !== from) return false;
    const level = { level: row.target, expires_on: readDetails(row, this.#needs.open).documentExpires ?? "" };
    const values = { state: decision, reason, decided_at_ms: timeMs, ...(decision === "APPROVED" ? level : {}) };
    const decided = await kycStore(inside).step(row.user_id, [from], values, row.submitted_at_ms);
    if (decided === undefined) return false;
    const entry = { operatorId: by.userId, subject: String(row.user_id), address: by.address };
    await record({ ...entry, action: `kyc.${decision.toLowerCase()}`, detail: reason }, timeMs);
    return true;
  }

  /** A level is given by another person than its applicant. */
  async #permit(reviewer: Operator, userId: number, timeMs: number): Outcome<null> {
    const permitted = await this.#needs.permit(reviewer, timeMs);
    if (!permitted.done) return permitted;
    return reviewer.userId === userId ? refused("KYC_OWN_REVIEW") : done(null);
  }

  #audit(reviewer: Operator, action: string, userId: number, detail: string, timeMs: number): Promise<void> {
    const { userId: operatorId, address } = reviewer;
    return this.#needs.audit({ operatorId, action, subject: String(userId), detail, address }, timeMs);
  }
}
