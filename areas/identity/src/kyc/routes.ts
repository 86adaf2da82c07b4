// REST of identity verification: schema → service → envelope.

import { answer, defineRoute, type RouteContext, type RouteSpec, refuse } from "@clockwork/host/route";
import { present } from "@clockwork/kit/assert";
import { documentTypesOf } from "@clockwork/kit/identity-documents";
import { MIXED_WORDS, PICTURE_MEDIA_TYPES } from "@clockwork/kit/picture";
import { Type } from "typebox";
import {
  BaseInfo,
  DecideBody,
  Details,
  DocumentTypes,
  DocumentTypesQuery,
  FILE_BYTES_MAX,
  LivenessBegun,
  LivenessBody,
  LivenessState,
  ReviewFile,
  ReviewFileQuery,
  ReviewQuery,
  UploadQuery,
  Waiting,
} from "./contract.ts";
import type { LivenessRefusal } from "./liveness-service.ts";
import type { Reviewer } from "./needs.ts";
import type { ReviewRefusal, ReviewService } from "./review-service.ts";
import type { KycRefusal, KycService } from "./service.ts";

const REFUSALS: Readonly<
  Record<KycRefusal | LivenessRefusal | ReviewRefusal, readonly [status: number, message: string]>
> = {
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
  KYC_UNKNOWN: [404, "There is nothing to review here."],
  KYC_OWN_REVIEW: [403, "Somebody else has to review you."],
  KYC_REASON_MISSING: [400, "Say why, so that the person knows what to do."],
  KYC_LIVENESS_AWAY: [503, "The check of your face cannot be reached now; try again in a while."],
  KYC_LIVENESS_UNKNOWN: [409, "Begin the check of your face first."],
  FORBIDDEN: [403, "Your role does not allow this."],
  OPERATOR_TOTP_REQUIRED: [403, "Operators need an authenticator; bind one in the security centre first."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you."],
};

function refuseKyc({ code, detail }: { code: KycRefusal | LivenessRefusal | ReviewRefusal; detail?: string }) {
  const [status, message] = REFUSALS[code];
  const missing = code === "KYC_INCOMPLETE" && detail !== undefined ? { fields: { missing: detail } } : {};
  const fields = code === "KYC_DOCUMENT_NOT_ACCEPTED" ? { fields: { documentType: message } } : missing;
  return refuse({ code, status, message, ...fields, ...retryOf(code) });
}

function retryOf(code: KycRefusal | LivenessRefusal | ReviewRefusal): { readonly retryAfterSeconds?: number } {
  if (code === "KYC_TOO_OFTEN") return { retryAfterSeconds: 86_400 };
  return code === "KYC_FILE_BUSY" ? { retryAfterSeconds: 5 } : {};
}

const PATH = "/v2/users/kyc";
const OWN = { tag: "kyc", scope: "user" } as const;

export function kycRoutes(kyc: KycService, reviews: ReviewService): readonly RouteSpec[] {
  return [...readingRoutes(kyc), ...writingRoutes(kyc), ...livenessRoutes(kyc), ...reviewRoutes(reviews)];
}

function livenessRoutes({ liveness }: KycService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/liveness/begin`,
      summary: "Begins the check that a living person is there: a provider's page, or what to repeat",
      body: Type.Object({}),
      output: LivenessBegun,
      rate: { callsMax: 20, windowMs: 60_000 },
      handle: async (_, { userId, timeMs }) => {
        const begun = await liveness.begin(Number(userId), timeMs);
        return begun.done ? answer(begun.value) : refuseKyc(begun);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/liveness/complete`,
      summary: "How that check went",
      body: LivenessBody,
      output: LivenessState,
      handle: async ({ body }, { userId, timeMs }) => {
        const state = await liveness.complete(Number(userId), body.answers ?? [], timeMs);
        return state.done ? answer(state.value) : refuseKyc(state);
      },
    }),
  ];
}

function readingRoutes(kyc: KycService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/base-info`,
      summary: "Level, state, what was written and what each level asks for and opens",
      output: BaseInfo,
      handle: async (_, { userId, timeMs }) => answer(await kyc.baseInfo(Number(userId), timeMs)),
    }),
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/document-types`,
      summary: "Documents accepted from a country",
      query: DocumentTypesQuery,
      output: DocumentTypes,
      handle: async ({ query }) => {
        const isBlocked = kyc.isBlocked(query.country);
        return answer({ isBlocked, types: isBlocked ? [] : [...documentTypesOf(query.country)] });
      },
    }),
  ];
}

function writingRoutes(kyc: KycService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/draft`,
      summary: "Saves what was written so far",
      body: Details,
      output: Type.Null(),
      handle: async ({ body }, { userId, timeMs }) => {
        const saved = await kyc.saveDraft(Number(userId), body, timeMs);
        return saved.done ? answer(null) : refuseKyc(saved);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/upload`,
      summary: "Keeps a picture of a person or paper, drawn anew and encrypted; the newest of a kind counts",
      query: UploadQuery,
      file: { bytesMax: FILE_BYTES_MAX, mediaTypes: PICTURE_MEDIA_TYPES },
      output: Type.Null(),
      rate: { callsMax: 20, windowMs: 60_000 },
      handle: async ({ query, file }, { userId, timeMs }) => {
        const kept = await kyc.upload(Number(userId), query.kind, present(file, "AUTH-11", "no file"), timeMs);
        return kept.done ? answer(null) : refuseKyc(kept);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/submit`,
      summary: "Hands the next level in for review",
      body: Type.Object({}),
      output: Type.Null(),
      handle: async (_, { userId, timeMs }) => {
        const submitted = await kyc.submit(Number(userId), timeMs);
        return submitted.done ? answer(null) : refuseKyc(submitted);
      },
    }),
  ];
}

function reviewRoutes(reviews: ReviewService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/review/waiting`,
      summary: "For operators: who waits for a review",
      output: Waiting,
      handle: async (_, context) => {
        const waiting = await reviews.listWaiting(reviewerOf(context), context.timeMs);
        return waiting.done ? answer(waiting.value) : refuseKyc(waiting);
      },
    }),
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/review/one`,
      changes: true,
      summary: "For operators: takes a person under review and shows what they wrote",
      query: ReviewQuery,
      output: BaseInfo,
      handle: async ({ query }, context) => {
        const shown = await reviews.review(reviewerOf(context), Number(query.user), context.timeMs);
        return shown.done ? answer(shown.value) : refuseKyc(shown);
      },
    }),
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/review/file`,
      changes: true,
      summary: "For operators: one file of a person; the look is written down",
      query: ReviewFileQuery,
      output: ReviewFile,
      handle: async ({ query }, context) => {
        const file = await reviews.readFile(reviewerOf(context), Number(query.user), query.kind, context.timeMs);
        return file.done ? answer(file.value) : refuseKyc(file);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/review/decide`,
      summary: "For operators: approves, rejects, or asks for more",
      body: DecideBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const { user, decision, reason = "" } = body;
        const decided = await reviews.decide(reviewerOf(context), Number(user), { decision, reason }, context.timeMs);
        return decided.done ? answer(null) : refuseKyc(decided);
      },
    }),
  ];
}

function reviewerOf({ userId, session, ip }: RouteContext): Reviewer {
  return { userId: Number(userId), sessionId: session?.id ?? "", address: ip };
}
