// Builds the HTTP server from its parts: limits, request ids, security, rate limits, routes, errors, logs and metrics.
// Independent of slices: routes come in as data, pages as a function. Never listens.

import { randomUUID } from "node:crypto";
import { IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { clientAddress, type ProxyTrust, trustProxies } from "@clockwork/host/address";
import type { Identifier } from "@clockwork/host/call";
import type { Log } from "@clockwork/host/log";
import type { ReadinessCheck } from "@clockwork/host/part";
import { type EdgeCode, edgeRefusal, type Refusal } from "@clockwork/host/refusal";
import type { RouteSpec } from "@clockwork/host/route";
import { type Config, cookiePlaceOf } from "@clockwork/host/settings/config";
import { measureMs, wallMs } from "@clockwork/host/time/measure";
import type { EndpointBase } from "@clockwork/kit/endpoint";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { createAccountLimit } from "./account-limit.ts";
import { type AddressLimit, createAddressLimit } from "./address-limit.ts";
import { findBodyFault, registerBodies } from "./body.ts";
import { futuresPath, knowsHost, registerHosts } from "./host.ts";
import { identifyBy } from "./identify.ts";
import type { InternalCalls } from "./internal-calls.ts";
import { lingerAfter } from "./linger.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { type MountOptions, mountRoute, mountUnknown, refuseUnread, sendRefusal } from "./mount.ts";
import type { MountedRoute } from "./openapi.ts";
import { addHeader, PreparedResponse } from "./prepared-response.ts";
import { QuickDispatch, type QuickDispatchOptions } from "./quick-dispatch.ts";
import { QuickLane } from "./quick-lane.ts";
import type { RawRoute } from "./quick-raw.ts";
import type { QuickRoute } from "./quick-route.ts";
import { createRecorder, type Recorder } from "./records.ts";
import { refusalBody, refusalOf } from "./refusal.ts";
import { readRequestId } from "./request-id.ts";
import { TEXT_FORMATS } from "./schema.ts";
import { isApiPath, isOwnOrigin, registerSecurity, writeSecurityHeaders } from "./security.ts";
import { healthRoutes, mountOperations, type SystemStatus, statusRoutes } from "./system.ts";
import { buildSerializers, buildValidators } from "./validators.ts";

export interface AppParts {
  readonly config: Config;
  readonly log: Log;
  /** Routes of the slices, each at the bases it names. */
  readonly routes?: readonly RouteSpec[];
  readonly status?: () => SystemStatus;
  readonly readiness?: readonly ReadinessCheck[];
  readonly metrics?: Metrics;
  readonly version?: string;
  readonly clock?: () => number;
  /** Ways to identify the caller, tried in this order. */
  readonly identifiers?: readonly Identifier[];
  /** Left out, no operator may do anything. */
  readonly permit?: MountOptions["permit"];
  readonly findResting?: MountOptions["findResting"];
  /** Receives every route, so that the process can call it internally. */
  readonly calls?: Pick<InternalCalls, "offer">;
  /** Mounts the pages; runs last, in its own scope without body parsers. */
  readonly pages?: (app: FastifyInstance) => Promise<void> | void;
}

declare module "fastify" {
  interface FastifyInstance {
    /** Requests that have started and not ended. */
    drain: Drain;
    /** The connections that are answered in front of the HTTP library. */
    lane: QuickLane;
    /** Has calls of this route answered in front of the library where they are written plainly. */
    offerRaw: (route: RawRoute) => void;
    /** Charges the caller's address for work beyond the route's own weight; false when it was refused, and answered so. */
    chargeMore: (request: FastifyRequest, reply: FastifyReply, weight: number) => boolean;
    /** Whether an order has come within the last second. */
    isTrading: () => boolean;
  }
}

export interface Drain {
  /** Every request reports its start and its end. */
  startedAt(): void;
  ended(): void;
  /** From now on new requests are refused as UNAVAILABLE and connections are not kept. */
  begin(): void;
  readonly draining: boolean;
  /** Resolves when no request is running. */
  idle(): Promise<void>;
}

export const API_BASE = "/api";
const BASE_PATHS: Readonly<Record<EndpointBase, string>> = { spot: API_BASE, futures: "/futuresapi", root: "" };
const KEEP_ALIVE_MS = 72_000;
const TRADING_MS = 1_000;

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, log } = parts;
  const metrics = parts.metrics ?? createMetrics();
  const trust = trustProxies(config.trustedProxies);
  const knows = knowsHost(config);
  const app = createApp(config, log, trust);
  const drain = trackRequests(app, metrics);
  const clock = parts.clock ?? wallMs;
  const limit = createAddressLimit(config.weightPerMinute, clock);
  const record = createRecorder(log, metrics);
  const fail = createFail(log);
  const quick: QuickRoute[] = [];
  const raw: RawRoute[] = [];
  const options: MountOptions = {
    clock,
    identify: identifyBy(parts.identifiers ?? []),
    permit: parts.permit ?? (async () => edgeRefusal("NOT_FOUND")),
    isOwnSite: (call) => isOwnOrigin(call, config),
    findResting: parts.findResting,
    cookies: cookiePlaceOf(config),
    checkReplies: config.mode === "development",
    isApi: false,
    accountLimit: createAccountLimit(config.weightPerMinute),
    weight: 1,
    offerQuick: (route) => quick.push(route),
    offer: (route) => parts.calls?.offer(route),
  };
  const apiRoutes = [...(parts.status === undefined ? [] : statusRoutes(parts.status)), ...(parts.routes ?? [])];
  const probes = healthRoutes(parts.readiness ?? [], () => drain.draining);
  const mounted: MountedRoute[] = [
    ...probes.map((spec) => ({ base: BASE_PATHS.root, spec })),
    ...apiRoutes.flatMap((spec) => (spec.bases ?? ["spot"]).map((base) => ({ base: BASE_PATHS[base], spec }))),
  ];
  app.decorate("mountedRoutes", mounted);
  app.decorate("productVersion", parts.version ?? "0.0.0");
  app.decorate("drain", drain);
  app.decorate("offerRaw", (route: RawRoute) => void raw.push(route));

  registerTimeouts(app, config);
  registerIdentity(app, trust);
  registerSecurity(app, config);
  registerHosts(app, config, knows);
  registerDraining(app, drain);
  registerBodyRules(app);
  registerLimits(app, limit);
  registerRecords(app, record);
  registerErrors(app, fail);
  registerBodies(app);
  registerLane(app, { config, drain, quick, raw, dispatch: { config, trust, knows, limit, record, fail } });

  for (const spec of probes) mountRoute(app, spec, { ...options, weight: undefined });
  mountOperations(app, { config, log, metrics });
  for (const { base, spec } of mounted) {
    if (base === BASE_PATHS.root && !probes.includes(spec)) mountRoute(app, spec, options);
  }
  for (const prefix of [BASE_PATHS.spot, BASE_PATHS.futures]) {
    await app.register(mountBase(prefix, mounted, options), { prefix });
  }
  const { pages } = parts;
  if (pages !== undefined) {
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      await pages(scope);
    });
  }
  return app;
}

