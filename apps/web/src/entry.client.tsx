// Wakes the served page in the browser. Guards against chunks that are gone after a release (SITE-12).
import { isLocale } from "@clockwork/kit/locale";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { type ChunkGuard, guardChunks } from "#boot/chunk-guard.ts";
import { loadLateParts } from "#boot/late-part.tsx";
import { NonceContext } from "#boot/nonce.ts";
import { siteBack } from "#boot/patience.ts";
import { loadCatalogue } from "#words/text.ts";

declare global {
  /** Also asked by the router when a route's module would not load; the build puts that call in. */
  var clockworkChunkGuard: ChunkGuard | undefined;
}

globalThis.clockworkChunkGuard = guardChunks({
  target: window,
  storage: sessionStorage,
  now: () => Date.now(),
  // Once the page can be had again: loading it from a site that is away would leave nothing but the browser's own error.
  reload: () => void siteBack().then(() => location.reload()),
});

/** What was pressed and typed before the page, or a part of it, could answer; it also wakes the parts at once. */
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

/** English is part of the bundle; any other language's words come before the page wakes, or it would wake in English. */
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
