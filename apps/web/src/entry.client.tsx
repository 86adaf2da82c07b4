// Hydrates the served page in the browser. Guards against chunks that are gone after a release (SITE-12).
import { isLocale } from "@clockwork/kit/locale";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { type ChunkGuard, guardChunks } from "#boot/chunk-guard.ts";
import { loadLateParts } from "#boot/late-part.tsx";
import { NonceContext } from "#boot/nonce.ts";
import { siteBack } from "#boot/timeout.ts";
import { loadCatalogue } from "#words/text.ts";

declare global {
  /** Also called by the router when a route's module does not load; the build inserts that call. */
  var clockworkChunkGuard: ChunkGuard | undefined;
}

globalThis.clockworkChunkGuard = guardChunks({
  target: window,
  storage: sessionStorage,
  now: () => Date.now(),
  // Once the site is reachable again: loading the page earlier would leave only the browser's own error.
  reload: () => void siteBack().then(() => location.reload()),
});

/** Clicks and input from before the page, or a part of it, could answer; it also hydrates the parts at once. */
function followEarly(): void {
  const early = globalThis.clockworkEarly;
  if (early === undefined) return;
  early.publish = () => {
    void loadLateParts();
    void import("#boot/early-replay.ts").then(({ replayEarly }) => replayEarly(early));
  };
  if (early.touches.length > 0) early.publish();
}

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;

/**
 * English is part of the bundle; any other language's texts come before the page hydrates, or it would hydrate in
 * English.
 */
async function wake(): Promise<void> {
  const locale = document.documentElement.lang.replace("-", "_");
  if (isLocale(locale)) await loadCatalogue(locale);
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
}

followEarly();
void wake();
