// What happens to one call of a route once its input is read and checked, whichever way it came: whose call it is,
// whether it may be made, the slice's handler, the envelope. Never touches a socket or a reply.

import { addressKey } from "@clockwork/host/address";
import type { Call, CallAnswer, CallInput, Envelope, FindResting, Identified } from "@clockwork/host/call";
import { readFor } from "@clockwork/host/reading";
import { edgeRefusal, type Refusal } from "@clockwork/host/refusal";
import type { Outcome, RouteContext, RouteSpec } from "@clockwork/host/route";
import { type Caller, findScopeRefusal, sessionIdOf, userIdOf, VISITOR } from "@clockwork/kit/caller";
import { DEFAULT_LOCALE, SUCCESS_CODE, USERS_SUCCESS_CODE } from "@clockwork/kit/constants";
import { isLocale } from "@clockwork/kit/locale";
import type { AccountLimit } from "./account-limit.ts";
import type { Identify } from "./identify.ts";
import { createLimiter } from "./limit.ts";
import { findBrokenText, type JsonSchema } from "./schema.ts";

export interface CallOptions {
  readonly clock: () => number;
  /** Identifies the caller. Synchronous when already decided. */
  readonly identify: Identify;
  /** Nothing when this operator may, in this session, now. */
  readonly permit: (context: RouteContext, permission: string, isRead: boolean) => Promise<Refusal | undefined>;
  /** False when a browser reports that a foreign site sends the call. */
  readonly isOwnSite: (call: Call) => boolean;
  /** Why the call must wait while its part of the product is under maintenance. */
  readonly findResting?: FindResting | undefined;
  /** What the call costs its account, wherever it comes from; absent where nothing is counted. */
  readonly account?: { readonly limit: AccountLimit; readonly weight: number };
  /** Throws for an answer that violates its schema; absent where answers are trusted. */
  readonly checkReply?: (envelope: Envelope) => void;
}

/** A call that may be made, by whom; or why it may not. */
export type Admission = { readonly refusal: Refusal } | { readonly refusal: undefined; readonly caller: Caller };

export interface Responder {
  /** Whether the call may be made, before its input is read. Synchronous when that is already decided. */
  admit(call: Call): Admission | Promise<Admission>;
  /** Answers an admitted call. */
  answer(call: Call, admission: Admission, input: CallInput): Promise<CallAnswer>;
}

/** Admits and answers in one step, where the input has been read already. */
export function respondTo({ admit, answer }: Responder, call: Call, input: CallInput): Promise<CallAnswer> {
  const admission = admit(call);
  return admission instanceof Promise
    ? admission.then((admitted) => answer(call, admitted, input))
    : answer(call, admission, input);
}

export function successCode(path: string): number {
  return path.startsWith("/v2/users/") ? USERS_SUCCESS_CODE : SUCCESS_CODE;
}

const envelopes = new WeakMap<object, Map<number, JsonSchema>>();

/** One for each output: outputs are constants of their slices, and every server of the process has the same. */
export function envelopeSchema(spec: RouteSpec): JsonSchema {
  const known = envelopes.get(spec.output) ?? new Map<number, JsonSchema>();
  envelopes.set(spec.output, known);
  const code = successCode(spec.path);
  const schema = known.get(code) ?? makeEnvelope(code, spec);
  known.set(code, schema);
  return schema;
}

function makeEnvelope(code: number, spec: RouteSpec): JsonSchema {
  return {
    type: "object",
    required: ["code", "data", "message"],
    properties: {
      code: { type: "integer", const: code },
      data: JSON.parse(JSON.stringify(spec.output)) as JsonSchema,
      message: { type: "string" },
    },
  };
}

