// Refusals of identity verification, with status and message.
import { GUARD_REFUSALS } from "@clockwork/kit/caller";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { MIXED_WORDS } from "@clockwork/kit/picture";

export const REFUSALS = {
  KYC_LOCKED: [409, "This is being reviewed or needs no change now; wait for the decision."],
  KYC_COMPLETE: [409, "You have the highest level; there is nothing to add."],
  KYC_INCOMPLETE: [400, "Something is still missing."],
  KYC_NATIVE_NAME_INVALID: [400, "The name has only letters and Chinese characters, without spaces."],
  KYC_TOO_YOUNG: [403, "You must be 18 or older."],
  KYC_COUNTRY_BLOCKED: [403, "We cannot serve people from this country."],
  KYC_DOCUMENT_NOT_ACCEPTED: [400, "This kind of document is not accepted from this country."],
  KYC_DOCUMENT_EXPIRED: [400, "This document has expired; use a valid one."],
  KYC_DOCUMENT_USED: [409, "This document belongs to another account."],
  KYC_TOO_OFTEN: [429, "Five submissions a day; try again tomorrow."],
  KYC_FILE_INVALID: [400, "Send a JPEG, PNG or WebP picture of at most 4 MB and 50 megapixels."],
  KYC_FILE_MIXED: [400, MIXED_WORDS],
  KYC_FILE_BUSY: [503, "Too many pictures are being drawn at this moment; send it again in a few seconds."],
} as const satisfies RefusalTable<string>;

export const LIVENESS_REFUSALS = {
  KYC_LIVENESS_AWAY: [503, "The check of your face cannot be reached now; try again in a while."],
  KYC_LIVENESS_UNKNOWN: [409, "Begin the check of your face first."],
} as const satisfies RefusalTable<string>;

export const REVIEW_REFUSALS = {
  ...GUARD_REFUSALS,
  KYC_UNKNOWN: [404, "There is nothing to review here."],
  KYC_OWN_REVIEW: [403, "Somebody else has to review you."],
  KYC_REASON_MISSING: [400, "Say why, so that the person knows what to do."],
} as const satisfies RefusalTable<string>;

export type KycRefusal = keyof typeof REFUSALS;
export type LivenessRefusal = keyof typeof LIVENESS_REFUSALS;
export type ReviewRefusal = keyof typeof REVIEW_REFUSALS;
