// Whether the screen is large enough for an optional part, so that it is neither loaded nor requested on smaller ones.
import { useSyncExternalStore } from "react";

const WIDE_AND_TALL = "(min-width: 1900px) and (min-height: 1000px)";

function listen(onChange: () => void): () => void {
  const media = window.matchMedia(WIDE_AND_TALL);
  media.addEventListener("change", onChange);
  return () => media.removeEventListener("change", onChange);
}

export function useRoom(): boolean {
  return useSyncExternalStore(
    listen,
    () => window.matchMedia(WIDE_AND_TALL).matches,
    () => false,
  );
}
