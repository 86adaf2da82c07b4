// Identity verification: written step by step, submitted, reviewed by operators. Everything a person hands over is
// encrypted before it is stored, and every look at it is written down first.

import { done, type Result, refused } from "@clockwork/kit/result";
import type { IncomingFile } from "@clockwork/kit/route";
import { DAY_MS, formatDate } from "@clockwork/kit/time";
import type { BaseInfo, Details, FileKind, Waiting } from "./api.ts";
import { LivenessService } from "./liveness-service.ts";
import type { KycNeeds, Reviewer, ReviewerRefusal } from "./needs.ts";
import {
  documentKey,
  isFuture,
  isOldEnough,
  LEVEL_MAX,
  LEVELS,
  LIVENESS_LEVEL,
  missingOf,
  SUBMISSIONS_PER_DAY,
  withdrawalOf,
} from "./rules.ts";
import type { KycStore, PersonRow, StoredState } from "./store.ts";

export type KycRefusal =
  | "KYC_LOCKED"
  | "KYC_COMPLETE"
  | "KYC_INCOMPLETE"
  | "KYC_TOO_YOUNG"
  | "KYC_COUNTRY_BLOCKED"
  | "KYC_DOCUMENT_EXPIRED"
  | "KYC_DOCUMENT_USED"
  | "KYC_TOO_OFTEN"
  | "KYC_FILE_INVALID"
  | "KYC_FILE_BUSY"
  | "KYC_UNKNOWN"
  | "KYC_REASON_MISSING"
  | ReviewerRefusal;

type Outcome<Value> = Promise<Result<Value, KycRefusal>>;

const WAITING_MAX = 100;
const UNDER_REVIEW: readonly StoredState[] = ["SUBMITTED", "REVIEW"];

export class KycService {
  readonly #store: KycStore;
  readonly #needs: KycNeeds;
  readonly liveness: LivenessService;

  constructor({ store, needs }: { readonly store: KycStore; readonly needs: KycNeeds }) {
    this.#store = store;
    this.#needs = needs;
    this.liveness = new LivenessService({ store, liveness: needs.liveness });
  }

  /** What others may rely on: nothing once the document has expired. */
  async levelOf(userId: number, timeMs: number): Promise<number> {
    const row = await this.#store.find(userId);
    return row === undefined || hasExpired(row, timeMs) ? 0 : row.level;
  }

