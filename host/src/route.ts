// One HTTP call as plain data: offered by a slice and mounted by the server. Owns the shape of a route, its typed input
// and its outcome. Independent of HTTP and schema libraries: schemas are JSON Schema objects as TypeBox types them.

import type { Caller, RouteScope } from "@clockwork/kit/caller";
import type { Endpoint, EndpointBase, EndpointMethod, RefusalTable, RefusalWords } from "@clockwork/kit/endpoint";
import type { SchemaValue } from "@clockwork/kit/schema-value";
import type { EdgeCode, GuardCode } from "./refusal.ts";

/** What every handler receives about the call in addition to its validated input. Time comes in as data. */
export interface RouteContext {
  readonly requestId: string;
  readonly ip: string;
  readonly caller: Caller;
  /** The user of the call: the person in the session, or the owner of the key. */
  readonly userId: string | null;
  readonly timeMs: number;
  readonly locale: string;
  /** The session the call was made in; absent for anonymous callers and programs without one. */
  readonly session?: { readonly id: string };
  /** A request header by lower-case name; undefined when absent. */
  header(name: string): string | undefined;
}

/** A file as it is sent. Nothing of it is read before the handler requests it. */
export interface IncomingFile {
  /** One of those the route takes; as declared by the sender, not verified. */
  readonly mediaType: string;
  /** All of its bytes; the server refuses a file above the route's limit. */
  read(): Promise<Uint8Array>;
}

