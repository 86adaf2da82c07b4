// A call as it reaches a route, from any transport, and how a part authenticates its caller. Declarations only.
import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "@clockwork/kit/caller";
import type { EndpointMethod } from "@clockwork/kit/endpoint";
import type { Refusal } from "./refusal.ts";
import type { ChoiceCookie, IncomingFile, RouteSpec, SessionTokens } from "./route.ts";

/** A call as the rules see it. */
export interface Call {
  readonly id: string;
  /** The client's address behind trusted proxies. */
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
  /** The path and query as requested. */
  readonly url: string;
  /** Set by this process when it calls a route itself; never read from a request. */
  readonly caller?: Caller;
  /** Made by a page that renders on this server; no header can pretend it. */
  readonly isInProcess: boolean;
}

/** The input of a route; it has passed its schemas. */
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

/** Why a call must wait while its part of the product is under maintenance. */
export type FindResting = (spec: RouteSpec, input: CallInput, timeMs: number) => Refusal | undefined;

/** A caller, or why the credential is refused. */
export type Identified = Caller | { readonly kind: "refused"; readonly refusal: Refusal };

/** One way to prove who calls. A part lists its own in `identifiers`. */
export interface Identifier {
  readonly name: string;
  /**
   * Undefined when the call carries nothing of this kind, or nothing valid: the next one is tried. Returns
   * synchronously when possible; a promise costs every call a turn.
   */
  identify(call: Call): Identified | undefined | Promise<Identified | undefined>;
}

export interface InternalCall extends Partial<CallInput> {
  readonly method: EndpointMethod;
  /** The route as mounted, with its base and `:name` parameters. */
  readonly route: string;
  readonly caller: Caller;
  /** Of the call from outside this one is made for. */
  readonly requestId: string;
  readonly address: string;
  readonly headers?: Call["headers"];
}

/** Routes called from inside the process, with an explicit caller. */
export interface Calls {
  /** Rejects only for a fault or for a missing route. */
  call(requested: InternalCall): Promise<CallAnswer>;
}
