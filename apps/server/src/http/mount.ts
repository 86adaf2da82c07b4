// Mounts routes described as plain data (kit/route): schema → call → reply, and offers the quick ones to the lane in
// front. Owns the answers to unknown addresses and wrong methods, and the checks every input schema must pass before the
// server starts.

import type { CallAnswer, CallInput, Envelope } from "@clockwork/host/call";
import { edgeRefusal, type Refusal } from "@clockwork/host/refusal";
import type { IncomingFile, RouteSpec } from "@clockwork/host/route";
import type { CookiePlace } from "@clockwork/kit/session-cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AccountLimit } from "./account-limit.ts";
import { registerFiles } from "./body.ts";
import { type Admission, type CallOptions, createResponder, envelopeSchema } from "./call.ts";
import { lingerAfter } from "./linger.ts";
import type { QuickRoute } from "./quick-route.ts";
import { BodyRefused, refusalBody } from "./refusal.ts";
import { closeSchema, findUnbounded, type JsonSchema, readTexts } from "./schema.ts";
import { writeChoice, writeSession } from "./session-cookies.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a call costs its address per minute; none means it is not counted. */
    weight?: number;
    /** Its handler waits for nothing that could fail to answer. */
    isPrompt?: boolean;
    /** An API's answer in the envelope: its headers are the same for every call. */
    isEnveloped?: boolean;
    /** The log keeps nothing that identifies the caller. */
    isAnonymous?: boolean;
  }
  interface FastifyRequest {
    /** The client's address behind trusted proxies. */
    address: string;
    /** Made by a page that renders on this server. */
    readonly isInProcess: boolean;
    /** Whether it may be made, once decided. */
    admission: Admission | undefined;
    /** What a slice or the edge refused this request with; for the log. */
    refusal: Refusal | undefined;
  }
}

export interface MountOptions extends Omit<CallOptions, "checkReply" | "account"> {
  /** The budget of an account, across all its addresses. */
  readonly accountLimit: AccountLimit | undefined;
  /** Where and how the session's cookies are set. */
  readonly cookies: CookiePlace;
  /** Checks every answer against its schema; for development and tests. */
  readonly checkReplies: boolean;
  /** Below an API's base, where every answer carries the headers of one. */
  readonly isApi: boolean;
  /** What a call costs its address; none for supervisors' probes, which must never be refused. */
  readonly weight: number | undefined;
  /** Takes the routes that may be answered in front of the HTTP library. */
  readonly offerQuick: (route: QuickRoute) => void;
  /** Takes every route, for calls from inside the process. */
  readonly offer: (route: QuickRoute) => void;
}

export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  request.refusal = refusal;
  const { retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined && !reply.hasHeader("retry-after"))
    reply.header("retry-after", retryAfterSeconds);
  return reply.code(refusal.status).type("application/json; charset=utf-8").send(refusalBody(refusal, request.id));
}

/** Discarded to keep the connection usable. */
const UNREAD_BYTES_MAX = 65_536;

/** Refuses without reading the body: a large one, or one of unknown length, ends the connection. */
export function refuseUnread(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
  if (coding !== undefined || Number(length) > UNREAD_BYTES_MAX) {
    reply.header("connection", "close");
    lingerAfter(request.raw);
  }
  return sendRefusal(request, reply, refusal);
}

const NO_QUERY: JsonSchema = { type: "object", properties: {} };
/** Checked once per process. */
const bounded = new WeakSet<JsonSchema>();

/** Fails at boot, not at the first call: a route with an open or unbounded input is a mistake of the programmer. */
function closeInput(spec: RouteSpec, part: "body" | "query" | "params"): JsonSchema | undefined {
  const schema = spec[part] as JsonSchema | undefined;
  if (schema === undefined) return undefined;
  if (schema.type !== "object") throw new Error(`${spec.method} ${spec.path}: ${part} must be an object schema`);
  const unbounded = bounded.has(schema) ? [] : findUnbounded(schema);
  if (unbounded.length > 0) {
    throw new Error(`${spec.method} ${spec.path}: ${part} has no limit at ${unbounded.join(", ")}`);
  }
  bounded.add(schema);
  return closeSchema(schema);
}

