// Identity verification for the user: filled in step by step, submitted. All submitted data is encrypted before it is
// stored; reviews are in `review-service.ts`.

import type { IncomingFile } from "@clockwork/host/route";
import { documentTypesOf } from "@clockwork/kit/identity-documents";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, formatDate } from "@clockwork/kit/time";
import { checkLettersChinese } from "@clockwork/kit/validate";
import type { BaseInfo, Details, FileKind } from "./contract.ts";
import { LivenessService } from "./liveness-service.ts";
import type { KycNeeds } from "./needs.ts";
import type { KycRefusal } from "./refusals.ts";
import {
  documentKey,
  isFuture,
  isOldEnough,
  LEVEL_MAX,
  LEVELS,
  LIVENESS_LEVEL,
  missingOf,
  readDetails,
  SUBMISSIONS_PER_DAY,
  sealContext,
  withdrawalOf,
} from "./rules.ts";
import type { KycStore, PersonRow, StoredState } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, KycRefusal>>;

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

  /** The effective level: 0 once the document has expired. */
  async levelOf(userId: number, timeMs: number): Promise<number> {
    const row = await this.#store.find(userId);
    return row === undefined || hasExpired(row, timeMs) ? 0 : row.level;
  }

  /** A user's daily withdrawal limit, as decimal text in USDT; the VIP factor is applied on top. */
  async withdrawalLimitOf(userId: number, timeMs: number): Promise<string> {
    return withdrawalOf(await this.levelOf(userId, timeMs), this.#needs.isStrict);
  }

  /** True when the user should see the next step on every page (AUTH-13). */
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

  /** In a run whose coins have no value: a level on request, without documents. */
  giveLevel(userId: number, level: number, timeMs: number): Outcome<null> {
    return untilStill(async () => {
      const row = await this.#store.find(userId);
      const next: PersonRow = {
        user_id: userId,
        level,
        target: Math.max(1, level),
        state: level === 0 ? "DRAFT" : "APPROVED",
        reason: "",
        sealed: row?.sealed ?? this.#needs.seal(new TextEncoder().encode("{}"), sealContext(userId)),
        expires_on: "",
        submitted_at_ms: row?.submitted_at_ms ?? 0,
        decided_at_ms: timeMs,
      };
      return (await this.#store.save(next, row)) ? done(null) : undefined;
    });
  }

  isBlocked(country: string): boolean {
    return this.#needs.blockedCountries.includes(country);
  }

  /** Adds to the draft; a user under review must wait for its end. */
  saveDraft(userId: number, details: Details, timeMs: number): Outcome<null> {
    return untilStill(() => this.#saveDraft(userId, details, timeMs));
  }

  async #saveDraft(userId: number, details: Details, timeMs: number): Promise<Result<null, KycRefusal> | undefined> {
    const row = await this.#store.find(userId);
    if (row !== undefined && UNDER_REVIEW.includes(row.state)) return refused("KYC_LOCKED");
    const target = targetOf(row, timeMs);
    if (target > LEVEL_MAX) return refused("KYC_COMPLETE");
    const { nativeName = "" } = details;
    if (nativeName !== "" && checkLettersChinese(nativeName) !== undefined) return refused("KYC_NATIVE_NAME_INVALID");
    const merged = { ...(row === undefined ? {} : this.#details(row)), ...details };
    const next: PersonRow = {
      user_id: userId,
      level: row === undefined || hasExpired(row, timeMs) ? 0 : row.level,
      target,
      state: row?.state === "MORE_INFO" ? "MORE_INFO" : "DRAFT",
      reason: row?.reason ?? "",
      sealed: this.#needs.seal(new TextEncoder().encode(JSON.stringify(merged)), sealContext(userId)),
      expires_on: row?.expires_on ?? "",
      submitted_at_ms: row?.submitted_at_ms ?? 0,
      decided_at_ms: row?.decided_at_ms ?? 0,
    };
    return (await this.#store.save(next, row)) ? done(null) : undefined;
  }

  /** Under review the upload is refused before a byte is read. */
  async upload(userId: number, kind: FileKind, file: IncomingFile, timeMs: number): Outcome<null> {
    const row = await this.#store.find(userId);
    if (row !== undefined && UNDER_REVIEW.includes(row.state)) return refused("KYC_LOCKED");
    const picture = await this.#needs.redrawPicture(await file.read());
    if (picture === "invalid") return refused("KYC_FILE_INVALID");
    if (picture === "mixed") return refused("KYC_FILE_MIXED");
    if (picture === "busy") return refused("KYC_FILE_BUSY");
    const isKept = await this.#store.saveFile(
      {
        id: this.#needs.randomId(),
        user_id: userId,
        kind,
        media_type: picture.mediaType,
        sealed: this.#needs.seal(picture.bytes, `${sealContext(userId)}:${kind}`),
        created_at_ms: timeMs,
      },
      UNDER_REVIEW,
    );
    return isKept ? done(null) : refused("KYC_LOCKED");
  }

  submit(userId: number, timeMs: number): Outcome<null> {
    return untilStill(() => this.#submit(userId, timeMs));
  }

  async #submit(userId: number, timeMs: number): Promise<Result<null, KycRefusal> | undefined> {
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
    const fault = await this.#store.submit({
      person: row,
      mark: this.#needs.mark(documentKey(details), "kyc-document"),
      submissionsMax: SUBMISSIONS_PER_DAY,
      sinceMs: timeMs - DAY_MS,
      timeMs,
    });
    if (fault === "CHANGED") return undefined;
    if (fault === "TOO_OFTEN") return refused("KYC_TOO_OFTEN");
    return fault === undefined ? done(null) : refused("KYC_DOCUMENT_USED");
  }

  #wrong(details: Details, timeMs: number): KycRefusal | undefined {
    if (!isOldEnough(details.birthDate ?? "", timeMs)) return "KYC_TOO_YOUNG";
    if (this.isBlocked(details.country ?? "")) return "KYC_COUNTRY_BLOCKED";
    const { documentType, documentExpires } = details;
    if (documentType !== undefined && !documentTypesOf(details.country ?? "").includes(documentType))
      return "KYC_DOCUMENT_NOT_ACCEPTED";
    return documentExpires !== undefined && !isFuture(documentExpires, timeMs) ? "KYC_DOCUMENT_EXPIRED" : undefined;
  }

  #details(row: PersonRow): Details {
    return readDetails(row, this.#needs.open);
  }
}

const TRIES_MAX = 20;

/** Retries while the data changed between read and write; each time another write succeeded. */
async function untilStill<Value>(attempt: () => Promise<Result<Value, KycRefusal> | undefined>): Outcome<Value> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  return refused("KYC_LOCKED");
}

function hasExpired(row: PersonRow, timeMs: number): boolean {
  return row.expires_on !== "" && row.expires_on <= formatDate(timeMs);
}

/** The level in progress: the one being filled in or reviewed, else the next one. */
function targetOf(row: PersonRow | undefined, timeMs: number): number {
  if (row === undefined || hasExpired(row, timeMs))
    return row?.state === "APPROVED" || row === undefined ? 1 : row.target;
  return row.state === "APPROVED" ? row.level + 1 : row.target;
}
