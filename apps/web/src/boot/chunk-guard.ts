// SITE-12: a chunk that fails to load reloads the page once, and not again within the guard time; a preload that fails
// during hydration is suppressed, since the served HTML already works. Touches only its arguments.
import { PRODUCT_SHORT_NAME, RELOAD_GUARD_MS } from "@clockwork/kit/constants";

const GUARD_KEY = `${PRODUCT_SHORT_NAME}_reload_at`;

export interface ChunkGuardParts {
  readonly target: Pick<Window, "addEventListener">;
  readonly storage: Pick<Storage, "getItem" | "setItem">;
  readonly now: () => number;
  readonly reload: () => void;
}

export interface ChunkGuard {
  /** Called once, when hydration is over. */
  readonly hydrated: () => void;
  /** Reports a chunk that would not load; true when the page is being reloaded. */
  readonly report: () => boolean;
}

/** Messages the engines give for a module that would not load. */
const CHUNK_ERROR =
  /dynamically imported module|module script failed|Importing a module script|Unable to preload|Loading chunk/i;

export function isChunkError(error: unknown): boolean {
  return error instanceof Error && CHUNK_ERROR.test(error.message);
}

export function guardChunks(parts: ChunkGuardParts): ChunkGuard {
  let waking = true;

  const report = () => {
    if (waking) return false;
    let lastMs = 0;
    try {
      lastMs = Number(parts.storage.getItem(GUARD_KEY)) || 0;
      const nowMs = parts.now();
      if (nowMs - lastMs < RELOAD_GUARD_MS) return false;
      parts.storage.setItem(GUARD_KEY, String(nowMs));
    } catch {
      // Without storage a loop could not be stopped, so there is no reload.
      return false;
    }
    parts.reload();
    return true;
  };

  // Vite reports a failed preload as an event; left alone it becomes an error that unmounts the page.
  parts.target.addEventListener("vite:preloadError", (event) => {
    if (waking || report()) event.preventDefault();
  });
  parts.target.addEventListener("unhandledrejection", (event) => {
    if (isChunkError((event as PromiseRejectionEvent).reason)) report();
  });

  return {
    hydrated: () => {
      waking = false;
    },
    report,
  };
}
