// The path from a page under rendering to the public API, inside the exchange. Pages depend on no service: they get
// what any client would get, with the visitor's session. Anonymous answers are shared for a moment, since they are the
// same for all.
import type { FastifyInstance } from "fastify";

export interface ApiCall {
  readonly method: "GET" | "POST";
  /** Below the API base. */
  readonly path: string;
  readonly body?: unknown;
  /** The path is at the root and not below the base. */
  readonly isRoot?: true;
  /** The same for all users, signed in or not: answered from what anonymous visitors share. */
  readonly shared?: true;
}

export type CallApi = (call: ApiCall) => Promise<unknown>;

/** The answer's text, or nothing when the call failed. The page's own request id goes along, so that one line of the log
 *  leads to the others. */
export type RequestApi = (
  call: ApiCall,
  requestId: string,
  headers: Readonly<Record<string, string>>,
) => Promise<string | undefined>;

export interface RequestOptions {
  readonly base: string;
  readonly onFault: (call: ApiCall, requestId: string, error: unknown) => void;
}

export function createRequestApi(app: FastifyInstance, { base, onFault }: RequestOptions): RequestApi {
  return async (call, requestId, headers) => {
    try {
      const response = await app.inject({
        method: call.method,
        url: call.isRoot === true ? call.path : base + call.path,
        headers: { accept: "application/json", "x-request-id": requestId, ...headers },
        ...(call.body === undefined ? {} : { payload: call.body as object }),
      });
      return response.payload;
    } catch (error) {
      // A page without one of its answers still renders and shows that; the fault is reported here.
      onFault(call, requestId, error);
      return undefined;
    }
  };
}

export interface ShareOptions {
  readonly keepMs: number;
  readonly keptMax: number;
  readonly nowMs: () => number;
}

interface Kept {
  readonly answer: Promise<unknown>;
  readonly untilMs: number;
}

/** Caches anonymous answers: `ask` is called only for what was not requested a moment ago. */
export function shareCalls(options: ShareOptions): (call: ApiCall, ask: CallApi) => Promise<unknown> {
  const kept = new Map<string, Kept>();
  return (call, ask) => {
    const key = `${call.method} ${call.isRoot === true ? "root" : ""}${call.path} ${call.body === undefined ? "" : JSON.stringify(call.body)}`;
    const found = kept.get(key);
    const nowMs = options.nowMs();
    if (found !== undefined && found.untilMs > nowMs) return found.answer;
    const answer = ask(call);
    kept.delete(key);
    kept.set(key, { answer, untilMs: nowMs + options.keepMs });
    for (const oldest of kept.keys()) {
      if (kept.size <= options.keptMax) break;
      kept.delete(oldest);
    }
    return answer;
  };
}
