// The documents of what programs may call: our own API as OpenAPI, whole and by area, our streams as AsyncAPI, and the
// calls of the Binance dialect as OpenAPI. Made from what is mounted, once.
import type { Channel } from "@clockwork/host/channel";
import type { FastifyInstance } from "fastify";
import type { Endpoint } from "../dialect/endpoint.ts";
import { openApiDocument } from "../http/openapi.ts";
import { isOpen, OPEN_BASE } from "./gateway.ts";
import { KEY_HEADER, SIGNATURE_HEADER, TIME_HEADER } from "./proof.ts";

const FRESH = "public, max-age=300";
const WEIGHT = 20;
type Json = Readonly<Record<string, unknown>>;
type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>;

const SIGNING =
  `Signed calls carry ${[KEY_HEADER, TIME_HEADER, SIGNATURE_HEADER].join(", ")}. The signature is over the time, the ` +
  "method, the path with its query and the body, joined by line feeds: HMAC-SHA256 in hex by the secret, or Ed25519 or " +
  "RSA in base64 by the private key.";

const SECURITY = {
  key: { type: "apiKey", in: "header", name: KEY_HEADER },
  time: { type: "apiKey", in: "header", name: TIME_HEADER },
  signature: { type: "apiKey", in: "header", name: SIGNATURE_HEADER },
} as const;

/** The calls of programs at their addresses; of one area, or of all. */
export function openDocument(app: FastifyInstance, area?: string): Json {
  const whole = openApiDocument(app) as Json & {
    readonly paths: Paths;
    readonly components: Json;
    readonly info: Json;
  };
  const paths: Record<string, Record<string, Json>> = {};
  const served = new Set(
    app.mountedRoutes
      .filter(isOpen)
      .map(({ base, spec }) => `${spec.method.toLowerCase()} ${base}${spec.path.replace(/:([A-Za-z0-9_]+)/g, "{$1}")}`),
  );
  for (const [path, methods] of Object.entries(whole.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const audience = operation["x-audience"];
      if (!served.has(`${method} ${path}`) || (area !== undefined && operation["x-area"] !== area)) continue;
      const security = audience === "program" ? { security: [{ key: [], time: [], signature: [] }] } : {};
      paths[OPEN_BASE + path] = { ...paths[OPEN_BASE + path], [method]: { ...operation, ...security } };
    }
  }
  const { description } = whole.info;
  return {
    ...whole,
    info: { ...whole.info, description: `${String(description)} ${SIGNING}` },
    paths,
    components: { ...whole.components, securitySchemes: SECURITY },
  };
}

export function streamDocument(channels: readonly Channel[], version: string): Json {
  const unique = [...new Map(channels.map((channel) => [channel.channel, channel])).values()];
  unique.sort((left, right) => (left.channel < right.channel ? -1 : 1));
  const named = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, "_");
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Clockwork streams",
      version,
      description:
        "One socket at /ws. Messages are JSON objects with a text event: sub, unsub, ping, login, logout. A topic is a " +
        "channel with biz, type and pairCode where it has them. A latest channel replaces its value; a sequenced one is " +
        "numbered, so that a reader who missed an update gets it again or a snapshot.",
    },
    servers: { exchange: { host: "localhost", pathname: "/ws", protocol: "wss" } },
    channels: Object.fromEntries(
      unique.map(({ channel }) => [
        named(channel),
        { address: "/ws", title: channel, messages: { update: { $ref: "#/components/messages/update" } } },
      ]),
    ),
    operations: Object.fromEntries(
      unique.map(({ channel, kind, isPrivate }) => [
        `receive_${named(channel)}`,
        {
          action: "send",
          channel: { $ref: `#/channels/${named(channel)}` },
          "x-kind": kind,
          "x-audience": isPrivate === true ? "account" : "public",
        },
      ]),
    ),
    components: { messages: { update: { payload: UPDATE } } },
  };
}

const UPDATE = {
  type: "object",
  required: ["event", "channel"],
  properties: {
    event: { const: "data" },
    channel: { type: "string" },
    biz: { type: "string" },
    type: { type: "string" },
    pairCode: { type: "string" },
    snapshot: { type: "boolean" },
    firstSequence: { type: "integer" },
    sequence: { type: "integer" },
    data: {},
  },
} as const;

/** Parameters are named where a call takes no others; elsewhere Binance's own documents list them. */
export function dialectDocument(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const { method, path, security, permission, weight, takes, orders } of endpoints) {
    const signed = { security: [{ key: [] }], "x-permission": security === "signed" ? (permission ?? "read") : null };
    const names = [...(takes ?? [])].map((name) => ({ name, in: "query", schema: { type: "string" } }));
    const operation = {
      operationId: [method.toLowerCase(), ...path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "")].join("_"),
      ...(names.length > 0 ? { parameters: names } : {}),
      ...(security === "none" ? {} : signed),
      "x-security": security,
      ...(typeof weight === "number" ? { "x-weight": weight } : {}),
      ...(typeof orders === "number" ? { "x-orders": orders } : {}),
      responses: {
        "200": { description: "As Binance documents it" },
        default: { $ref: "#/components/responses/Refusal" },
      },
    };
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  const refusal = {
    type: "object",
    required: ["code", "msg"],
    properties: { code: { type: "integer" }, msg: { type: "string" } },
  };
  return {
    openapi: "3.1.1",
    info: { title: "Clockwork, Binance's dialect", version },
    servers: [{ url: "/" }],
    paths: Object.fromEntries(Object.entries(paths).sort(([left], [right]) => (left < right ? -1 : 1))),
    components: {
      securitySchemes: { key: { type: "apiKey", in: "header", name: "X-MBX-APIKEY" } },
      responses: { Refusal: { description: "Refused", content: { "application/json": { schema: refusal } } } },
    },
  };
}

export function mountDocuments(
  app: FastifyInstance,
  { channels, endpoints }: { readonly channels: () => readonly Channel[]; readonly endpoints: readonly Endpoint[] },
): void {
  const kept = new Map<string, string>();
  const serve = (path: string, make: (name: string) => Json | undefined): void => {
    app.get<{ Params: { name?: string } }>(path, { config: { weight: WEIGHT } }, async (request, reply) => {
      const { name = "" } = request.params;
      const key = `${path}/${name}`;
      const text = kept.get(key) ?? JSON.stringify(make(name.replace(/\.json$/, "")) ?? null);
      reply.raw.setHeader("access-control-allow-origin", "*");
      if (text === "null") return reply.code(404).type("application/json").send('{"code":"NOT_FOUND"}');
      kept.set(key, text);
      return reply.header("cache-control", FRESH).type("application/json; charset=utf-8").send(text);
    });
  };
  serve(`${OPEN_BASE}/openapi.json`, () => openDocument(app));
  serve(`${OPEN_BASE}/openapi/:name`, (area) => {
    const document = openDocument(app, area);
    return Object.keys(document.paths as object).length === 0 ? undefined : document;
  });
  serve(`${OPEN_BASE}/asyncapi.json`, () => streamDocument(channels(), app.productVersion));
  serve(`${OPEN_BASE}/dialect.json`, () => dialectDocument(endpoints, app.productVersion));
}
