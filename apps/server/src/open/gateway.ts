// Our own calls for programs: every call that is public or that keys may make, below /open/v1 under the path it has for
// pages, proved by a key instead of a session. Must never serve a call of another audience.
import type { Call, Calls } from "@clockwork/host/call";
import type { Log } from "@clockwork/host/log";
import type { Refusal } from "@clockwork/host/refusal";
import type { ApiKeyReading, KeyHolder } from "@clockwork/identity/apikeys/reading-service";
import { type Caller, VISITOR } from "@clockwork/kit/caller";
import type { EndpointMethod } from "@clockwork/kit/endpoint";
import type { FastifyInstance } from "fastify";
import type { DialectLimits } from "../dialect/limits.ts";
import { DialectRefusal } from "../dialect/refusal.ts";
import type { SeenSignatures } from "../dialect/seen.ts";
import type { MountedRoute } from "../http/openapi.ts";
import { audienceOf } from "../http/openapi-groups.ts";
import { refusalBody, refusalOf } from "../http/refusal.ts";
import { type JsonSchema, readTexts } from "../http/schema.ts";
import { findProofRefusal, KEY_HEADER, type ProofRefusal, readSignature, type SignedCall } from "./proof.ts";

export const OPEN_BASE = "/open/v1";
const BODY_BYTES_MAX = 65_536;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const JSON_TYPE = "application/json; charset=utf-8";
const API_KEY = /^[A-Za-z0-9]{64}$/;
/** Of one call, for its address and for the account. */
const WEIGHT = 2;

export interface GatewayParts {
  readonly reading: ApiKeyReading;
  readonly calls: Calls;
  readonly limits: DialectLimits;
  readonly seen: SeenSignatures;
  readonly clock: () => number;
  readonly log: Log;
}

const REFUSALS: Readonly<Record<ProofRefusal | "KEY_INVALID" | "REPLAYED" | "NOT_FOUND" | "MALFORMED", Words>> = {
  KEY_INVALID: [401, "This API key is invalid, expired or not allowed from this address."],
  SIGNATURE_MISSING: [401, "Send X-CW-Time and X-CW-Signature."],
  TIME_INVALID: [401, "X-CW-Time is too far from the time of the exchange. Synchronize the clock."],
  SIGNATURE_INVALID: [401, "The signature does not match the call."],
  REPLAYED: [409, "This signed call was made before. Sign each change with its own time."],
  NOT_FOUND: [404, "No such call for programs."],
  MALFORMED: [400, "Send the body as one JSON object."],
};
type Words = readonly [status: number, message: string];

class OpenRefusal extends Error {
  readonly refusal: Refusal;
  constructor(code: keyof typeof REFUSALS) {
    const [status, message] = REFUSALS[code];
    super(message);
    this.refusal = { code, status, message };
  }
}

/** True of the calls of this API: those keys may make, and public reads. What signs in and the like is for pages. */
export const isOpen = ({ spec }: MountedRoute): boolean => {
  if (spec.file !== undefined || spec.scope === "internal") return false;
  const audience = audienceOf(spec.scope);
  return audience === "program" || (audience === "public" && spec.method === "GET" && spec.changes !== true);
};

interface Matched {
  readonly route: MountedRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** Routes by method and number of parts: plain parts before named ones. */
function tableOf(routes: readonly MountedRoute[]) {
  const byShape = new Map<string, { readonly route: MountedRoute; readonly parts: readonly string[] }[]>();
  for (const route of routes.filter(isOpen)) {
    const parts = (route.base + route.spec.path).split("/");
    const shape = `${route.spec.method}/${parts.length}`;
    byShape.set(shape, [...(byShape.get(shape) ?? []), { route, parts }]);
  }
  const named = (parts: readonly string[]): number => parts.filter((part) => part.startsWith(":")).length;
  for (const list of byShape.values()) list.sort((left, right) => named(left.parts) - named(right.parts));
  return (method: string, path: string): Matched | undefined => {
    const asked = path.split("/");
    for (const { route, parts } of byShape.get(`${method}/${asked.length}`) ?? []) {
      const params: Record<string, string> = {};
      const fits = parts.every((part, place) => {
        const text = asked[place] ?? "";
        if (!part.startsWith(":")) return part === text;
        params[part.slice(1)] = text;
        return text !== "";
      });
      if (fits) return { route, params };
    }
    return undefined;
  };
}

export function mountGateway(app: FastifyInstance, parts: GatewayParts): void {
  let find: ReturnType<typeof tableOf> | undefined;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: BODY_BYTES_MAX }, (_, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler((error, request, reply) => {
      const { refusal, retryAfterSeconds } = refusalFor(parts.log, error, request.id);
      request.refusal = refusal;
      if (retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterSeconds);
      return reply.code(refusal.status).type(JSON_TYPE).send(refusalBody(refusal, request.id));
    });
    scope.route({
      method: [...METHODS],
      url: `${OPEN_BASE}/*`,
      handler: async (request, reply) => {
        const timeMs = parts.clock();
        const { id, headers } = request;
        const used = parts.limits.chargeWeight(request.address, WEIGHT, timeMs);
        reply.header("x-cw-used-weight-1m", used);
        const [path = "", query = ""] = request.url.slice(OPEN_BASE.length).split("?");
        find ??= tableOf(app.mountedRoutes);
        const matched = find(request.method, path);
        if (matched === undefined) throw new OpenRefusal("NOT_FOUND");
        const body = typeof request.body === "string" ? request.body : "";
        const signed = { method: request.method, url: request.url, body, headers };
        const caller = await prove(parts, matched, signed, request.address, timeMs);
        if (caller === VISITOR && audienceOf(matched.route.spec.scope) === "public") {
          if (!reply.raw.hasHeader("access-control-allow-origin"))
            reply.raw.setHeader("access-control-allow-origin", "*");
        }
        const answer = await parts.calls.call({
          method: request.method as EndpointMethod,
          route: matched.route.base + matched.route.spec.path,
          caller,
          requestId: id,
          address: request.address,
          ...readInput(matched, query, body),
        });
        if (answer.refusal === undefined) return reply.code(200).type(JSON_TYPE).send(JSON.stringify(answer.envelope));
        request.refusal = answer.refusal;
        if (answer.retryAfterSeconds !== undefined) reply.header("retry-after", answer.retryAfterSeconds);
        return reply.code(answer.refusal.status).type(JSON_TYPE).send(refusalBody(answer.refusal, id));
      },
    });
  });
}