  /** What somebody may withdraw in a day, as decimal text in USDT; the VIP factor of the highest level comes on top. */
  async withdrawalLimitOf(userId: number, timeMs: number): Promise<string> {
    return withdrawalOf(await this.levelOf(userId, timeMs), this.#needs.isStrict);
  }

  /** True when the person should be shown what to do next wherever they are (AUTH-13). */
  async wantsAttention(userId: number, timeMs: number): Promise<boolean> {
    const row = await this.#store.find(userId);
    if (row === undefined || row.state === "DRAFT") return this.#needs.isStrict && (row?.level ?? 0) === 0;
    return row.state === "MORE_INFO" || row.state === "REJECTED" || hasExpired(row, timeMs);
  }

  async baseInfo(userId: number, timeMs: number): Promise<BaseInfo> {
    const [row, files, used, liveness] = await Promise.all([
      this.#store.find(userId),
      this.#store.listFileKinds(userId),
      this.#store.countSubmissions(userId, timeMs - DAY_MS),
      this.liveness.read(userId),
    ]);
    const isExpired = row !== undefined && hasExpired(row, timeMs);
    return {
      level: row === undefined || isExpired ? 0 : row.level,
      state: row === undefined ? "NONE" : isExpired && row.state === "APPROVED" ? "EXPIRED" : row.state,
      target: targetOf(row, timeMs),
      reason: row?.reason ?? "",
      submissionsLeft: Math.max(0, SUBMISSIONS_PER_DAY - used),
      details: row === undefined ? {} : this.#details(row),
      files,
      levels: LEVELS.map((rule) => ({
        ...rule,
        fields: [...rule.fields],
        files: [...rule.files],
        opens: [...rule.opens],
        withdrawalUsdtPerDay: withdrawalOf(rule.level, this.#needs.isStrict),
      })),
      liveness,
      isStrict: this.#needs.isStrict,
    };
  }

  isBlocked(country: string): boolean {
    return this.#needs.blockedCountries.includes(country);
  }

  /** Adds to what was written; a person under review waits for its end. */
  async saveDraft(userId: number, details: Details, timeMs: number): Outcome<null> {
    const row = await this.#store.find(userId);
    if (row !== undefined && UNDER_REVIEW.includes(row.state)) return refused("KYC_LOCKED");
    const target = targetOf(row, timeMs);
    if (target > LEVEL_MAX) return refused("KYC_COMPLETE");
    const merged = { ...(row === undefined ? {} : this.#details(row)), ...details };
    await this.#store.save({
      user_id: userId,
      level: row === undefined || hasExpired(row, timeMs) ? 0 : row.level,
      target,
      state: row?.state === "MORE_INFO" ? "MORE_INFO" : "DRAFT",
      reason: row?.reason ?? "",
      sealed: this.#needs.seal(new TextEncoder().encode(JSON.stringify(merged)), context(userId)),
      expires_on: row?.expires_on ?? "",
      submitted_at_ms: row?.submitted_at_ms ?? 0,
      decided_at_ms: row?.decided_at_ms ?? 0,
    });
    return done(null);
  }

  /** Whoever is under review is told so before a byte is read. */
  async upload(userId: number, kind: FileKind, file: IncomingFile, timeMs: number): Outcome<null> {
    const row = await this.#store.find(userId);
    if (row !== undefined && UNDER_REVIEW.includes(row.state)) return refused("KYC_LOCKED");
    const picture = await this.#needs.redrawPicture(await file.read());
    if (picture === "invalid") return refused("KYC_FILE_INVALID");
    if (picture === "busy") return refused("KYC_FILE_BUSY");
    const isKept = await this.#store.saveFile(
      {
        id: this.#needs.randomId(),
        user_id: userId,
        kind,
        media_type: picture.mediaType,
        sealed: this.#needs.seal(picture.bytes, `${context(userId)}:${kind}`),
        created_at_ms: timeMs,
      },
      UNDER_REVIEW,
    );
    return isKept ? done(null) : refused("KYC_LOCKED");
  }

  async submit(userId: number, timeMs: number): Outcome<null> {
    const row = await this.#store.find(userId);
    if (row === undefined) return refused("KYC_INCOMPLETE");
    if (row.state !== "DRAFT" && row.state !== "MORE_INFO") return refused("KYC_LOCKED");
    const details = this.#details(row);
    const missing = missingOf(row.target, details, await this.#store.listFileKinds(userId));
    const needsLiveness = row.target === LIVENESS_LEVEL && (await this.liveness.read(userId)).state !== "passed";
    const wanted = [...missing.fields, ...missing.files, ...(needsLiveness ? ["liveness"] : [])];
    if (wanted.length > 0) return refused("KYC_INCOMPLETE", wanted.join(", "));
    const wrong = this.#wrong(details, timeMs);
    if (wrong !== undefined) return refused(wrong);
    const used = await this.#store.countSubmissions(userId, timeMs - DAY_MS);
    if (used >= SUBMISSIONS_PER_DAY) return refused("KYC_TOO_OFTEN");
    const mark = this.#needs.mark(documentKey(details), "kyc-document");
    if (!(await this.#store.claimDocument(mark, userId))) return refused("KYC_DOCUMENT_USED");
    await this.#store.releaseDocuments(userId, mark);
    await this.#store.addSubmission(userId, timeMs);
    const values = { state: "SUBMITTED", reason: "", submitted_at_ms: timeMs } as const;
    await this.#store.step(userId, ["DRAFT", "MORE_INFO"], values);
    return done(null);
  }

  // For reviewers

  async listWaiting(reviewer: Reviewer, timeMs: number): Outcome<Waiting> {
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

  /** Takes a person under review; what they wrote is shown and the look is written down. */
  async review(reviewer: Reviewer, userId: number, timeMs: number): Outcome<BaseInfo> {
    const permitted = await this.#needs.permit(reviewer, timeMs);
    if (!permitted.done) return permitted;
    if ((await this.#store.find(userId)) === undefined) return refused("KYC_UNKNOWN");
    await this.#audit(reviewer, "kyc.viewed", userId, "details", timeMs);
    await this.#store.step(userId, ["SUBMITTED"], { state: "REVIEW" });
    return done(await this.baseInfo(userId, timeMs));
  }

  async readFile(
    reviewer: Reviewer,
    userId: number,
    kind: FileKind,
    timeMs: number,
  ): Outcome<{ readonly mediaType: string; readonly data: string }> {
    const permitted = await this.#needs.permit(reviewer, timeMs);
    if (!permitted.done) return permitted;
    const file = await this.#store.findFile(userId, kind);
    if (file === undefined) return refused("KYC_UNKNOWN");
    await this.#audit(reviewer, "kyc.viewed", userId, kind, timeMs);
    const { userId: viewer_id, address } = reviewer;
    await this.#store.addView({ file_id: file.id, viewer_id, address, at_ms: timeMs });
    const bytes = this.#needs.open(file.sealed, `${context(userId)}:${kind}`);
    return done({ mediaType: file.media_type, data: Buffer.from(bytes).toString("base64") });
  }

  async decide(
    reviewer: Reviewer,
    userId: number,
    decision: "APPROVED" | "REJECTED" | "MORE_INFO",
    reason: string,
    timeMs: number,
  ): Outcome<null> {
    const permitted = await this.#needs.permit(reviewer, timeMs);
    if (!permitted.done) return permitted;
    const row = await this.#store.find(userId);
    if (row?.state !== "REVIEW") return refused("KYC_UNKNOWN");
    // Whoever is turned away is told why.
    if (decision !== "APPROVED" && reason.trim() === "") return refused("KYC_REASON_MISSING");
    await this.#audit(reviewer, `kyc.${decision.toLowerCase()}`, userId, reason, timeMs);
    const isApproved = decision === "APPROVED";
    const decided = await this.#store.step(userId, ["REVIEW"], {
      state: decision,
      reason: isApproved ? "" : reason,
      decided_at_ms: timeMs,
      ...(isApproved ? { level: row.target, expires_on: this.#details(row).documentExpires ?? "" } : {}),
    });
    if (decided === undefined) return refused("KYC_UNKNOWN");
    const word = { APPROVED: "kyc-approved", REJECTED: "kyc-rejected", MORE_INFO: "kyc-more-info" } as const;
    await this.#needs.tell(userId, word[decision], isApproved ? "" : reason, timeMs);
    return done(null);
  }

  #wrong(details: Details, timeMs: number): KycRefusal | undefined {
    if (!isOldEnough(details.birthDate ?? "", timeMs)) return "KYC_TOO_YOUNG";
    if (this.isBlocked(details.country ?? "")) return "KYC_COUNTRY_BLOCKED";
    const { documentExpires } = details;
    return documentExpires !== undefined && !isFuture(documentExpires, timeMs) ? "KYC_DOCUMENT_EXPIRED" : undefined;
  }

  #details(row: PersonRow): Details {
    return JSON.parse(new TextDecoder().decode(this.#needs.open(row.sealed, context(row.user_id)))) as Details;
  }

  #audit(reviewer: Reviewer, action: string, userId: number, detail: string, timeMs: number): Promise<void> {
    return this.#needs.audit(reviewer.userId, action, String(userId), detail, reviewer.address, timeMs);
  }
}

function context(userId: number): string {
  return `kyc:${userId}`;
}

function hasExpired(row: PersonRow, timeMs: number): boolean {
  return row.expires_on !== "" && row.expires_on <= formatDate(timeMs);
}

/** The level at work: what is written or reviewed, else the next one. */
function targetOf(row: PersonRow | undefined, timeMs: number): number {
  if (row === undefined || hasExpired(row, timeMs))
    return row?.state === "APPROVED" || row === undefined ? 1 : row.target;
  return row.state === "APPROVED" ? row.level + 1 : row.target;
}
