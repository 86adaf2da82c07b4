// Renders the route tree to a stream. The answer's body stays a React pipe until the HTTP server takes it: a detour
// through web streams costs a third of the pages per second.
import type { Writable } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, type RouterContextProvider, ServerRouter } from "react-router";
import { NonceContext } from "./frame/nonce.ts";
import { pageContext } from "./frame/page-context.ts";

export interface PagePipe {
  readonly pipe: (destination: Writable) => void;
  readonly abort: (reason: Error) => void;
}

export const streamTimeout = 5_000;
const ABORT_AFTER_MS = streamTimeout + 1_000;

const pipes = new WeakMap<Response, PagePipe>();

/** The rendered body of a document answer; undefined for redirects and data. */
export function takePipe(response: Response): PagePipe | undefined {
  return pipes.get(response);
}

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce, whole, onError } = context.get(pageContext);
  return new Promise((resolve, reject) => {
    const tree = (
      <NonceContext value={nonce}>
        <ServerRouter context={entry} url={request.url} nonce={nonce} />
      </NonceContext>
    );
    const answer = () => {
      headers.set("content-type", "text/html; charset=utf-8");
      const response = new Response(null, { status, headers });
      pipes.set(response, { pipe, abort });
      resolve(response);
    };
    const { pipe, abort } = renderToPipeableStream(tree, {
      nonce,
      ...(whole ? { onAllReady: answer } : { onShellReady: answer }),
      onShellError: (error) => {
        clearTimeout(timer);
        reject(error);
      },
      onError,
    });
    const timer = setTimeout(() => abort(new Error("The page took too long to finish")), ABORT_AFTER_MS);
    timer.unref();
  });
}

/** Faults inside loaders and components. Refusals with a status (a 404) are answers, not faults. */
export function handleError(error: unknown, { context }: { context: Readonly<RouterContextProvider> }): void {
  context.get(pageContext).onError(error);
}