/** Identifies the caller, lets the slice handle the call, and puts its answer into the envelope. */
export function createResponder(spec: RouteSpec, options: CallOptions): Responder {
  const code = successCode(spec.path);
  const { scope } = spec;
  const permission = typeof scope === "object" && "operator" in scope ? scope.operator : undefined;
  const isRead = spec.method === "GET" && spec.changes !== true;
  const limiter =
    spec.rate === undefined
      ? undefined
      : createLimiter({ weightMax: spec.rate.callsMax, windowMs: spec.rate.windowMs, callersMax: 20_000 });
  // Reads by operators are audited: a foreign site must not cause one.
  const isGuarded = (call: Call): boolean => spec.changes === true || (permission !== undefined && !call.isInProcess);
  // Operator routes are guarded by their own proof, and pictures there are opened by plain links.
  const isPlainChange = spec.changes === true && permission === undefined;
  const judge = (call: Call, caller: Identified): Admission | Promise<Admission> => {
    if (caller.kind === "refused") return { refusal: caller.refusal };
    const outside = findScopeRefusal(scope, caller);
    if (outside !== undefined) return { refusal: edgeRefusal(outside) };
    if (permission === undefined) return { refusal: undefined, caller };
    return options
      .permit(routeContext(call, caller, options.clock()), permission, isRead)
      .then((refusal) => (refusal === undefined ? { refusal, caller: operatorBy(caller, permission) } : { refusal }));
  };
  return {
    admit(call) {
      if (isGuarded(call) && !(options.isOwnSite(call) && (!isPlainChange || isOwnFetch(call))))
        return { refusal: edgeRefusal("CROSS_SITE_REFUSED") };
      const known = spec.isForAll === true ? VISITOR : options.identify(call);
      return known instanceof Promise ? known.then((caller) => judge(call, caller)) : judge(call, known);
    },
    async answer(call, admission, input) {
      if (admission.refusal !== undefined) return { refusal: admission.refusal };
      const { caller } = admission;
      const timeMs = options.clock();
      const userId = userIdOf(caller);
      // A page's own calls were paid for by the page's request.
      const waitSeconds = userId === null || call.isInProcess ? undefined : chargeAccount(options, userId, timeMs);
      if (waitSeconds !== undefined) return { refusal: edgeRefusal("RATE_LIMITED"), retryAfterSeconds: waitSeconds };
      const verdict = limiter?.charge(userId ?? addressKey(call.address), 1, timeMs);
      if (verdict?.allowed === false) {
        return { refusal: edgeRefusal("RATE_LIMITED"), retryAfterSeconds: verdict.retryAfterSeconds };
      }
      const broken = findBroken(input);
      if (broken !== undefined) return { refusal: broken };
      const resting = caller.kind === "internal" ? undefined : options.findResting?.(spec, input, timeMs);
      if (resting !== undefined) return { refusal: resting, retryAfterSeconds: resting.retryAfterSeconds };
      const reading = { key: userId ?? addressKey(call.address), spentMs: 0 };
      const context = routeContext(call, caller, timeMs);
      const outcome: Outcome<unknown> = await readFor(reading, () => spec.handle(input, context));
      if (userId !== null) options.account?.limit.chargeReading(userId, reading.spentMs, timeMs);
      if (!outcome.ok) return { refusal: outcome.rejection, retryAfterSeconds: outcome.rejection.retryAfterSeconds };
      const envelope = { code, data: outcome.data, message: "success" };
      options.checkReply?.(envelope);
      return { refusal: undefined, envelope, timeMs, session: outcome.session, choice: outcome.choice };
    },
  };
}

/**
 * A link or a picture on another site sends no origin where its browser has no fetch metadata, and cannot send a custom
 * header. The origin itself was checked before.
 */
function isOwnFetch({ headers, isInProcess }: Call): boolean {
  const site = headers["sec-fetch-site"];
  if (isInProcess || headers.origin !== undefined) return true;
  return site === "same-origin" || (site === undefined && headers.cwdeviceid !== undefined);
}

function chargeAccount({ account }: CallOptions, userId: string, timeMs: number): number | undefined {
  return account?.limit.charge(userId, account.weight, timeMs);
}

function findBroken({ query, params, body }: CallInput): Refusal | undefined {
  const where = findBrokenText(query, "query") ?? findBrokenText(params, "params") ?? findBrokenText(body, "body");
  if (where === undefined) return undefined;
  return edgeRefusal("VALIDATION_FAILED", { fields: { [where]: "must be text without NUL or broken characters" } });
}

function operatorBy(caller: Caller, permission: string): Caller {
  if (caller.kind !== "user") return caller;
  const { userId, sessionId } = caller;
  return { kind: "operator", userId, permission, ...(sessionId === undefined ? {} : { sessionId }) };
}

function routeContext(call: Call, caller: Caller, timeMs: number): RouteContext {
  const { headers } = call;
  // The last is what calls of the futures API may name alone (NET-1).
  const language = headers["x-language"] ?? headers.language ?? headers["x-locale"];
  const context: RouteContext & { session?: { readonly id: string } } = {
    requestId: call.id,
    ip: call.address,
    caller,
    userId: userIdOf(caller),
    timeMs,
    locale: isLocale(language) ? language : DEFAULT_LOCALE,
    header(name: string): string | undefined {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
  };
  // Added, not spread in: this is made for every call.
  const sessionId = sessionIdOf(caller);
  if (sessionId !== undefined) context.session = { id: sessionId };
  return context;
}
