// The end of a session, in every tab at once: clears what this browser stored and notifies the other tabs. Ends nothing
// on the server and never navigates: its listeners do.
import { STORAGE_KEY } from "@clockwork/kit/constants";
import type { KeyValueStorage } from "./domains.ts";

/** A channel to the other tabs of this origin. */
export interface TabChannel {
  post(message: string): void;
  /** Receives what other tabs posted, never its own. */
  onMessage(listener: (message: string) => void): () => void;
  close(): void;
}

export interface SessionChannelParts {
  readonly storage: KeyValueStorage | undefined;
  readonly tabs: TabChannel | undefined;
  /** Empties the six token cookies, as far as a page may. */
  readonly emptyCookies: () => void;
  /** Empties the user id and the menu object; `here` is false when another tab ended the session. */
  readonly onCleared: (here: boolean) => void;
}

export interface SessionChannel {
  clear(): void;
  close(): void;
}

const CLEARED = "session-cleared";
const STORED_KEYS = [
  STORAGE_KEY.accessToken,
  STORAGE_KEY.userMenu,
  STORAGE_KEY.tabList,
  STORAGE_KEY.anchorInfo,
] as const;

export function createSessionChannel(parts: SessionChannelParts): SessionChannel {
  const clearHere = (here: boolean) => {
    parts.emptyCookies();
    for (const key of STORED_KEYS) removeStored(parts.storage, key);
    parts.onCleared(here);
  };
  const release = parts.tabs?.onMessage((message) => {
    if (message === CLEARED) clearHere(false);
  });
  return {
    clear: () => {
      clearHere(true);
      parts.tabs?.post(CLEARED);
    },
    close: () => {
      release?.();
      parts.tabs?.close();
    },
  };
}

function removeStored(storage: KeyValueStorage | undefined, key: string): void {
  try {
    storage?.removeItem(key);
  } catch {
    // Storage forbidden by the browser holds nothing to remove.
  }
}

/** The platform's own channel; nothing where it has none, and then each tab finds out at its next call. */
export function openTabChannel(name: string): TabChannel | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    onMessage: (listener) => {
      const listen = (event: MessageEvent<unknown>) => {
        if (typeof event.data === "string") listener(event.data);
      };
      channel.addEventListener("message", listen);
      return () => channel.removeEventListener("message", listen);
    },
    close: () => channel.close(),
  };
}

/** The `set-cookie` texts a page writes to empty its cookies, on the host and on the parent domain. */
export function emptyCookieTexts(names: readonly string[], parentDomain: string | undefined): string[] {
  return names.flatMap((name) => {
    const text = `${name}=; path=/; max-age=0; samesite=lax`;
    return parentDomain === undefined ? [text] : [text, `${text}; domain=${parentDomain}`];
  });
}
