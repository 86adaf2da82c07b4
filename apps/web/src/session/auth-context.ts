// The session and the request client as screens reach them, also before the page's clients have been loaded.
import { createContext, useCallback, useContext, useEffect, useRef } from "react";
import { RequestContext } from "#live/react.ts";
import type { CallOptions, RequestClient } from "#live/request.ts";

/** For calls before sign-in: a 401 is an answer and never leads to login. */
export const ANYBODY = { anonymous: true } as const satisfies CallOptions;

export interface SessionControl {
  /** Ends the session here: on the server, in this tab and in every other one, then shows the home page. */
  signOut(to?: string): Promise<void>;
  /** Signed in: load the target as a new page, so that everything on it has the session. */
  enter(path: string): void;
}

export const SessionContext = createContext<SessionControl | undefined>(undefined);

/** The value as soon as it is there. */
function useReady<Value>(value: Value | undefined): () => Promise<Value> {
  const current = useRef(value);
  const waiting = useRef<((value: Value) => void)[]>([]);
  useEffect(() => {
    current.current = value;
    if (value === undefined) return;
    for (const go of waiting.current.splice(0)) go(value);
  }, [value]);
  return useCallback(
    () =>
      current.current === undefined
        ? new Promise<Value>((done) => waiting.current.push(done))
        : Promise.resolve(current.current),
    [],
  );
}

/** For forms that may be sent during hydration: the call waits for its client. */
export function useCalls(): () => Promise<RequestClient> {
  return useReady(useContext(RequestContext));
}

export function useSession(): () => Promise<SessionControl> {
  return useReady(useContext(SessionContext));
}
