// Whether a page is on a phone: inside a native app, or in a browser as narrow as one. Sent with statistics and
// preferences alike.
import type { GlobalStore } from "#boot/state.ts";

const NARROW = "(max-width: 767px)";

export function isOnPhone(store: Pick<GlobalStore, "getState">): boolean {
  return store.getState().shell !== undefined || matchMedia(NARROW).matches;
}
