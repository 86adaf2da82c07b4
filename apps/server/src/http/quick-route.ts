// A route as the quick lane needs it: how its first line looks, how its input is read and checked, how its answer becomes
// text. Uses the HTTP library's own parser, validators and serializer, made at the start: there is one rule, not two.

import type { Call, CallAnswer, CallInput, Envelope } from "@clockwork/host/call";
import type { Refusal } from "@clockwork/host/refusal";
import type { RouteSpec } from "@clockwork/host/route";
import type { FastifyInstance } from "fastify";
import { envelopeSchema, type Responder, respondTo } from "./call.ts";
import type { PlainHead } from "./quick-request.ts";
import { refusalBody } from "./refusal.ts";
import { type JsonSchema, readTexts } from "./schema.ts";

export interface QuickRoute {
  /** The scope the route is mounted in; it makes the validators and the serializer. */
  readonly app: FastifyInstance;
  /** The whole path, with `:name` parameters. */
  readonly url: string;
  readonly spec: RouteSpec;
  readonly schemas: Readonly<Record<"query" | "params" | "body", JsonSchema | undefined>>;
  readonly weight: number;
  readonly responder: Responder;
}

/** An answer as text. */
export interface QuickReply {
  readonly status: number;
  readonly body: string;
  /** What it was refused with. */
  readonly refusal?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** Own header lines. */
  readonly lines?: string | undefined;
}

/** What the lane requires of a route, in any dialect. */
export interface QuickTarget {
  readonly method: string;
  /** The route's pattern. */
  readonly url: string;
  /** What it costs its address; undefined where the route charges on its own. */
  readonly weight: number | undefined;
  readonly isPrompt: boolean;
  readonly isAnonymous: boolean;
  /** The first characters of every request for this route. */
  readonly start: string;
  /** The whole first line, where it can be without parameters. */
  readonly line: string | undefined;
  match(firstLine: string): QuickMatch | undefined;
  takes(headers: PlainHead["headers"], bodyBytes: number | undefined): boolean;
  /** Undefined when anything about it is wrong. */
  readInput(match: QuickMatch, bodyText: string): unknown;
  reply(call: Call, input: unknown): Promise<QuickReply>;
  refuse(refusal: Refusal, requestId: string): QuickReply;
}

/** A route and the parameters of one of its addresses. */
export interface QuickMatch {
  readonly route: QuickTarget;
  /** The path as requested, with its query. */
  readonly url: string;
  readonly texts: Readonly<Record<string, string>>;
}

type Check = (value: unknown) => boolean;

export const VERSION = " HTTP/1.1";
const PARAM = /:([A-Za-z0-9_]+)/g;
const PARAM_TEXT = "([A-Za-z0-9_-]{1,64})";
/** What is longer is counted as it arrives, which is not done here. */
const QUICK_BODY_BYTES_MAX = 65_536;
const JSON_TYPES: ReadonlySet<string> = new Set(["application/json", "application/json; charset=utf-8"]);

export class OpenRoute implements QuickTarget {
  readonly method: string;
  readonly url: string;
  readonly weight: number;
  readonly isPrompt: boolean;
  readonly isAnonymous: boolean;
  readonly start: string;
  /** Undefined when it holds parameters. */
  readonly line: string | undefined;
  readonly #responder: Responder;
  readonly #bodyBytesMax: number;
  readonly #paramsSchema: JsonSchema | undefined;
  readonly #pattern: RegExp;
  readonly #names: readonly string[];
  readonly #checks: Readonly<Record<"query" | "params" | "body", Check | undefined>>;
  readonly #serialize: (envelope: Envelope) => string;
  readonly #parse: (text: string) => unknown;