/** Also answers what no route answers: an unknown call to a base is an API's 404, never a page's. */
function mountBase(prefix: string, mounted: readonly MountedRoute[], options: MountOptions) {
  const specs = mounted.filter(({ base }) => base === prefix).map(({ spec }) => spec);
  return async (api: FastifyInstance): Promise<void> => {
    for (const spec of specs) mountRoute(api, spec, { ...options, isApi: true });
    mountUnknown(api, specs, prefix);
  };
}

/** A page's address that is no text, such as `/%E0`, is the address of no page and is answered like one. */
function readablePath(path: string): string {
  if (isApiPath(path) || !path.includes("%")) return path;
  const mark = path.indexOf("?");
  const [name, query] = mark === -1 ? [path, ""] : [path.slice(0, mark), path.slice(mark)];
  try {
    // Its value is used, or a bundler would take the call for one without an effect and leave it out.
    return decodeURIComponent(name).length > 0 ? path : "/";
  } catch {
    return name.replaceAll("%", "%25") + query;
  }
}

function createApp(config: Config, log: Log, trust: ProxyTrust): FastifyInstance {
  const app = fastify({
    logger: false,
    genReqId: (request) => readRequestId(request.headers["x-request-id"]),
    requestIdHeader: false,
    // A proxy may write the whole address into the request line; only its path counts.
    rewriteUrl: ({ url = "/", headers }) => {
      const path = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, "/");
      return futuresPath(readablePath(path), headers.host, config.domain);
    },
    trustProxy: config.trustedProxies.length === 0 ? false : (address: string) => trust.trusts(address),
    bodyLimit: config.bodyLimitBytes,
    requestTimeout: config.requestTimeoutMs,
    // The page builder of development takes its time on a busy machine; ten seconds are too few.
    pluginTimeout: 120_000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A peer that neither sends nor takes a byte for so long is gone or hostile; sockets have their own check.
    connectionTimeout: 75_000,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    http: {
      ServerResponse: PreparedResponse,
      maxHeaderSize: config.headerLimitBytes,
      headersTimeout: Math.min(10_000, config.requestTimeoutMs),
      connectionsCheckingInterval: Math.min(1000, config.requestTimeoutMs),
    },
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: false, caseSensitive: true },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: true,
        strictNumbers: true,
        formats: TEXT_FORMATS,
      },
    },
    schemaController: { compilersFactory: { buildValidator: buildValidators(), buildSerializer: buildSerializers() } },
    serializerOpts: { ajv: { formats: TEXT_FORMATS } },
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
    frameworkErrors: (error, request, reply) => {
      writeSecurityHeaders({ url: request.url, protocol: "http", cspNonce: "none" }, reply.raw, config);
      reply.raw.setHeader("x-request-id", request.id);
      const refusal = refusalOf(error);
      log.info("http.refused", { requestId: request.id, refusal: refusal.code, method: request.method });
      // The framework types this reply by no route at all; it is a plain one.
      sendRefusal(request as FastifyRequest, reply as FastifyReply, refusal);
    },
  });
  app.server.maxConnections = config.connectionsMax;
  app.server.maxHeadersCount = 100;
  return app;
}

