// Starts the service worker, which brings pushes and the offline page, and keeps the last prices for that page.
import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import type { GlobalStore } from "#boot/state.ts";
import { keepLastPrices } from "./last-prices.ts";

/** Returns the function that ends it. */
export function startWorker(store: GlobalStore): () => void {
  const keep = () => keepLastPrices(store.getState().marketData);
  keep();
  addEventListener("pagehide", keep);
  // Absent where the page is not served securely. A shell shows pushes itself.
  if (navigator.serviceWorker !== undefined && store.getState().shell === undefined && !import.meta.env.DEV) {
    const page = formatLocalePath("/offline", parseLocalePath(location.pathname).locale);
    const query = page === "/offline" ? "" : `?page=${encodeURIComponent(page)}`;
    navigator.serviceWorker.register(`/sw.js${query}`).catch(() => {
      // A browser that forbids it works as one without.
    });
  }
  return () => removeEventListener("pagehide", keep);
}