/** Texts become the numbers and flags the call takes, as over HTTP. */
function readInput({ route: { spec }, params }: Matched, query: string, body: string): object {
  const texts: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const known = texts[name];
    texts[name] = known === undefined ? value : [known, value].flat();
  }
  const none: JsonSchema = { type: "object", properties: {} };
  return {
    query: readTexts((spec.query as JsonSchema | undefined) ?? none, texts),
    ...(spec.params === undefined ? {} : { params: readTexts(spec.params as JsonSchema, decodeAll(params)) }),
    ...(spec.body === undefined ? {} : { body: readBody(body) }),
  };
}

function decodeAll(params: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    throw new OpenRefusal("NOT_FOUND");
  }
}

function readBody(text: string): unknown {
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below.
  }
  throw new OpenRefusal("MALFORMED");
}

/** A public call needs no key; with one it is that key's, and must be signed. */
async function prove(
  parts: GatewayParts,
  { route: { spec } }: Matched,
  signed: SignedCall,
  address: string,
  timeMs: number,
): Promise<Caller> {
  const apiKey = signed.headers[KEY_HEADER];
  if (apiKey === undefined) return VISITOR;
  const found =
    typeof apiKey === "string" && API_KEY.test(apiKey) ? await parts.reading.find(apiKey, address, timeMs) : undefined;
  if (found?.done !== true) throw new OpenRefusal("KEY_INVALID");
  const holder: KeyHolder = found.value;
  const code = findProofRefusal(holder, signed, timeMs);
  if (code !== undefined) throw new OpenRefusal(code);
  const mark = { signature: readSignature(signed) } as Parameters<SeenSignatures["require"]>[0];
  const isChange = spec.method !== "GET" || spec.changes === true;
  try {
    parts.seen[isChange ? "require" : "note"](mark, timeMs);
  } catch {
    throw new OpenRefusal("REPLAYED");
  }
  const call = `${spec.method} ${OPEN_BASE}${spec.path}`;
  parts.reading
    .touch(holder.apiKey, { timeMs, address, call })
    ?.catch((error: unknown) => parts.log.warn("apikey.touch.failed", { error }));
  parts.limits.chargeAccount(holder.userId, WEIGHT, timeMs);
  if (isChange && isTrading(spec.scope)) parts.limits.chargeOrders(holder, 1, timeMs);
  return holder.caller;
}

/** Changes by a key that trades count as orders. */
const isTrading = (scope: MountedRoute["spec"]["scope"]): boolean =>
  typeof scope === "object" && "key" in scope && (scope.key === "spot" || scope.key === "futures");

function refusalFor(
  log: Log,
  error: unknown,
  requestId: Call["id"],
): { readonly refusal: Refusal; readonly retryAfterSeconds?: number | undefined } {
  if (error instanceof OpenRefusal) return { refusal: error.refusal };
  if (error instanceof DialectRefusal) {
    const refusal = { code: "RATE_LIMITED", status: error.status, message: error.message };
    return { refusal, retryAfterSeconds: error.retryAfterSeconds };
  }
  const refusal = refusalOf(error);
  if (refusal.status >= 500) log.error("open.failed", { requestId, error });
  return { refusal };
}
