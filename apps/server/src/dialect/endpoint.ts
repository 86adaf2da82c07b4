// One call of the Binance dialect as plain data, and what its handler may use: read parameters, the key's holder, and
// the exchange's own routes, called as that key. Holds no rule of trading.

import type { CallAnswer, Calls } from "@clockwork/host/call";
import type { Refusal } from "@clockwork/host/refusal";
import type { KeyHolder } from "@clockwork/identity/apikeys/reading-service";
import { type Caller, type KeyPermission, VISITOR } from "@clockwork/kit/caller";
import type { EndpointMethod } from "@clockwork/kit/endpoint";
import { type DialectRefusal, refusalFrom } from "./refusal.ts";
import type { Parameters } from "./request.ts";

export interface Endpoint {
  readonly method: EndpointMethod;
  readonly path: string;
  /** What it costs its address per minute, and the account of its key. */
  readonly weight: number | ((parameters: Parameters) => number);
  /** True where the weight is on the account's own scale: the address pays one. */
  readonly isOwnWeight?: boolean;
  /** none: any caller. key: the key alone, as listen keys are requested. signed: key, time and signature. */
  readonly security: "none" | "key" | "signed";
  /** What the key must be allowed, where it is signed; reading if left out. */
  readonly permission?: KeyPermission;
  /**
   * All the parameters it takes in addition to those of every call; any other is refused. Undefined: others are
   * ignored.
   */
  readonly takes?: ReadonlySet<string>;
  /** How many orders it counts as. */
  readonly orders?: number | ((parameters: Parameters) => number);
  /** True for orders that only close: they continue when others exceed the limit. */
  readonly closes?: (parameters: Parameters) => boolean;
  /** Maps the exchange's refusals to the dialect; spot's mapping if left out. */
  readonly translate?: Translate;
  handle(call: DialectCall): Promise<unknown> | unknown;
}

export type Translate = (refusal: Refusal, retryAfterSeconds?: number) => DialectRefusal;

export interface DialectCall {
  readonly parameters: Parameters;
  readonly timeMs: number;
  readonly address: string;
  readonly requestId: string;
  /** Present for endpoints that require a key. */
  readonly holder: KeyHolder | undefined;
  /** What the call is signed with; names the call where the client did not. */
  readonly signature: string | undefined;
  /** Calls one of the exchange's routes as the key's owner within the key's permissions. Throws what it refuses. */
  ask(method: EndpointMethod, route: string, input?: RequestedInput): Promise<unknown>;
}

export interface RequestedInput {
  readonly query?: object;
  readonly params?: object;
  readonly body?: object;
}

/** What every call may have, over a socket too. */
const EVERYWHERE = ["timestamp", "recvWindow", "apiKey", "returnRateLimits"] as const;

export function names(...own: readonly string[]): ReadonlySet<string> {
  return new Set([...EVERYWHERE, ...own]);
}

export function holderOf({ holder }: DialectCall): KeyHolder {
  if (holder === undefined) throw new Error("an endpoint without a key asked for one");
  return holder;
}

export function caller(
  calls: Calls,
  call: Pick<DialectCall, "holder" | "address" | "requestId">,
  translate: Translate = refusalFrom,
): DialectCall["ask"] {
  return requestAs(calls, call.holder?.caller ?? VISITOR, call, translate);
}

/** Reads the user's own data by internal calls. */
export function internalCaller(calls: Calls, userId: number, requestId: string): DialectCall["ask"] {
  const caller: Caller = { kind: "internal", name: "dialect", userId: String(userId) };
  return requestAs(calls, caller, { address: "", requestId }, refusalFrom);
}

const NO_INPUT: RequestedInput = {};

function requestAs(
  calls: Calls,
  caller: Caller,
  { address, requestId }: Pick<DialectCall, "address" | "requestId">,
  translate: Translate,
): DialectCall["ask"] {
  const read = (answer: CallAnswer): unknown => {
    if (answer.refusal !== undefined) throw translate(answer.refusal, answer.retryAfterSeconds);
    return answer.envelope.data;
  };
  // Not async: every promise between an order and its answer is paid for by each of them.
  return (method, route, { query, params, body } = NO_INPUT) =>
    calls.call({ method, route, caller, requestId, address, query, params, body }).then(read);
}
