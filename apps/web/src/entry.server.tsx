// Renders the route tree to a stream. The response's body is a React pipe until the HTTP server takes it: a detour
// through web streams costs a third of the pages per second.
import type { Writable } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, type RouterContextProvider, ServerRouter } from "react-router";
import { collectReady, HandoffContext } from "#boot/handoff.tsx";
import { NonceContext } from "#boot/nonce.ts";
import { pageContext } from "#boot/page-context.ts";

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

/** The tree of one page as React sees it. */
function drawTree(entry: EntryContext, url: string, nonce: string, handoff: string | undefined) {
  return (
    <NonceContext value={nonce}>
      <HandoffContext value={handoff}>
        <ServerRouter context={entry} url={url} nonce={nonce} />
      </HandoffContext>
    </NonceContext>
  );
}

let lastEntry: { readonly entry: EntryContext; readonly url: string; readonly handoff: string | undefined } | undefined;

/** For measuring only: the last page's tree through React alone, without router, loaders, data or headers. */
export function renderBare(ready: (body: PagePipe) => void, nonce: string): void {
  if (lastEntry === undefined) throw new Error("Nothing was rendered yet");
  const { entry, url, handoff } = lastEntry;
  const bare = { ...entry, serverHandoffStream: undefined as never, renderMeta: {} };
  const { pipe, abort } = renderToPipeableStream(drawTree(bare, url, nonce, handoff), {
    nonce,
    onShellReady: () => ready({ pipe, abort }),
  });
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  if (request.method === "HEAD") {
    headers.set("content-type", "text/html; charset=utf-8");
    return new Response(null, { status, headers });
  }
  const { nonce, whole, onError } = context.get(pageContext);
  const collected = entry.serverHandoffStream === undefined ? undefined : await collectReady(entry.serverHandoffStream);
  const handoff = collected?.data;
  const drawn = { ...entry, serverHandoffStream: collected?.rest as NonNullable<EntryContext["serverHandoffStream"]> };
  lastEntry ??= { entry, url: request.url, handoff };
  return new Promise((resolve, reject) => {
    const answer = () => {
      headers.set("content-type", "text/html; charset=utf-8");
      const response = new Response(null, { status, headers });
      pipes.set(response, { pipe, abort });
      resolve(response);
    };
    const { pipe, abort } = renderToPipeableStream(drawTree(drawn, request.url, nonce, handoff), {
      nonce,
      // A finished part is sent in place, however large: a browser without scripts could not move it there.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      ...(whole ? {} : { onShellReady: answer }),
      onAllReady: () => {
        clearTimeout(timer);
        if (whole) answer();
      },
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