  constructor(route: QuickRoute, bodyLimitBytes: number) {
    const { spec, url, schemas, app } = route;
    const requested = `${spec.method} ${url}`;
    this.method = spec.method;
    this.url = url;
    this.weight = route.weight;
    this.isPrompt = spec.isPrompt === true;
    this.isAnonymous = spec.isAnonymous === true;
    this.#responder = route.responder;
    this.#paramsSchema = schemas.params;
    this.start = requested.split(":")[0] ?? requested;
    this.line = requested.includes(":") ? undefined : requested + VERSION;
    this.#bodyBytesMax = Math.min(spec.bodyBytesMax ?? bodyLimitBytes, QUICK_BODY_BYTES_MAX);
    this.#names = [...requested.matchAll(PARAM)].map((found) => found[1] as string);
    const plain = requested.split(/:[A-Za-z0-9_]+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    this.#pattern = new RegExp(`^${plain.join(PARAM_TEXT)}${VERSION.replaceAll(".", "\\.")}$`);
    const check = (part: "query" | "params" | "body"): Check | undefined =>
      schemas[part] === undefined ? undefined : compileCheck(route, schemas[part], part);
    this.#checks = { query: check("query"), params: check("params"), body: check("body") };
    this.#serialize = compileSerializer(route);
    this.#parse = createParser(app);
  }

  match(firstLine: string): QuickMatch | undefined {
    const found = this.#pattern.exec(firstLine);
    if (found === null) return undefined;
    const texts = Object.fromEntries(this.#names.map((name, index) => [name, found[index + 1] ?? ""]));
    return { route: this, url: urlOf(this, firstLine), texts };
  }

  /** True when the head announces exactly the kind of body this route reads. */
  takes(headers: PlainHead["headers"], bodyBytes: number | undefined): boolean {
    const type = headers["content-type"];
    if (this.#checks.body === undefined) return type === undefined && (bodyBytes === undefined || bodyBytes === 0);
    return type !== undefined && JSON_TYPES.has(type) && bodyBytes !== undefined && bodyBytes <= this.#bodyBytesMax;
  }

  /** The input, checked by the route's schemas; undefined when anything about it is wrong. */
  readInput({ texts }: QuickMatch, bodyText: string): CallInput | undefined {
    const query = {};
    if (this.#checks.query?.(query) === false) return undefined;
    const params = this.#paramsSchema === undefined ? texts : readTexts(this.#paramsSchema, texts);
    if (this.#checks.params?.(params) === false) return undefined;
    if (this.#checks.body === undefined) return { query, params, body: undefined };
    const body = this.#parse(bodyText) ?? UNREADABLE;
    return body !== UNREADABLE && this.#checks.body(body) ? { query, params, body } : undefined;
  }

  reply(call: Call, input: unknown): Promise<QuickReply> {
    return respondTo(this.#responder, call, input as CallInput).then((answer) => this.#describe(call, answer));
  }

  #describe(call: Call, answer: CallAnswer): QuickReply {
    if (answer.refusal !== undefined) {
      const { retryAfterSeconds = answer.refusal.retryAfterSeconds } = answer;
      return { ...this.refuse(answer.refusal, call.id), retryAfterSeconds };
    }
    if (answer.session !== undefined || answer.choice !== undefined) throw new Error("a quick route sets no cookie");
    return { status: 200, body: this.#serialize(answer.envelope) };
  }

  refuse(refusal: Refusal, requestId: string): QuickReply {
    const { status, code, retryAfterSeconds } = refusal;
    return { status, body: JSON.stringify(refusalBody(refusal, requestId)), refusal: code, retryAfterSeconds };
  }
}

/** The part between the method and the version. */
export function urlOf({ method }: Pick<QuickTarget, "method">, firstLine: string): string {
  return firstLine.slice(method.length + 1, -VERSION.length);
}

const UNREADABLE = Symbol("unreadable");

function compileCheck({ app, spec, url }: QuickRoute, schema: JsonSchema, part: "query" | "params" | "body"): Check {
  const httpPart = part === "query" ? "querystring" : part;
  const validate = app.validatorCompiler?.({ schema, method: spec.method, url, httpPart });
  if (validate === undefined) throw new Error(`${spec.method} ${url} has no validator`);
  return (value) => validate(value) === true;
}

function compileSerializer({ app, spec, url }: QuickRoute): (envelope: Envelope) => string {
  const serialize = app.serializerCompiler?.({
    schema: envelopeSchema(spec),
    method: spec.method,
    url,
    httpStatus: "200",
  });
  if (serialize === undefined) throw new Error(`${spec.method} ${url} has no serializer`);
  return serialize;
}

/** The library's own reader of JSON, which refuses what would poison a prototype. It answers at once. */
function createParser(app: FastifyInstance): (text: string) => unknown {
  const parse = app.getDefaultJsonParser("error", "error");
  let parsed: unknown;
  const done = (error: Error | null, value?: unknown): void => {
    parsed = error === null ? value : undefined;
  };
  return (text) => {
    parsed = undefined;
    void parse(undefined as never, text, done);
    return parsed;
  };
}
