// Thin React bindings over the live clients: a context, and hooks that read stores outside React. Hold no state of
// their own; on the server they render its data and open nothing.

import type { Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useSyncExternalStore } from "react";
import type { Answer, Failed } from "./answer.ts";
import { type ConnectionState, INITIAL_CONNECTION } from "./connection-state.ts";
import type { FeedDefinition, FeedState } from "./feed-definition.ts";
import type { LiveHub } from "./hub.ts";
import type { CallOptions, RequestClient } from "./request.ts";

/** Nothing on the server and before hydration: hooks then show their initial values. */
export const LiveContext = createContext<LiveHub | undefined>(undefined);
export const RequestContext = createContext<RequestClient | undefined>(undefined);

const silent = (): (() => void) => () => {};

export function useConnection(): ConnectionState {
  const hub = useContext(LiveContext);
  return useSyncExternalStore(
    hub?.connection.subscribe ?? silent,
    hub?.connection.get ?? getInitialConnection,
    getInitialConnection,
  );
}

function getInitialConnection(): ConnectionState {
  return INITIAL_CONNECTION;
}

/** Listens to a stream while mounted. The definition should be made once (a module constant, or useMemo). */
export function useChannel<State, Delta>(definition: FeedDefinition<State, Delta>): FeedState<State> {
  const feed = useContext(LiveContext)?.feed(definition);
  const getInitial = () => initialState(definition);
  return useSyncExternalStore(feed?.subscribe ?? silent, feed?.read ?? getInitial, getInitial);
}

/** One object per definition: React compares what a store answers by identity. */
const initialStates = new WeakMap<object, FeedState<unknown>>();

export function initialState<State, Delta>(definition: FeedDefinition<State, Delta>): FeedState<State> {
  let state = initialStates.get(definition) as FeedState<State> | undefined;
  if (state === undefined) {
    state = { value: definition.initial, status: "idle", empty: true, updatedAtMs: 0 };
    initialStates.set(definition, state);
  }
  return state;
}

export function useRequest(): RequestClient {
  const request = useContext(RequestContext);
  if (request === undefined) throw new Error("NET-1: a screen outside the request context");
  return request;
}

/** A refusal in react-query's form: thrown, with the code for the screen's texts. */
export class RefusedCall extends Error {
  readonly failed: Failed;

  constructor(failed: Failed) {
    super(failed.message);
    this.name = "RefusedCall";
    this.failed = failed;
  }
}

export function unwrapAnswer<Data>(answer: Answer<Data>): Data {
  if (!answer.ok) throw new RefusedCall(answer);
  return answer.data;
}

/** Query options of a GET. The client has its own retries, so react-query must add none. */
export function getQuery<Called extends Endpoint>(
  request: RequestClient,
  called: Called,
  input: InputOf<Called>,
  options: CallOptions = {},
) {
  return queryOptions({
    queryKey: ["get", called.path, input] as const,
    queryFn: async ({ signal }) => unwrapAnswer(await request.call(called, input, { ...options, signal })),
    retry: false,
  });
}

/** Fetches shown queries again whenever the socket reports that they may be behind. */
export function useRefetchBehind(queries: QueryClient): void {
  const hub = useContext(LiveContext);
  useEffect(() => hub?.onBehind(() => void queries.invalidateQueries({ type: "active" })), [hub, queries]);
}
