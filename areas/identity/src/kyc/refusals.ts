// Refusals of identity verification, with status and message.
import { GUARD_REFUSALS } from "@clockwork/kit/caller";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { MIXED_WORDS } from "@clockwork/kit/picture";

export const REFUSALS = {
  KYC_LOCKED: [409, "Your submission is under review. Wait for the decision."],
  KYC_COMPLETE: [409, "You already have the highest level."],
  KYC_INCOMPLETE: [400, "Some required information is missing."],
  KYC_NATIVE_NAME_INVALID: [400, "Use only letters and Chinese characters, without spaces."],
  KYC_TOO_YOUNG: [403, "You must be 18 or older."],
  KYC_COUNTRY_BLOCKED: [403, "Our services are not available in this country."],
  KYC_DOCUMENT_NOT_ACCEPTED: [400, "This document type is not accepted for this country."],
  KYC_DOCUMENT_EXPIRED: [400, "This document has expired. Use a valid document."],
  KYC_DOCUMENT_USED: [409, "This document is already used by another account."],
  KYC_TOO_OFTEN: [429, "Daily limit of five submissions reached. Try again tomorrow."],
  KYC_FILE_INVALID: [400, "Upload a JPEG, PNG or WebP image of up to 4 MB and 50 megapixels."],
  KYC_FILE_MIXED: [400, MIXED_WORDS],
  KYC_FILE_BUSY: [503, "The service is busy processing images. Try again in a few seconds."],
} as const satisfies RefusalTable<string>;

export const LIVENESS_REFUSALS = {
  KYC_LIVENESS_AWAY: [503, "The liveness check is unavailable. Try again later."],
  KYC_LIVENESS_UNKNOWN: [409, "Start the liveness check first."],
} as const satisfies RefusalTable<string>;

export const REVIEW_REFUSALS = {
  ...GUARD_REFUSALS,
  KYC_UNKNOWN: [404, "There is nothing to review here."],
  KYC_OWN_REVIEW: [403, "Another operator must review your submission."],
  KYC_REASON_MISSING: [400, "Enter a reason so that the user knows what to do."],
} as const satisfies RefusalTable<string>;

export type KycRefusal = keyof typeof REFUSALS;
export type LivenessRefusal = keyof typeof LIVENESS_REFUSALS;
export type ReviewRefusal = keyof typeof REVIEW_REFUSALS;
