// REST of identity verification: schema → service → envelope.

import { answer, type RouteContext, type RouteSpec, refuse, refuseBy, serve } from "@clockwork/host/route";
import { present } from "@clockwork/kit/assert";
import { documentTypesOf } from "@clockwork/kit/identity-documents";
import { PICTURE_MEDIA_TYPES } from "@clockwork/kit/picture";
import type { Operator } from "../operators/role-service.ts";
import { FILE_BYTES_MAX, KYC_CALLS, KYC_REVIEW_CALLS } from "./contract.ts";
import { type KycRefusal, LIVENESS_REFUSALS, REFUSALS, REVIEW_REFUSALS } from "./refusals.ts";
import type { ReviewService } from "./review-service.ts";
import type { KycService } from "./service.ts";

/** When a retry may help. */
const RETRY_SECONDS: { readonly [code in KycRefusal]?: number } = { KYC_TOO_OFTEN: 86_400, KYC_FILE_BUSY: 5 };

function refuseKyc({ code, detail }: { readonly code: KycRefusal; readonly detail?: string }) {
  const [status, message] = REFUSALS[code];
  const missing = code === "KYC_INCOMPLETE" && detail !== undefined ? { fields: { missing: detail } } : {};
  const fields = code === "KYC_DOCUMENT_NOT_ACCEPTED" ? { fields: { documentType: message } } : missing;
  const retryAfterSeconds = RETRY_SECONDS[code];
  return refuse({
    code,
    status,
    message,
    ...fields,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

const OWN = { tag: "kyc", scope: "user" } as const;

export function kycRoutes(kyc: KycService, reviews: ReviewService): readonly RouteSpec[] {
  return [...readingRoutes(kyc), ...writingRoutes(kyc), ...livenessRoutes(kyc), ...reviewRoutes(reviews)];
}

function livenessRoutes({ liveness }: KycService): readonly RouteSpec[] {
  return [
    serve(KYC_CALLS.beginLiveness, {
      ...OWN,
      summary: "Begins the check that a living person is there: a provider's page, or what to repeat",
      rate: { callsMax: 20, windowMs: 60_000 },
      handle: async (_, { userId, timeMs }) => {
        const started = await liveness.begin(Number(userId), timeMs);
        return started.done ? answer(started.value) : refuseBy(LIVENESS_REFUSALS, started);
      },
    }),
    serve(KYC_CALLS.completeLiveness, {
      ...OWN,
      summary: "How that check went",
      handle: async ({ body }, { userId, timeMs }) => {
        const state = await liveness.complete(Number(userId), body.answers ?? [], timeMs);
        return state.done ? answer(state.value) : refuseBy(LIVENESS_REFUSALS, state);
      },
    }),
  ];
}

function readingRoutes(kyc: KycService): readonly RouteSpec[] {
  return [
    serve(KYC_CALLS.baseInfo, {
      ...OWN,
      summary: "Level, state, what was written and what each level asks for and opens",
      handle: async (_, { userId, timeMs }) => answer(await kyc.baseInfo(Number(userId), timeMs)),
    }),
    serve(KYC_CALLS.documentTypes, {
      ...OWN,
      summary: "Documents accepted from a country",
      handle: async ({ query }) => {
        const isBlocked = kyc.isBlocked(query.country);
        return answer({ isBlocked, types: isBlocked ? [] : [...documentTypesOf(query.country)] });
      },
    }),
  ];
}

function writingRoutes(kyc: KycService): readonly RouteSpec[] {
  return [
    serve(KYC_CALLS.draft, {
      ...OWN,
      summary: "Saves what was written so far",
      handle: async ({ body }, { userId, timeMs }) => {
        const saved = await kyc.saveDraft(Number(userId), body, timeMs);
        return saved.done ? answer(null) : refuseKyc(saved);
      },
    }),
    serve(KYC_CALLS.upload, {
      ...OWN,
      summary: "Stores an image of a person or document, re-encoded and encrypted; the newest of a kind counts",
      file: { bytesMax: FILE_BYTES_MAX, mediaTypes: PICTURE_MEDIA_TYPES },
      rate: { callsMax: 20, windowMs: 60_000 },
      handle: async ({ query, file }, { userId, timeMs }) => {
        const kept = await kyc.upload(Number(userId), query.kind, present(file, "AUTH-11", "no file"), timeMs);
        return kept.done ? answer(null) : refuseKyc(kept);
      },
    }),
    serve(KYC_CALLS.submit, {
      ...OWN,
      summary: "Hands the next level in for review",
      handle: async (_, { userId, timeMs }) => {
        const submitted = await kyc.submit(Number(userId), timeMs);
        return submitted.done ? answer(null) : refuseKyc(submitted);
      },
    }),
  ];
}

function reviewRoutes(reviews: ReviewService): readonly RouteSpec[] {
  return [
    serve(KYC_REVIEW_CALLS.waiting, {
      ...OWN,
      summary: "For operators: who waits for a review",
      handle: async (_, context) => {
        const waiting = await reviews.listWaiting(reviewerOf(context), context.timeMs);
        return waiting.done ? answer(waiting.value) : refuseBy(REVIEW_REFUSALS, waiting);
      },
    }),
    serve(KYC_REVIEW_CALLS.one, {
      ...OWN,
      changes: true,
      summary: "For operators: starts a review and shows the submitted details",
      handle: async ({ query }, context) => {
        const shown = await reviews.review(reviewerOf(context), Number(query.user), context.timeMs);
        return shown.done ? answer(shown.value) : refuseBy(REVIEW_REFUSALS, shown);
      },
    }),
    serve(KYC_REVIEW_CALLS.file, {
      ...OWN,
      changes: true,
      summary: "For operators: one file of a person; the look is written down",
      handle: async ({ query }, context) => {
        const file = await reviews.readFile(reviewerOf(context), Number(query.user), query.kind, context.timeMs);
        return file.done ? answer(file.value) : refuseBy(REVIEW_REFUSALS, file);
      },
    }),
    serve(KYC_REVIEW_CALLS.decide, {
      ...OWN,
      summary: "For operators: approves, rejects, or asks for more",
      handle: async ({ body }, context) => {
        const { user, decision, reason = "" } = body;
        const decided = await reviews.decide(reviewerOf(context), Number(user), { decision, reason }, context.timeMs);
        return decided.done ? answer(null) : refuseBy(REVIEW_REFUSALS, decided);
      },
    }),
  ];
}

function reviewerOf({ userId, session, ip }: RouteContext): Operator {
  return { userId: Number(userId), sessionId: session?.id ?? "", address: ip };
}