/** An expected refusal: the same code reaches the log, the HTTP body and the translation key. */
export interface RouteRejection<Code extends string = string> {
  readonly code: Code;
  readonly status: number;
  readonly message: string;
  /** The error of each invalid input field. */
  readonly fields?: Readonly<Record<string, string>>;
  /** When a retry may help; sent as Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** The tokens for the caller's browser; the server turns them into cookies. */
export interface SessionTokens {
  /** Proves the session for a short while. */
  readonly accessToken: string;
  /** The same, valid only for the futures API. */
  readonly futuresToken: string;
  /** Marks the session; proves nothing alone. */
  readonly plainToken: string;
  /** Marks these tokens, and changes with them; proves nothing alone. While it is present, the user is logged in. */
  readonly loginToken: string;
  /** Renews the session; hidden from scripts. Absent when the browser's current one remains valid. */
  readonly refreshSecret?: string;
  /** How long a browser keeps it; absent means until it is closed. */
  readonly keepUntilMs?: number;
}

/** A preference stored by the caller's browser: readable by the page, sent everywhere on the site. Never a secret. */
export interface ChoiceCookie {
  readonly name: string;
  /** Only letters, digits and `_.-`. */
  readonly value: string;
  readonly keepSeconds: number;
}

export type Outcome<Data, Code extends string = string> =
  | {
      readonly ok: true;
      readonly data: Data;
      /** New tokens for the caller; null removes all of them. */
      readonly session?: SessionTokens | null;
      readonly choice?: ChoiceCookie;
    }
  | { readonly ok: false; readonly rejection: RouteRejection<Code> };

/** One route. `handle` is a method on purpose: a route typed by its schemas then fits a list of routes of any kind. */
export interface RouteSpec<
  Query = unknown,
  Params = unknown,
  Body = unknown,
  Output = unknown,
  Code extends string = string,
> {
  readonly method: EndpointMethod;
  /** Path below the API base, with `:name` parameters. */
  readonly path: string;
  /** Below /api only by default. */
  readonly bases?: readonly EndpointBase[];
  readonly summary: string;
  /** The slice's noun; groups the route in the OpenAPI document. */
  readonly tag: string;
  /** Schema of `data` in a successful response. */
  readonly output: object & Output;
  /** The refusals of the slice. */
  readonly refusals?: { readonly [Name in Code]?: RefusalWords };
  readonly query?: object & Query;
  readonly params?: object & Params;
  readonly body?: object & Body;
  /** The largest body of this call, where the server's general limit is too small. */
  readonly bodyBytesMax?: number;
  /** The body is one file as sent, instead of `body`. */
  readonly file?: { readonly bytesMax: number; readonly mediaTypes: readonly string[] };
  /**
   * The response is the same for all callers and needs no identification: it must work while sessions cannot be read.
   */
  readonly isForAll?: true;
  /** The log keeps nothing that could identify the caller. */
  readonly isAnonymous?: true;
  /** The handler waits only for the engine, which always answers: no timeout is set. */
  readonly isPrompt?: boolean;
  /** High-frequency calls of programs: may be answered in front of the HTTP library. Takes no query, sets no cookie. */
  readonly isQuick?: boolean;
  /** A GET with side effects: like every other method it is refused for requests from a foreign site. */
  readonly changes?: true;
  /** Who may call; omitted, anyone. Others are refused before the handler runs. */
  readonly scope?: RouteScope;
  /** Replaced by scope; declared so that a route that still sets it does not compile and become public. */
  readonly signedIn?: never;
  /** Calls allowed per window and caller, where the server's general bound is too wide. */
  readonly rate?: { readonly callsMax: number; readonly windowMs: number };
  handle(
    input: {
      readonly query: SchemaValue<Query>;
      readonly params: SchemaValue<Params>;
      readonly body: SchemaValue<Body>;
      /** There for routes that take one. */
      readonly file?: IncomingFile;
    },
    context: RouteContext,
  ): Promise<Outcome<SchemaValue<Output>, Code | EdgeCode | GuardCode>>;
}

/** Types a route's handler by its schemas: a handler that disagrees with them does not compile. */
export function defineRoute<Query, Params, Body, Output>(
  route: RouteSpec<Query, Params, Body, Output>,
): RouteSpec<Query, Params, Body, Output> {
  return route;
}

/** The route of a declared call: its schemas come from the contract, the rest from the slice. */
export function serve<Query, Params, Body, Output, Code extends string>(
  { method, path, schemas }: Endpoint<Query, Params, Body, Output, Code>,
  route: Omit<
    RouteSpec<Query, Params, Body, Output, NoInfer<Code>>,
    "method" | "path" | "bases" | "query" | "params" | "body" | "output" | "refusals"
  >,
): RouteSpec<Query, Params, Body, Output, Code> {
  if (schemas === undefined) throw new Error(`${method} ${path} has no schemas`);
  return { method, path, ...schemas, ...route };
}

export function answer<Data>(data: Data): { readonly ok: true; readonly data: Data } {
  return { ok: true, data };
}

/** A response that also stores a preference in the browser. */
export function answerChoice<Data>(
  data: Data,
  choice: ChoiceCookie,
): { readonly ok: true; readonly data: Data; readonly choice: ChoiceCookie } {
  return { ok: true, data, choice };
}

/** A response that also starts, renews or (null) ends the caller's session. */
export function answerSession<Data>(
  data: Data,
  session: SessionTokens | null,
): { readonly ok: true; readonly data: Data; readonly session: SessionTokens | null } {
  return { ok: true, data, session };
}

export function refuse<const Code extends string>(
  rejection: RouteRejection<Code>,
): { readonly ok: false; readonly rejection: RouteRejection<Code> } {
  return { ok: false, rejection };
}

/** A refusal in words; the message may be one that names a bound. */
export function refuseAs<Code extends string>(
  code: Code,
  [status, usual, { field, retryAfterSeconds } = {}]: RefusalWords,
  message: string = usual,
): { readonly ok: false; readonly rejection: RouteRejection<Code> } {
  return refuse({
    code,
    status,
    message,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(field === undefined ? {} : { fields: { [`body.${field}`]: message } }),
  });
}

/** A slice's refusal by its table; a 429 carries the seconds to wait as its detail. */
export function refuseBy<Table extends RefusalTable<string>, Code extends keyof Table & string>(
  table: Table,
  { code, detail }: { readonly code: Code; readonly detail?: string },
  fields?: Readonly<Record<string, string>>,
): { readonly ok: false; readonly rejection: RouteRejection<NoInfer<Code>> } {
  const { rejection } = refuseAs(code, table[code] as Table[Code]);
  const seconds = rejection.status === 429 ? { retryAfterSeconds: Number(detail ?? "1") } : {};
  return refuse({ ...rejection, ...seconds, ...(fields === undefined ? {} : { fields }) });
}

/** The caller of routes that require a session or key. */
export function callerOf({ userId, session }: RouteContext): { readonly userId: number; readonly sessionId: string } {
  return { userId: Number(userId), sessionId: session?.id ?? "" };
}
