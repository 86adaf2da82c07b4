// Whether a visitor hides amounts from onlookers. Kept in the browser, the same in every tab; amounts are shown by
// default, and in the server's HTML.
import { PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";
import { useSyncExternalStore } from "react";
import { type KeptSetting, readKept, writeKept } from "./kept-setting.ts";

const KEPT: KeptSetting<boolean> = {
  key: `${PRODUCT_SHORT_NAME}_hide_amounts`,
  // Once a bare 1 or 0.
  steps: [(value) => value === 1],
  check: (value) => (typeof value === "boolean" ? value : undefined),
};
/** Replaces an amount. */
export const HIDDEN_TEXT = "••••••";

const listeners = new Set<() => void>();
/** Where storage is forbidden the choice lives as long as the page. */
let fallback = false;

function read(): boolean {
  return readKept(KEPT) ?? fallback;
}

function write(isHidden: boolean): void {
  fallback = isHidden;
  writeKept(KEPT, isHidden);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  globalThis.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    globalThis.removeEventListener("storage", listener);
  };
}

export function useHiddenAmounts(): { readonly isHidden: boolean; readonly toggle: () => void } {
  const isHidden = useSyncExternalStore(subscribe, read, () => false);
  return { isHidden, toggle: () => write(!isHidden) };
}
