// The one way the browser calls the API: headers, wrapper kinds, envelope, retries, time-outs, silent refresh. Never
// throws and never navigates: failures are answers, and the end of a session is reported to its owner.
import { RETRY_COUNT, RETRY_STATUSES, type RequestMethod } from "@clockwork/kit/constants";
import {
  type CodeOf,
  type DataOf,
  type Endpoint,
  type EndpointBase,
  type Fields,
  fillPath,
  type InputOf,
} from "@clockwork/kit/endpoint";
import { mintClientOrderId, type RandomSource } from "@clockwork/kit/id";
import { type Answer, fail, isUnauthorized, readAnswer } from "./answer.ts";
import type { Clock } from "./clock.ts";
import { wait } from "./clock.ts";
import { encodeFields } from "./encode-fields.ts";
import { buildFuturesHeaders, buildHeaders, futuresToken, type HeaderFields, type HeaderSource } from "./headers.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Makes a repeated call count once; minted by the caller when the user acts, unchanged on every retry. */
  readonly idempotencyKey?: string;
  /** A 401 is only an answer here: no refresh, no redirect to login. For public calls. */
  readonly anonymous?: boolean;
  /** Travels with a file, where no address may contain it. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DeclaredOptions extends CallOptions {
  /** Named where that is not the base of spot. */
  readonly api?: EndpointBase;
  /** The body is a form and not JSON. */
  readonly isForm?: true;
}

export interface RequestClient {
  /** A call as its contract declares it. */
  call<Called extends Endpoint>(
    called: Called,
    input: InputOf<Called>,
    options?: DeclaredOptions,
  ): Promise<Answer<DataOf<Called>, CodeOf<Called>>>;
  get<Data>(path: string, query?: Fields, options?: CallOptions): Promise<Answer<Data>>;
  postJson<Data>(path: string, body?: unknown, options?: CallOptions): Promise<Answer<Data>>;
  /** A file unchanged: it is the whole body. */
  postFile<Called extends Endpoint>(
    called: Called,
    file: Blob,
    query: InputOf<Called>,
    options?: CallOptions,
  ): Promise<Answer<DataOf<Called>, CodeOf<Called>>>;
  /** The idempotency key of one order. */
  mintOrderId(): string;
}

/** Which address a call goes to; a failed one is reported so that the next call may go elsewhere. */
export interface BaseSource {
  spot(): string;
  futures(): string;
  reportFailure?(base: string): void;
  reportSuccess?(base: string): void;
}

/** The result of a session renewal: new tokens, its end, or no definite answer. */
export type Renewal = "renewed" | "over" | "undecided";

export interface RequestParts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly headers: HeaderSource;
  readonly bases: BaseSource;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** One attempt to renew the access token from the session cookie. */
  readonly refresh?: () => Promise<Renewal>;
  /** The session is over: clear it and go to login, carrying where the user was. */
  readonly endSession?: (redirectUrl: string) => void;
  readonly currentUrl?: () => string;
  /** A call was refused and whether the session is valid is unknown: it continues, and is not ended on a guess. */
  readonly onUndecided?: () => void;
  /** Called with the code of every refusal, for those that concern the whole page. */
  readonly onRefused?: (code: number | string) => void;
  readonly timeoutMs?: number;
  readonly retryDelayMs?: number;
}

export const REQUEST_TIMEOUT_MS = 15_000;
const RETRY_DELAY_MS = 200;
/** A longer Retry-After is the user's to wait for, not ours. */
const RETRY_AFTER_MAX_MS = 5_000;

interface Call {
  readonly method: RequestMethod;
  readonly path: string;
  readonly api: "spot" | "futures";
  readonly query: string;
  readonly body: string | Blob | undefined;
  readonly contentType: string | undefined;
  readonly options: CallOptions;
}

interface Attempt<Data> {
  readonly answer: Answer<Data>;
  /** 0 when no answer came. */
  readonly status: number;
  readonly retryAfterMs: number | undefined;
}

