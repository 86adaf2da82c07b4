// REST of API keys: schema → service → envelope.
import { answer, answerSession, callerOf, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { API_KEY_CALLS, type DialectCall } from "./contract.ts";
import { type ApiKeyRefusal, REFUSALS } from "./refusals.ts";
import type { ApiKeyService } from "./service.ts";

const FIELDS: Partial<Record<ApiKeyRefusal, string>> = {
  PUBLIC_KEY_INVALID: "publicKey",
  IP_LIST_INVALID: "ipList",
  IP_LIST_REQUIRED: "ipList",
  KYC_LEVEL_REQUIRED: "permissions",
};

const OWN = { tag: "api keys", scope: "user" } as const;

function refuseKey(refusal: { readonly code: ApiKeyRefusal }) {
  const field = FIELDS[refusal.code];
  return refuseBy(
    REFUSALS,
    refusal,
    field === undefined ? undefined : { [`body.${field}`]: REFUSALS[refusal.code][1] },
  );
}

/** The calls of the dialect, for the page that documents them. */
export function dialectRoutes(list: () => readonly DialectCall[]): readonly RouteSpec[] {
  return [
    serve(API_KEY_CALLS.dialect, {
      tag: "api keys",
      summary: "Every call of the dialect programs speak",
      handle: async () => answer([...list()]),
    }),
  ];
}

export function apiKeyRoutes(keys: ApiKeyService): readonly RouteSpec[] {
  return [
    serve(API_KEY_CALLS.list, {
      ...OWN,
      summary: "The caller's API keys, without their secrets",
      handle: async (_, { userId, ip, timeMs }) => answer(await keys.list(Number(userId), ip, timeMs)),
    }),
    serve(API_KEY_CALLS.add, {
      ...OWN,
      summary: "Makes a key after a fresh proof; an HMAC key's secret is told here and never again",
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, context) => {
        const added = await keys.add(callerOf(context), body, context.timeMs);
        return added.done ? answerSession(added.value.value, added.value.tokens) : refuseKey(added);
      },
    }),
    serve(API_KEY_CALLS.update, {
      ...OWN,
      summary: "Changes label, permissions, addresses or rate of a key after a fresh proof, and begins its life anew",
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, context) => {
        const changed = await keys.update(callerOf(context), body, context.timeMs);
        return changed.done ? answerSession(changed.value.value, changed.value.tokens) : refuseKey(changed);
      },
    }),
    serve(API_KEY_CALLS.remove, {
      ...OWN,
      summary: "Ends a key at once, with every connection made by it",
      handle: async ({ body }, context) => {
        const removed = await keys.remove(callerOf(context), body.apiKey, context.timeMs);
        return removed.done ? answer(null) : refuseKey(removed);
      },
    }),
  ];
}
