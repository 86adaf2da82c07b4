// Mounts routes described as plain data (kit/route): schema → handler → envelope. Owns the envelope, the answers to
// unknown addresses and wrong methods, and the checks every input schema must pass before the server starts.
import { DEFAULT_LOCALE, SUCCESS_CODE, USERS_SUCCESS_CODE } from "@clockwork/kit/constants";
import { isLocale } from "@clockwork/kit/locale";
import type { RouteContext, RouteSpec } from "@clockwork/kit/route";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addressKey } from "./address.ts";
import { createLimiter } from "./limit.ts";
import { edgeRefusal, type Refusal, refusalBody } from "./refusal.ts";
import { closeSchema, findBrokenText, findUnbounded, type JsonSchema, readTexts } from "./schema.ts";
import { type Caller, type CookieRules, writeChoice, writeSession } from "./session-cookies.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a call costs its address per minute; none means it is not counted. */
    weight?: number;
    /** Its handler waits for nothing that could fail to answer. */
    isPrompt?: boolean;
    /** An API's answer in the envelope: its headers are the same for every call. */
    isEnveloped?: boolean;
    /** The log keeps nothing that could tell who called. */
    isAnonymous?: boolean;
  }
  interface FastifyRequest {
    /** The client's address behind trusted proxies. */
    address: string;
    /** What a slice or the edge refused this request with; for the log. */
    refusal: Refusal | undefined;
  }
}

export interface MountOptions {
  readonly clock: () => number;
  /** Who is calling; null for an anonymous visitor. At once when it is known already. */
  readonly identify: (request: FastifyRequest) => Caller | null | Promise<Caller | null>;
  /** False when a browser says that a foreign site asks. */
  readonly isOwnSite: (request: FastifyRequest) => boolean;
  /** Where and how the session's cookies are set. */
  readonly cookies: CookieRules;
  /** Checks every answer against its schema; for development and tests. */
  readonly checkReplies: boolean;
  /** Below an API's base, where every answer carries the headers of one. */
  readonly isApi: boolean;
  /** What a call costs its address; none for supervisors' probes, which must never be turned away. */
  readonly weight: number | undefined;
}

export function successCode(path: string): number {
  return path.startsWith("/v2/users/") ? USERS_SUCCESS_CODE : SUCCESS_CODE;
}

export function envelopeSchema(spec: RouteSpec): JsonSchema {
  return {
    type: "object",
    required: ["code", "data", "message"],
    properties: {
      code: { type: "integer", const: successCode(spec.path) },
      data: JSON.parse(JSON.stringify(spec.output)) as JsonSchema,
      message: { type: "string" },
    },
  };
}

export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  request.refusal = refusal;
  return reply.code(refusal.status).type("application/json; charset=utf-8").send(refusalBody(refusal, request.id));
}

/** Fails at boot, not at the first call: a route with an open or unbounded input is a mistake of the programmer. */
function closeInput(spec: RouteSpec, part: "body" | "query" | "params"): JsonSchema | undefined {
  const schema = spec[part] as JsonSchema | undefined;
  if (schema === undefined) return undefined;
  if (schema.type !== "object") throw new Error(`${spec.method} ${spec.path}: ${part} must be an object schema`);
  const unbounded = findUnbounded(schema);
  if (unbounded.length > 0) {
    throw new Error(`${spec.method} ${spec.path}: ${part} has no limit at ${unbounded.join(", ")}`);
  }
  return closeSchema(schema);
}

export function mountRoute(app: FastifyInstance, spec: RouteSpec, options: MountOptions): void {
  const body = closeInput(spec, "body");
  const query = closeInput(spec, "query") ?? closeSchema({ type: "object", properties: {} });
  const params = closeInput(spec, "params");
  const respond = createResponder(spec, options);

  app.route({
    method: spec.method,
    url: spec.path,
    ...(spec.bodyBytesMax === undefined ? {} : { bodyLimit: spec.bodyBytesMax }),
    config: {
      ...(options.weight === undefined ? {} : { weight: options.weight }),
      isAnonymous: spec.isAnonymous === true,
      isEnveloped: options.isApi,
      ...(spec.isPrompt === true ? { isPrompt: true } : {}),
    },
    schema: {
      querystring: query,
      ...(body === undefined ? {} : { body }),
      ...(params === undefined ? {} : { params }),
      response: { 200: envelopeSchema(spec) },
    },
    preValidation: (request, _, done) => {
      request.query = readTexts(query, request.query as Record<string, unknown>);
      if (params !== undefined) request.params = readTexts(params, request.params as Record<string, unknown>);
      if (body !== undefined) {
        if (request.body === undefined || request.body === null) request.body = {};
        else if (isForm(request)) request.body = readTexts(body, request.body as Record<string, unknown>);
      }
      done();
    },
    // Not async itself: a promise of the reply would have the framework watch the whole answer for its end once more.
    handler: (request, answer) => {
      respond(request, answer).catch((error: unknown) => answer.send(error));
    },
  });
}

