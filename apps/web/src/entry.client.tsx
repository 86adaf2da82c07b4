// Wakes the served page in the browser. Guards against chunks that are gone after a release (SITE-12).
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { type ChunkGuard, guardChunks } from "./frame/chunk-guard.ts";
import { NonceContext } from "./frame/nonce.ts";

declare global {
  /** Also asked by the router when a route's module would not load; the build puts that call in. */
  var clockworkChunkGuard: ChunkGuard | undefined;
}

globalThis.clockworkChunkGuard = guardChunks({
  target: window,
  storage: sessionStorage,
  now: () => Date.now(),
  reload: () => location.reload(),
});

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <NonceContext value={nonce}>
        <HydratedRouter />
      </NonceContext>
    </StrictMode>,
  );
});
