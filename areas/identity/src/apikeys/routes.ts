// REST of API keys: schema → service → envelope.
import { answer, answerSession, callerOf, defineRoute, type RouteSpec, refuseBy } from "@clockwork/host/route";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { Type } from "typebox";
import {
  AddedKey,
  AddKeyBody,
  ApiKey,
  ApiKeyList,
  DeleteKeyBody,
  DIALECT_CALLS_PATH,
  type DialectCall,
  DialectCalls,
  UpdateKeyBody,
} from "./contract.ts";
import type { ApiKeyRefusal, ApiKeyService } from "./service.ts";

const REFUSALS: RefusalTable<ApiKeyRefusal> = {
  UNAUTHENTICATED: [401, "Sign in first."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  API_KEY_LIMIT: [409, "An account has twenty keys at most; remove one first."],
  API_KEY_UNKNOWN: [404, "There is no such key."],
  PUBLIC_KEY_INVALID: [
    400,
    "An ED25519 or RSA key (2048 to 4096 bits) needs its public key as PEM; an HMAC key takes none.",
  ],
  IP_LIST_INVALID: [400, "Every entry must be an IPv4 or IPv6 address, or a range such as 10.0.0.0/8."],
  IP_LIST_REQUIRED: [400, "A key that may withdraw must be bound to addresses."],
  KYC_LEVEL_REQUIRED: [403, "A key that may withdraw needs identity level 2."],
};

const FIELDS: Partial<Record<ApiKeyRefusal, string>> = {
  PUBLIC_KEY_INVALID: "publicKey",
  IP_LIST_INVALID: "ipList",
  IP_LIST_REQUIRED: "ipList",
  KYC_LEVEL_REQUIRED: "permissions",
};

const PATH = "/v2/users/api-keys";
const OWN = { tag: "api keys", scope: "user" } as const;

function refuseKey(refusal: { readonly code: ApiKeyRefusal }) {
  const field = FIELDS[refusal.code];
  return refuseBy(
    REFUSALS,
    refusal,
    field === undefined ? undefined : { [`body.${field}`]: REFUSALS[refusal.code][1] },
  );
}

/** What programs may call, for the page that tells them. */
export function dialectRoutes(list: () => readonly DialectCall[]): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      tag: "api keys",
      path: DIALECT_CALLS_PATH,
      summary: "Every call of the dialect programs speak",
      output: DialectCalls,
      handle: async () => answer([...list()]),
    }),
  ];
}

export function apiKeyRoutes(keys: ApiKeyService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/list`,
      summary: "The caller's API keys, without their secrets",
      output: ApiKeyList,
      handle: async (_, { userId, ip, timeMs }) => answer(await keys.list(Number(userId), ip, timeMs)),
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/add`,
      summary: "Makes a key after a fresh proof; an HMAC key's secret is told here and never again",
      body: AddKeyBody,
      output: AddedKey,
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, context) => {
        const added = await keys.add(callerOf(context), body, context.timeMs);
        return added.done ? answerSession(added.value.value, added.value.tokens) : refuseKey(added);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/update`,
      summary: "Changes label, permissions, addresses or rate of a key after a fresh proof, and begins its life anew",
      body: UpdateKeyBody,
      output: ApiKey,
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, context) => {
        const changed = await keys.update(callerOf(context), body, context.timeMs);
        return changed.done ? answerSession(changed.value.value, changed.value.tokens) : refuseKey(changed);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/delete`,
      summary: "Ends a key at once, with every connection made by it",
      body: DeleteKeyBody,
      output: Type.Null(),
      handle: async ({ body }, { userId, timeMs }) => {
        const removed = await keys.remove(Number(userId), body.apiKey, timeMs);
        return removed.done ? answer(null) : refuseKey(removed);
      },
    }),
  ];
}
