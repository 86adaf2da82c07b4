// The OpenAPI 3.1 document, made from the very routes that are mounted. Order depends on names alone, so that the
// document can be committed and a change of the wire shows as a difference.

import { EDGE_CODES } from "@clockwork/host/refusal";
import type { RouteSpec } from "@clockwork/host/route";
import { needsUser } from "@clockwork/kit/caller";
import type { FastifyInstance } from "fastify";
import { envelopeSchema } from "./call.ts";
import { areaOf, audienceOf } from "./openapi-groups.ts";
import { closeSchema, type JsonSchema } from "./schema.ts";

export interface MountedRoute {
  readonly base: string;
  readonly spec: RouteSpec;
}

declare module "fastify" {
  interface FastifyInstance {
    mountedRoutes: readonly MountedRoute[];
    productVersion: string;
  }
}

const METHOD_ORDER = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export function openApiDocument(app: FastifyInstance): JsonSchema {
  const routes = [...app.mountedRoutes].sort(compareRoutes);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { base, spec } of routes) {
    const path = base + spec.path.replace(/:([A-Za-z0-9_]+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][spec.method.toLowerCase()] = describeOperation(base, spec);
  }
  const tags = [...new Set(routes.map(({ spec }) => spec.tag))].sort();
  return sortKeys({
    openapi: "3.1.1",
    info: {
      title: "Clockwork",
      version: app.productVersion,
      description:
        "Every answer is an envelope of code, data and message. Success is code 0 below /api/v2/users and 200 elsewhere. " +
        "A refusal has a stable text code, no data, a message and the request id; its HTTP status agrees.",
    },
    servers: [{ url: "/" }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: { schemas: { Refusal: REFUSAL_SCHEMA }, responses: { Refusal: REFUSAL_RESPONSE } },
  }) as JsonSchema;
}

const REFUSAL_SCHEMA = {
  type: "object",
  required: ["code", "data", "message", "requestId"],
  properties: {
    code: {
      type: "string",
      description: `A stable code. The edge itself uses ${EDGE_CODES.join(", ")}; routes add their own.`,
    },
    data: { type: "null" },
    message: { type: "string" },
    requestId: { type: "string" },
    fields: { type: "object", additionalProperties: { type: "string" }, description: "What is wrong, by field" },
  },
};

const REFUSAL_RESPONSE = {
  description: "Refused",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
};

function describeOperation(base: string, spec: RouteSpec): Record<string, unknown> {
  const parameters = [
    ...describeParameters(spec.params as JsonSchema | undefined, "path"),
    ...describeParameters(spec.query as JsonSchema | undefined, "query"),
  ];
  return {
    operationId: operationId(base, spec),
    summary: spec.summary,
    tags: [spec.tag],
    "x-area": areaOf(spec.tag),
    "x-audience": audienceOf(spec.scope),
    ...(spec.refusals === undefined ? {} : { "x-refusals": Object.keys(spec.refusals).sort() }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...describeBody(spec),
    ...(needsUser(spec.scope) ? { "x-signed-in": true, "x-scope": nameScope(spec) } : {}),
    responses: {
      "200": { description: "Done", content: { "application/json": { schema: envelopeSchema(spec) } } },
      default: { $ref: "#/components/responses/Refusal" },
    },
  };
}

function describeBody({ body, file }: RouteSpec): Record<string, unknown> {
  if (file !== undefined) {
    const content = Object.fromEntries(file.mediaTypes.map((type) => [type, {}]));
    return { requestBody: { required: true, description: `At most ${file.bytesMax} bytes`, content } };
  }
  if (body === undefined) return {};
  const schema = closeSchema(body as JsonSchema);
  return {
    requestBody: {
      required: Array.isArray(schema.required) && schema.required.length > 0,
      content: { "application/json": { schema }, "application/x-www-form-urlencoded": { schema } },
    },
  };
}

function nameScope({ scope }: RouteSpec): string {
  if (typeof scope !== "object") return scope ?? "visitor";
  return "key" in scope ? `key:${scope.key}` : `operator:${scope.operator}`;
}

function describeParameters(schema: JsonSchema | undefined, where: "path" | "query"): unknown[] {
  if (schema === undefined) return [];
  const closed = closeSchema(schema);
  const required = (closed.required ?? []) as readonly string[];
  return Object.entries((closed.properties ?? {}) as Record<string, unknown>)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, part]) => ({ name, in: where, required: where === "path" || required.includes(name), schema: part }));
}

/** Ids are unique in the document: the same route below the futures base has another. */
function operationId(base: string, spec: RouteSpec): string {
  const words = `${base === "/futuresapi" ? base : ""}${spec.path}`
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
  return [spec.method.toLowerCase(), ...words].join("_");
}

function compareRoutes(left: MountedRoute, right: MountedRoute): number {
  const [leftPath, rightPath] = [left.base + left.spec.path, right.base + right.spec.path];
  if (leftPath !== rightPath) return leftPath < rightPath ? -1 : 1;
  return METHOD_ORDER.indexOf(left.spec.method) - METHOD_ORDER.indexOf(right.spec.method);
}

/** Keys in one order everywhere but under `properties`, where the schema's own order reads better. */
function sortKeys(value: unknown, keep = false): unknown {
  if (Array.isArray(value)) return value.map((item) => sortKeys(item));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  if (!keep) entries.sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item, key === "properties")]));
}