/** A timer, a signal and an end for it per call are worth it where a handler may hang; the engine always answers. */
function registerTimeouts(app: FastifyInstance, config: Config): void {
  app.addHook("onRoute", (route) => {
    if (route.config?.isPrompt !== true) route.handlerTimeout ??= config.handlerTimeoutMs;
  });
}

function registerIdentity(app: FastifyInstance, trust: ProxyTrust): void {
  app.decorateRequest("address", "");
  app.decorateRequest("refusal", undefined);
  app.decorateRequest("admission", undefined);
  // The request object of an injected call is of another class; no header can pretend it.
  app.decorateRequest("isInProcess", {
    getter() {
      return !(this.raw instanceof IncomingMessage);
    },
  });
  app.addHook("onRequest", (request, _, done) => {
    request.address = clientAddress(request.raw, trust);
    // A chunked body may be broken from its first byte; after one turn of the event loop this is detected and answered
    // correctly.
    if (request.headers["transfer-encoding"] === undefined) done();
    else queueMicrotask(done);
  });
}

function registerDraining(app: FastifyInstance, drain: Drain): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!drain.draining) return done();
    reply.header("connection", "close").header("retry-after", "5");
    // Supervisors still learn that the process lives and is not ready.
    if (request.url === "/healthz" || request.url === "/readyz" || request.isInProcess) return done();
    sendRefusal(request, reply, edgeRefusal("UNAVAILABLE"));
    return undefined;
  });
}

/** By the announced length, before a byte of it is read: for any address, with or without a body parser. */
function registerBodyRules(app: FastifyInstance): void {
  // A client that asks first is not invited to send what no route takes.
  let bytesMax = 0;
  app.addHook("onRoute", ({ bodyLimit = app.initialConfig.bodyLimit }) => {
    bytesMax = Math.max(bytesMax, bodyLimit ?? 0);
  });
  app.server.on("checkContinue", (request, response) => {
    if (findBodyFault(request.headers, bytesMax) === undefined) response.writeContinue();
    app.server.emit("request", request, response);
  });
  app.addHook("onRequest", (request, reply, done) => {
    const code = findBodyFault(request.headers, request.routeOptions.bodyLimit);
    if (code === undefined) return done();
    refuseUnread(request, reply, edgeRefusal(code));
    return undefined;
  });
}

function registerLimits(app: FastifyInstance, limit: AddressLimit | undefined): void {
  const charge = (request: FastifyRequest, reply: FastifyReply, weight: number): boolean => {
    // A page's own calls were paid for by the page's request.
    if (limit === undefined || request.isInProcess) return true;
    const { policy, standing, refusal, retryAfterSeconds } = limit.charge(request.address, weight);
    addHeader(reply.raw, "ratelimit-policy", policy);
    addHeader(reply.raw, "ratelimit", standing);
    if (refusal === undefined) return true;
    addHeader(reply.raw, "retry-after", String(retryAfterSeconds));
    sendRefusal(request, reply, refusal);
    return false;
  };
  app.decorate("chargeMore", charge);
  if (limit === undefined) return;
  app.addHook("onRequest", (request, reply, done) => {
    const { weight } = request.routeOptions.config;
    if (weight === undefined || charge(request, reply, weight)) done();
  });
}

