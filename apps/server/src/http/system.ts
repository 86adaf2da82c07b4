// Routes about the process itself: status, health, readiness, metrics, the API document and browsers' policy reports.
// Public callers learn only that it is alive: metrics are for this machine or the holder of the token.

import { timingSafeEqual } from "node:crypto";
import { isDirectLocal } from "@clockwork/host/address";
import type { CoreHealth, TablesHealth } from "@clockwork/host/engine";
import type { Log } from "@clockwork/host/log";
import { NotReady, type ReadinessCheck } from "@clockwork/host/part";
import { edgeRefusal } from "@clockwork/host/refusal";
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import type { Config } from "@clockwork/host/settings/config";
import { later } from "@clockwork/host/time/background";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Metrics } from "./metrics.ts";
import { sendRefusal } from "./mount.ts";
import { openApiDocument } from "./openapi.ts";
import { CSP_REPORT_PATH } from "./security.ts";

export interface SystemStatus {
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly core: CoreHealth;
  readonly tables?: TablesHealth;
  /** What the exchange has done, and how long callers waited lately until their commands were safe in the journal. */
  readonly matched?: {
    readonly trades: number;
    readonly ack?: { readonly p50Ms: number; readonly p99Ms: number };
  };
  /** How far the exchange's clock was moved on purpose, and how far the machine's own is from where it should be. */
  readonly clock?: { readonly aheadMs: number; readonly wallDriftMs: number };
}

export const SystemStatusSchema = Type.Object({
  version: Type.String(),
  startedAt: Type.String(),
  core: Type.Object({
    state: Type.Enum(["starting", "replaying", "running", "halted"]),
    sequence: Type.Integer(),
    durableSequence: Type.Integer(),
    stateHash: Type.Optional(Type.String()),
    stateHashSequence: Type.Optional(Type.Integer()),
    reason: Type.Optional(Type.String()),
  }),
  tables: Type.Optional(Type.Object({ state: Type.Enum(["level", "behind", "stopped"]), forSeconds: Type.Integer() })),
  matched: Type.Optional(
    Type.Object({
      /** Trades of all markets since the first. */
      trades: Type.Integer(),
      /** Of the latest commands, from asking to the durable answer; absent before the first. */
      ack: Type.Optional(Type.Object({ p50Ms: Type.Number(), p99Ms: Type.Number() })),
    }),
  ),
  clock: Type.Optional(Type.Object({ aheadMs: Type.Integer(), wallDriftMs: Type.Integer() })),
});

const CHECK_TIMEOUT_MS = 2000;

/** Below the API base. */
export function statusRoutes(status: () => SystemStatus): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      path: "/v1/system/status",
      bases: ["spot", "futures"],
      isForAll: true,
      summary: "The running version and the health of the core",
      tag: "system",
      output: SystemStatusSchema,
      handle: async () => answer(status()),
    }),
  ];
}

/** At the root, for supervisors of the process. */
export function healthRoutes(checks: readonly ReadinessCheck[], isDraining: () => boolean): readonly RouteSpec[] {
  const state = Type.Object({ status: Type.String() });
  return [
    defineRoute({
      method: "GET",
      path: "/healthz",
      isForAll: true,
      summary: "Answers while the process lives",
      tag: "system",
      output: state,
      handle: async () => answer({ status: "alive" }),
    }),
    defineRoute({
      method: "GET",
      path: "/readyz",
      isForAll: true,
      summary: "Answers when every part can serve",
      tag: "system",
      output: state,
      async handle() {
        const failures = await runChecks(checks);
        if (isDraining()) failures.server = "shutting down";
        if (Object.keys(failures).length === 0) return answer({ status: "ready" });
        return refuse(edgeRefusal("UNAVAILABLE", { fields: failures }));
      },
    }),
  ];
}

async function runChecks(checks: readonly ReadinessCheck[]): Promise<Record<string, string>> {
  const failures: Record<string, string> = {};
  await Promise.all(
    checks.map(async ({ name, check }) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = later("http.ready", () => reject(new Error("no answer")), CHECK_TIMEOUT_MS);
      });
      try {
        await Promise.race([check(), late]);
      } catch (error) {
        // Only short, own texts: a driver's message may name hosts and users.
        failures[name] = error instanceof NotReady ? error.message : "not ready";
      } finally {
        clearTimeout(timer);
      }
    }),
  );
  return failures;
}

export function mountOperations(app: FastifyInstance, parts: { config: Config; log: Log; metrics: Metrics }): void {
  const { config, log, metrics } = parts;
  app.get("/metrics", async (request, reply) => {
    if (!mayReadMetrics(request, config.metricsToken)) return sendRefusal(request, reply, edgeRefusal("NOT_FOUND"));
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  let document: string | undefined;
  app.get("/openapi.json", { config: { weight: 1 } }, async (_, reply) => {
    document ??= JSON.stringify(openApiDocument(app));
    return reply.type("application/json; charset=utf-8").header("cache-control", "no-cache").send(document);
  });
  app.register(async (scope) => mountPolicyReports(scope, log, metrics));
}

function mayReadMetrics(request: FastifyRequest, token: string): boolean {
  if (token === "") return isDirectLocal(request.raw);
  const given = Buffer.from(request.headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

const DIRECTIVES = new Set(
  (
    "default-src script-src script-src-elem script-src-attr style-src style-src-elem style-src-attr connect-src img-src " +
    "font-src media-src worker-src manifest-src frame-src object-src base-uri form-action frame-ancestors"
  ).split(" "),
);
const REPORT_LIMIT_BYTES = 16_384;
const REPORTS_MAX = 20;

/** Browsers send reports without credentials and in two spellings; both are counted, neither is trusted. */
function mountPolicyReports(scope: FastifyInstance, log: Log, metrics: Metrics): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    ["application/csp-report", "application/reports+json", "application/json"],
    { parseAs: "string", bodyLimit: REPORT_LIMIT_BYTES },
    (_, text, done) => {
      try {
        done(null, JSON.parse(text as string));
      } catch {
        done(Object.assign(new Error("not JSON"), { statusCode: 400 }));
      }
    },
  );
  scope.post(CSP_REPORT_PATH, { config: { weight: 5 } }, async (request, reply) => {
    const reports = Array.isArray(request.body) ? request.body : [request.body];
    for (const report of reports.slice(0, REPORTS_MAX)) {
      const { directive, blocked } = readReport(report);
      metrics.policyReports.inc({ directive });
      log.warn("csp.violated", { directive, blocked, requestId: request.id });
    }
    return reply.code(204).send();
  });
}

function readReport(report: unknown): { directive: string; blocked: string } {
  const outer = fieldsOf(report);
  const inner = fieldsOf(outer["csp-report"] ?? outer.body);
  const named = inner["effective-directive"] ?? inner.effectiveDirective ?? inner["violated-directive"];
  const directive = textOf(named).split(" ")[0] ?? "";
  const blocked = textOf(inner["blocked-uri"] ?? inner.blockedURL).split("?")[0] ?? "";
  return { directive: DIRECTIVES.has(directive) ? directive : "other", blocked: blocked.slice(0, 200) };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Anything but text is empty. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