export function mountRoute(app: FastifyInstance, spec: RouteSpec, options: MountOptions): void {
  const body = closeInput(spec, "body");
  const query = closeInput(spec, "query") ?? closeSchema(NO_QUERY);
  const params = closeInput(spec, "params");
  const { clock, identify, permit, isOwnSite, findResting } = options;
  const check = options.checkReplies ? { checkReply: createReplyCheck(app, spec) } : {};
  const { weight = 0, accountLimit } = options;
  const account = accountLimit === undefined || weight === 0 ? {} : { account: { limit: accountLimit, weight } };
  const responder = createResponder(spec, { clock, identify, permit, isOwnSite, findResting, ...account, ...check });
  const offered = { app, url: app.prefix + spec.path, spec, schemas: { query, params, body }, weight, responder };
  options.offer(offered);
  if (spec.isQuick === true && options.weight !== undefined) options.offerQuick(offered);

  const bytesMax = spec.file?.bytesMax ?? spec.bodyBytesMax;
  const mount = (scope: FastifyInstance) =>
    scope.route({
      method: spec.method,
      url: spec.path,
      ...(bytesMax === undefined ? {} : { bodyLimit: bytesMax }),
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
      // Before a byte of the body is read: an unauthorised caller learns nothing of what the call takes.
      onRequest: (request, reply, done) => {
        const take = (admission: Admission): void => {
          request.admission = admission;
          if (admission.refusal === undefined) done();
          else refuseUnread(request, reply, admission.refusal);
        };
        const admission = responder.admit(request);
        if (admission instanceof Promise) admission.then(take, done);
        else take(admission);
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
        responder
          .answer(request, request.admission as Admission, inputOf(request, spec))
          .then((answered) => sendAnswer(request, answer, answered, options.cookies))
          .catch((error: unknown) => answer.send(error));
      },
    });
  const { file } = spec;
  if (file === undefined) mount(app);
  else
    app.register(async (scope) => {
      registerFiles(scope, file);
      mount(scope);
    });
}

function inputOf({ query, params, body }: FastifyRequest, { file }: RouteSpec): CallInput {
  if (file === undefined) return { query, params, body };
  // Without a content type there is no file, and no parser has run.
  if (body === undefined || body === null) throw new BodyRefused("UNSUPPORTED_MEDIA");
  return { query, params, body: undefined, file: body as IncomingFile };
}

function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: CallAnswer, cookies: CookiePlace): void {
  if (answer.refusal !== undefined) {
    if (answer.retryAfterSeconds !== undefined) reply.header("retry-after", answer.retryAfterSeconds);
    sendRefusal(request, reply, answer.refusal);
    return;
  }
  const { session, choice, timeMs, envelope } = answer;
  if (session !== undefined) writeSession(request, reply, session, cookies, timeMs);
  if (choice !== undefined) writeChoice(request, reply, choice, cookies);
  reply.code(200).send(envelope);
}

function isForm(request: FastifyRequest): boolean {
  return request.headers["content-type"]?.toLowerCase().startsWith("application/x-www-form-urlencoded") === true;
}

function createReplyCheck(app: FastifyInstance, spec: RouteSpec): (envelope: Envelope) => void {
  const schema = closeSchema(envelopeSchema(spec));
  const { method, path: url } = spec;
  let validate: ReturnType<NonNullable<FastifyInstance["validatorCompiler"]>> | undefined;
  return (envelope) => {
    validate ??= app.validatorCompiler?.({ schema, method, url });
    if (validate?.(envelope) === true) return;
    const errors = (validate as { errors?: unknown } | undefined)?.errors;
    throw new Error(`${method} ${url} answered against its schema: ${JSON.stringify(errors)}`);
  };
}

/** Answers every unmatched path below a base: 405 when it exists with another method, else 404. */
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
