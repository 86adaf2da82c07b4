// What happens to one call of a route once its input is read and checked, whichever road it came by: whose call it is,
// whether it may be made, the slice's handler, the envelope. Never touches a socket or a reply.
import type { IncomingHttpHeaders } from "node:http";
import { DEFAULT_LOCALE, SUCCESS_CODE, USERS_SUCCESS_CODE } from "@clockwork/kit/constants";
import { isLocale } from "@clockwork/kit/locale";
import type { ChoiceCookie, IncomingFile, Outcome, RouteContext, RouteSpec, SessionTokens } from "@clockwork/kit/route";
import { addressKey } from "./address.ts";
import { createLimiter } from "./limit.ts";
import { edgeRefusal, type Refusal } from "./refusal.ts";
import { findBrokenText, type JsonSchema } from "./schema.ts";
import type { Caller } from "./session-cookies.ts";

/** A call as the rules see it. */
export interface Call {
  readonly id: string;
  /** The client's address behind trusted proxies. */
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
  /** Made by a page that renders on this server; no header can pretend it. */
  readonly isInProcess: boolean;
}

/** What a route was asked; it has passed its schemas. */
export interface CallInput {
  readonly query: unknown;
  readonly params: unknown;
  readonly body: unknown;
  readonly file?: IncomingFile;
}

export interface Envelope {
  readonly code: number;
  readonly data: unknown;
  readonly message: string;
}

export type CallAnswer =
  | { readonly refusal: Refusal; readonly retryAfterSeconds?: number | undefined }
  | {
      readonly refusal: undefined;
      readonly envelope: Envelope;
      readonly timeMs: number;
      readonly session: SessionTokens | null | undefined;
      readonly choice: ChoiceCookie | undefined;
    };

export interface CallOptions {
  readonly clock: () => number;
  /** Who is calling; null for an anonymous visitor. At once when it is known already. */
  readonly identify: (call: Call) => Caller | null | Promise<Caller | null>;
  /** False when a browser says that a foreign site asks. */
  readonly isOwnSite: (call: Call) => boolean;
  /** Throws for an answer that is not what its schema says; absent where answers are trusted. */
  readonly checkReply?: (envelope: Envelope) => void;
}

export type Responder = (call: Call, input: CallInput) => Promise<CallAnswer>;

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

/** Asks whose call it is, lets the slice handle it, and puts what it says into the envelope. */
export function createResponder(spec: RouteSpec, options: CallOptions): Responder {
  const code = successCode(spec.path);
  const limiter =
    spec.rate === undefined
      ? undefined
      : createLimiter({ weightMax: spec.rate.callsMax, windowMs: spec.rate.windowMs, callersMax: 20_000 });
  return async (call, input) => {
    if (spec.changes === true && !options.isOwnSite(call)) return { refusal: edgeRefusal("CROSS_SITE_REFUSED") };
    const timeMs = options.clock();
    const known = options.identify(call);
    const caller = known instanceof Promise ? await known : known;
    const userId = caller?.userId ?? null;
    if (spec.signedIn === true && userId === null) return { refusal: edgeRefusal("UNAUTHENTICATED") };
    const verdict = limiter?.charge(userId ?? addressKey(call.address), 1, timeMs);
    if (verdict?.allowed === false) {
      return { refusal: edgeRefusal("RATE_LIMITED"), retryAfterSeconds: verdict.retryAfterSeconds };
    }
    const broken = findBroken(input);
    if (broken !== undefined) return { refusal: broken };
    const outcome: Outcome<unknown> = await spec.handle(input, routeContext(call, caller, timeMs));
    if (!outcome.ok) return { refusal: outcome.rejection, retryAfterSeconds: outcome.rejection.retryAfterSeconds };
    const envelope = { code, data: outcome.data, message: "success" };
    options.checkReply?.(envelope);
    return { refusal: undefined, envelope, timeMs, session: outcome.session, choice: outcome.choice };
  };
}

function findBroken({ query, params, body }: CallInput): Refusal | undefined {
  const where = findBrokenText(query, "query") ?? findBrokenText(params, "params") ?? findBrokenText(body, "body");
  if (where === undefined) return undefined;
  return edgeRefusal("VALIDATION_FAILED", { fields: { [where]: "must be text without NUL or broken characters" } });
}

function routeContext(call: Call, caller: Caller | null, timeMs: number): RouteContext {
  const { headers } = call;
  const language = headers["x-language"] ?? headers.language;
  const context: RouteContext & { session?: { readonly id: string } } = {
    requestId: call.id,
    ip: call.address,
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
