// Whether the screen is large enough for a part that others do without, so that it is neither loaded nor asked for there.
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
