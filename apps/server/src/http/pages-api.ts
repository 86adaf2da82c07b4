// The way from a rendering page to the public API, inside the process. Pages know no service: they get what any client
// would get, with the visitor's own session. Anonymous answers are shared for a moment, since they are the same for all.
import type { FastifyInstance } from "fastify";

export interface ApiCall {
  readonly method: "GET" | "POST";
  /** Below the API base. */
  readonly path: string;
  readonly body?: unknown;
  /** The path stands at the root and not below the base. */
  readonly isRoot?: true;
  /** The same for everybody, signed in or not: answered from what anonymous visitors share. */
  readonly shared?: true;
}

export type CallApi = (call: ApiCall) => Promise<unknown>;

/** The page's own request id goes along, so that one line of the log leads to the others. */
export interface PagesApi {
  readonly anonymous: (requestId: string) => CallApi;
  readonly withSession: (requestId: string, headers: Readonly<Record<string, string>>) => CallApi;
}

export interface PagesApiOptions {
  readonly base: string;
  readonly keepMs: number;
  readonly keptMax: number;
  readonly nowMs: () => number;
  readonly onFault: (call: ApiCall, requestId: string, error: unknown) => void;
}

interface Kept {
  readonly answer: Promise<unknown>;
  readonly untilMs: number;
}

export function createPagesApi(app: FastifyInstance, options: PagesApiOptions): PagesApi {
  const kept = new Map<string, Kept>();

  const ask = async (call: ApiCall, requestId: string, headers: Readonly<Record<string, string>>): Promise<unknown> => {
    try {
      const response = await app.inject({
        method: call.method,
        url: call.isRoot === true ? call.path : options.base + call.path,
        headers: { accept: "application/json", "x-request-id": requestId, ...headers },
        ...(call.body === undefined ? {} : { payload: call.body as object }),
      });
      return response.json();
    } catch (error) {
      // A page without one of its answers still renders and says so; the fault is ours to see.
      options.onFault(call, requestId, error);
      return undefined;
    }
  };

  // A shared answer was asked for by one page and names that one.
  const share = (call: ApiCall, requestId: string): Promise<unknown> => {
    const key = `${call.method} ${call.isRoot === true ? "" : options.base}${call.path} ${call.body === undefined ? "" : JSON.stringify(call.body)}`;
    const found = kept.get(key);
    const nowMs = options.nowMs();
    if (found !== undefined && found.untilMs > nowMs) return found.answer;
    const answer = ask(call, requestId, {});
    kept.delete(key);
    kept.set(key, { answer, untilMs: nowMs + options.keepMs });
    for (const oldest of kept.keys()) {
      if (kept.size <= options.keptMax) break;
      kept.delete(oldest);
    }
    return answer;
  };

  return {
    anonymous: (requestId) => (call) => share(call, requestId),
    withSession: (requestId, headers) => (call) =>
      call.shared === true ? share(call, requestId) : ask(call, requestId, headers),
  };
}