function registerRecords(app: FastifyInstance, record: Recorder): void {
  app.addHook("onResponse", (request, reply, done) => {
    const { config, url: route = "unmatched" } = request.routeOptions;
    record(request, {
      method: request.method,
      route,
      url: request.url,
      status: reply.statusCode,
      refusal: request.refusal?.code,
      tookMs: reply.elapsedTime,
      isAnonymous: config.isAnonymous === true,
    });
    done();
  });
}

/** The response to a thrown error; a fault of ours is logged. */
function createFail(log: Log): (error: unknown, requestId: string, route: string | undefined) => Refusal {
  return (error, requestId, route) => {
    const refusal = refusalOf(error);
    if (refusal.status >= 500) log.error("http.failed", { requestId, route, error });
    return refusal;
  };
}

function registerErrors(app: FastifyInstance, fail: ReturnType<typeof createFail>): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = fail(error, request.id, request.routeOptions.url);
    // The rest of a refused body would be read as the next request's start, or for nothing.
    if (refusal.status === 413) {
      reply.header("connection", "close");
      lingerAfter(request.raw);
    }
    return sendRefusal(request, reply, refusal);
  });
  app.setNotFoundHandler((request, reply) => sendRefusal(request, reply, edgeRefusal("NOT_FOUND")));
}

function trackRequests(app: FastifyInstance, metrics: Metrics): Drain {
  let draining = false;
  let running = 0;
  const waiting: (() => void)[] = [];
  const ended = (): void => {
    running -= 1;
    if (running > 0 || waiting.length === 0) return;
    for (const wake of waiting.splice(0)) wake();
  };
  const startedAt = (): void => {
    running += 1;
  };
  app.addHook("onRequest", (_, reply, done) => {
    startedAt();
    reply.raw.on("close", ended);
    done();
  });
  metrics.readRunning = () => running;
  return {
    startedAt,
    ended,
    begin() {
      draining = true;
    },
    get draining() {
      return draining;
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((done) => waiting.push(done))),
  };
}

/** Quick routes are answered in front of the library, once it has made their validators. */
function registerLane(
  app: FastifyInstance,
  {
    config,
    drain,
    quick,
    raw,
    dispatch: parts,
  }: {
    readonly config: Config;
    readonly drain: Drain;
    readonly quick: readonly QuickRoute[];
    readonly raw: readonly RawRoute[];
    readonly dispatch: Pick<QuickDispatchOptions, "config" | "trust" | "knows" | "limit" | "record" | "fail">;
  },
): void {
  const { ended } = drain;
  let lastMs = Number.NEGATIVE_INFINITY;
  const startedAt = (): void => {
    lastMs = measureMs();
    drain.startedAt();
  };
  app.decorate("isTrading", () => measureMs() - lastMs < TRADING_MS);
  const isEnding = (): boolean => drain.draining;
  const dispatch = new QuickDispatch({ ...parts, startedAt, ended, isEnding, keepAliveSeconds: KEEP_ALIVE_MS / 1000 });
  const lane = new QuickLane(dispatch, {
    isOpen: () => !drain.draining,
    refuse: answerClientError,
    firstMs: Math.min(10_000, config.requestTimeoutMs),
    handlerMs: config.handlerTimeoutMs,
    sweepMs: Math.min(1000, config.requestTimeoutMs),
  });
  app.decorate("lane", lane);
  app.addHook("onReady", async () => {
    dispatch.open(quick, raw);
    if (quick.length > 0) lane.open(app.server);
  });
  app.addHook("preClose", async () => lane.close());
}

const CODE_BY_CLIENT_ERROR: Readonly<Record<string, EdgeCode>> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

/** What the parser refused never became a request; answered by hand, in the same envelope. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const refusal = edgeRefusal(CODE_BY_CLIENT_ERROR[error.code ?? ""] ?? "MALFORMED_REQUEST");
  const body = JSON.stringify(refusalBody(refusal, randomUUID()));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? "Refused"}\r\nconnection: close\r\n` +
      `content-type: application/json; charset=utf-8\r\nx-content-type-options: nosniff\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