export function createRequestClient(parts: RequestParts): RequestClient {
  const session = createSessionKeeper(parts);
  const run = async <Data>(call: Call) => {
    const answer = await runCall<Data>(parts, session, call);
    if (!answer.ok && answer.err.kind === "refused") parts.onRefused?.(answer.code);
    return answer;
  };
  const json = (method: RequestMethod, path: string, api: Call["api"], body: unknown, options: CallOptions): Call => ({
    method,
    path,
    api,
    query: "",
    body: body === undefined ? undefined : JSON.stringify(body),
    // An empty body must not claim to be JSON: servers rightly refuse that.
    contentType: body === undefined ? undefined : "application/json",
    options,
  });
  const form = (method: RequestMethod, path: string, fields: Fields, options: CallOptions): Call => ({
    method,
    path,
    api: "spot",
    query: "",
    body: encodeFields(fields),
    contentType: "application/x-www-form-urlencoded",
    options,
  });
  const query = (
    method: RequestMethod,
    path: string,
    api: Call["api"],
    fields: Fields,
    options: CallOptions,
  ): Call => ({
    method,
    path,
    api,
    query: encodeFields(fields),
    body: undefined,
    contentType: api === "futures" ? "application/json" : undefined,
    options,
  });
  return {
    call: ((called: Endpoint, input: unknown, { api = "spot", isForm, ...options }: DeclaredOptions = {}) => {
      const filled = fillPath(called.path, input as Fields);
      const { method } = called;
      // The root of the site is one step above the API's base.
      const [path, base] = api === "root" ? ([`/..${filled.path}`, "spot"] as const) : ([filled.path, api] as const);
      if (method === "GET" || (method === "DELETE" && !isForm))
        return run(query(method, path, base, filled.rest, options));
      return run(isForm ? form(method, path, filled.rest, options) : json(method, path, base, filled.rest, options));
    }) as RequestClient["call"],
    get: (path, fields = {}, options = {}) => run(query("GET", path, "spot", fields, options)),
    postJson: (path, body = {}, options = {}) => run(json("POST", path, "spot", body, options)),
    postFile: ((called: Endpoint, file: Blob, fields: unknown, options: CallOptions = {}) =>
      run({
        method: "POST",
        path: called.path,
        api: "spot",
        query: encodeFields(fields as Fields),
        body: file,
        contentType: file.type,
        options,
      })) as RequestClient["postFile"],
    mintOrderId: () => mintClientOrderId(parts.clock.now(), parts.random),
  };
}

interface SessionKeeper {
  /** What the tokens were when a call started. */
  mark(): SessionMark;
  /** Renewed: the call should be made once more, with new tokens. */
  recover(mark: SessionMark): Promise<Renewal>;
  /** New tokens were refused too: newer ones are worth another try; without them the session itself is no good. */
  recoverAgain(mark: SessionMark): Promise<Renewal>;
  /** Something is being changed, which may bring new tokens or be the session's end itself. */
  during<Value>(change: () => Promise<Value>, isAnonymous: boolean): Promise<Value>;
}

interface SessionMark {
  readonly tokens: string;
  readonly era: number;
}

/** Each change by the owner renames the session; more than these at once are not from the user. */
const SESSION_TRIES_MAX = 5;