/** Asks whose call it is, lets the slice handle it, and puts what it says into the envelope. */
function createResponder(
  spec: RouteSpec,
  options: MountOptions,
): (request: FastifyRequest, answer: FastifyReply) => Promise<void> {
  const reply = options.checkReplies ? closeSchema(envelopeSchema(spec)) : undefined;
  const code = successCode(spec.path);
  const limiter =
    spec.rate === undefined
      ? undefined
      : createLimiter({ weightMax: spec.rate.callsMax, windowMs: spec.rate.windowMs, callersMax: 20_000 });
  return async (request, answer) => {
    if (spec.changes === true && !options.isOwnSite(request)) {
      sendRefusal(request, answer, edgeRefusal("CROSS_SITE_REFUSED"));
      return;
    }
    const nowMs = options.clock();
    const known = options.identify(request);
    const caller = known instanceof Promise ? await known : known;
    const userId = caller?.userId ?? null;
    if (spec.signedIn === true && userId === null) {
      sendRefusal(request, answer, edgeRefusal("UNAUTHENTICATED"));
      return;
    }
    const verdict = limiter?.charge(userId ?? addressKey(request.address), 1, nowMs);
    if (verdict?.allowed === false) {
      answer.header("retry-after", verdict.retryAfterSeconds);
      sendRefusal(request, answer, edgeRefusal("RATE_LIMITED"));
      return;
    }
    const input = { query: request.query, params: request.params, body: request.body };
    const broken = findBroken(input);
    if (broken !== undefined) {
      sendRefusal(request, answer, broken);
      return;
    }
    const outcome = await spec.handle(input, routeContext(request, caller, nowMs));
    if (!outcome.ok) {
      const { retryAfterSeconds } = outcome.rejection;
      if (retryAfterSeconds !== undefined) answer.header("retry-after", retryAfterSeconds);
      sendRefusal(request, answer, outcome.rejection);
      return;
    }
    if (outcome.session !== undefined) writeSession(request, answer, outcome.session, options.cookies, nowMs);
    if (outcome.choice !== undefined) writeChoice(request, answer, outcome.choice, options.cookies);
    const envelope = { code, data: outcome.data, message: "success" };
    if (reply !== undefined) checkReply(request, reply, envelope, spec);
    answer.code(200).send(envelope);
  };
}

function findBroken(input: { query: unknown; params: unknown; body: unknown }): Refusal | undefined {
  const { query, params, body } = input;
  const where = findBrokenText(query, "query") ?? findBrokenText(params, "params") ?? findBrokenText(body, "body");
  if (where === undefined) return undefined;
  return edgeRefusal("VALIDATION_FAILED", { fields: { [where]: "must be text without NUL or broken characters" } });
}

function isForm(request: FastifyRequest): boolean {
  return request.headers["content-type"]?.toLowerCase().startsWith("application/x-www-form-urlencoded") === true;
}

function checkReply(request: FastifyRequest, schema: JsonSchema, envelope: unknown, spec: RouteSpec): void {
  const validate = request.compileValidationSchema(schema);
  if (validate(envelope)) return;
  throw new Error(`${spec.method} ${spec.path} answered against its schema: ${JSON.stringify(validate.errors)}`);
}

function routeContext(request: FastifyRequest, caller: Caller | null, timeMs: number): RouteContext {
  const { headers } = request;
  const language = headers["x-language"] ?? headers.language;
  const context: RouteContext & { session?: { readonly id: string } } = {
    requestId: request.id,
    ip: request.address,
    userId: caller?.userId ?? null,
    timeMs,
    locale: isLocale(language) ? language : DEFAULT_LOCALE,
    header(name: string): string | undefined {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
  };
  // Added, not spread in: this is made for every call.
  if (caller?.sessionId !== undefined) context.session = { id: caller.sessionId };
  return context;
}

/** Answers whatever below a base no route answers: 405 when the address is known by another method, else 404. */
export function mountUnknown(app: FastifyInstance, specs: readonly RouteSpec[], base: string): void {
  const known = specs.map((spec) => ({ method: spec.method, pattern: pathPattern(spec.path) }));
  app.all("/*", { config: { weight: 1 } }, async (request, reply) => {
    const path = (request.url.split("?")[0] ?? "").slice(base.length);
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method as string);
    if (methods.length === 0) return sendRefusal(request, reply, edgeRefusal("NOT_FOUND"));
    if (methods.includes("GET")) methods.push("HEAD");
    reply.header("allow", [...new Set(methods)].sort().join(", "));
    return sendRefusal(request, reply, edgeRefusal("METHOD_NOT_ALLOWED"));
  });
}

function pathPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:[A-Za-z0-9_]+/g, "[^/]+");
  return new RegExp(`^${escaped}$`);
}