/** Calls refused together share one refresh, and one way to login. */
function createSessionKeeper(parts: RequestParts): SessionKeeper {
  let era = 0;
  let pending: Promise<Renewal> | undefined;
  const changes = new Set<Promise<unknown>>();
  const tokens = () => `${parts.headers.accessToken() ?? ""} ${futuresToken(parts.headers)}`;
  // A user who changes a password or ends the session gets no end-of-session report: the answer is in flight, and is
  // handled first.
  const afterChanges = async (before: string): Promise<boolean> => {
    if (changes.size > 0) {
      await Promise.allSettled(changes);
      await wait(parts.clock, 0);
    }
    return tokens() !== before && parts.headers.accessToken() !== undefined;
  };
  const renew = async (): Promise<Renewal> => {
    const none: Renewal = "undecided";
    const before = tokens();
    // Two answers with tokens in flight may arrive in the wrong order, and the older would remain.
    if (await afterChanges(before)) return "renewed";
    const renewal = await (parts.refresh?.() ?? Promise.resolve<Renewal>("over")).catch(() => none);
    if (renewal === "undecided") parts.onUndecided?.();
    if (renewal !== "over") return renewal;
    if (await afterChanges(before)) return "renewed";
    end();
    return "over";
  };
  const end = () => {
    era += 1;
    parts.endSession?.(parts.currentUrl?.() ?? "/");
  };
  return {
    mark: () => ({ tokens: tokens(), era }),
    recover: async (mark) => {
      if (mark.era !== era) return "over";
      // Another refresh ended while this call was in flight: its new tokens are worth a try.
      if (pending === undefined && mark.tokens !== tokens()) return "renewed";
      pending ??= renew().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    recoverAgain: async (mark) => {
      if (await afterChanges(mark.tokens)) return "renewed";
      if (mark.era === era) end();
      return "over";
    },
    during: async (change, isAnonymous) => {
      if (!isAnonymous) await pending;
      const sent = change();
      changes.add(sent);
      return sent.finally(() => changes.delete(sent));
    },
  };
}

async function runCall<Data>(parts: RequestParts, session: SessionKeeper, call: Call): Promise<Answer<Data>> {
  const send = () => runRetries<Data>(parts, call);
  // A refresh is itself an unauthenticated call, and does not wait for itself.
  const isAnonymous = call.options.anonymous === true;
  for (let tries = 1; ; tries += 1) {
    const mark = session.mark();
    const { status, answer } = await (call.method === "GET" ? send() : session.during(send, isAnonymous));
    if (isAnonymous || !isUnauthorized(status, answer)) return answer;
    if (tries >= SESSION_TRIES_MAX) return answer;
    const renewal = await (tries === 1 ? session.recover(mark) : session.recoverAgain(mark));
    if (renewal === "undecided") return fail("network", "The server could not be reached.");
    if (renewal === "over") return answer;
  }
}

async function runRetries<Data>(parts: RequestParts, call: Call): Promise<Attempt<Data>> {
  for (let tries = 0; ; tries += 1) {
    const attempt = await runOnce<Data>(parts, call);
    const aborted = !attempt.answer.ok && attempt.answer.err.kind === "aborted";
    const retryable = attempt.status === 0 || RETRY_STATUSES.includes(attempt.status);
    if (aborted || !retryable || tries >= RETRY_COUNT[call.method]) return attempt;
    const delayMs = attempt.retryAfterMs ?? parts.retryDelayMs ?? RETRY_DELAY_MS;
    if (delayMs > RETRY_AFTER_MAX_MS) return attempt;
    await wait(parts.clock, delayMs);
    if (call.options.signal?.aborted === true) return attempt;
  }
}

async function runOnce<Data>(parts: RequestParts, call: Call): Promise<Attempt<Data>> {
  const base = call.api === "futures" ? parts.bases.futures() : parts.bases.spot();
  const abort = new AbortController();
  let timedOut = false;
  const cancelTimeout = parts.clock.after(call.options.timeoutMs ?? parts.timeoutMs ?? REQUEST_TIMEOUT_MS, () => {
    timedOut = true;
    abort.abort();
  });
  const onAbort = () => abort.abort();
  const { signal } = call.options;
  if (signal?.aborted === true) abort.abort();
  signal?.addEventListener("abort", onAbort);
  try {
    const response = await parts.fetch(buildUrl(base, call), buildInit(parts.headers, call, abort.signal));
    const text = await response.text();
    parts.bases.reportSuccess?.(base);
    const retryAfterMs = readRetryAfterMs(response.headers.get("retry-after"));
    const read = readAnswer<Data>(call.path, response.status, text);
    const isLater = !read.ok && retryAfterMs !== undefined;
    const answer = isLater ? { ...read, retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) } : read;
    return { answer, status: response.status, retryAfterMs };
  } catch (cause) {
    if (signal?.aborted === true) return unanswered(fail("aborted", "The call was given up.", { cause }));
    parts.bases.reportFailure?.(base);
    return unanswered(
      timedOut
        ? fail("timeout", "The server took too long to answer.", { cause })
        : fail("network", "The server could not be reached.", { cause }),
    );
  } finally {
    cancelTimeout();
    signal?.removeEventListener("abort", onAbort);
  }
}

function unanswered<Data>(answer: Answer<Data>): Attempt<Data> {
  return { answer, status: 0, retryAfterMs: undefined };
}

function buildUrl(base: string, call: Call): string {
  const url = base.replace(/\/+$/, "") + (call.path.startsWith("/") ? call.path : `/${call.path}`);
  return call.query === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${call.query}`;
}

function buildInit(source: HeaderSource, call: Call, signal: AbortSignal): RequestInit {
  const headers: HeaderFields = call.api === "futures" ? buildFuturesHeaders(source) : buildHeaders(source);
  Object.assign(headers, call.options.headers);
  if (call.contentType !== undefined) headers["content-type"] = call.contentType;
  if (call.options.idempotencyKey !== undefined) headers["idempotency-key"] = call.options.idempotencyKey;
  return {
    method: call.method,
    headers,
    signal,
    credentials: "include",
    ...(call.body === undefined ? {} : { body: call.body }),
  };
}

/** Seconds as the server writes them; dates are not worth a second clock. */
function readRetryAfterMs(text: string | null): number | undefined {
  return text !== null && /^[0-9]{1,6}$/.test(text) ? Number(text) * 1_000 : undefined;
}
