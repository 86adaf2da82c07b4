// The state of a flow of several screens, so that a reload continues or restarts it. Kept in this tab alone, for
// minutes. Never holds a password or a code.
import { useEffect, useSyncExternalStore } from "react";
import { useNavigate } from "react-router";
import { useSitePath } from "#boot/site-link.tsx";

export interface Flow<Value extends object> {
  read(): Value | null;
  write(value: Value): void;
  clear(): void;
  /** Clears when this page is left: a visible step must not lose its flow. */
  clearOnLeave(): void;
  subscribe(listener: () => void): () => void;
}

interface Kept<Value> {
  readonly savedAtMs: number;
  readonly value: Value;
}

export function createFlow<Value extends object>(key: string, keepMs: number): Flow<Value> {
  const listeners = new Set<() => void>();
  let seen: { readonly text: string | null; readonly value: Value | null } = { text: null, value: null };
  let memory: string | null = null;
  const readText = (): string | null => {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return memory;
    }
  };
  const publish = () => {
    for (const listener of listeners) listener();
  };
  const clear = () => {
    memory = null;
    try {
      sessionStorage.removeItem(key);
    } catch {
      // Nothing was stored.
    }
    publish();
  };
  return {
    read: () => {
      const text = readText();
      // React compares by identity: the same text is the same value.
      if (text !== seen.text) seen = { text, value: parse<Value>(text, keepMs) };
      return seen.value;
    },
    write: (value) => {
      const kept: Kept<Value> = { savedAtMs: Date.now(), value };
      memory = JSON.stringify(kept);
      try {
        sessionStorage.setItem(key, memory);
      } catch {
        // Without storage the flow lives as long as the page.
      }
      publish();
    },
    clear,
    clearOnLeave: () => globalThis.addEventListener("pagehide", clear, { once: true }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function parse<Value>(text: string | null, keepMs: number): Value | null {
  try {
    const kept = JSON.parse(text ?? "null") as Kept<Value> | null;
    return kept !== null && Date.now() - kept.savedAtMs < keepMs ? kept.value : null;
  } catch {
    return null;
  }
}

const unknown = () => undefined;

/** Undefined on the server and while waking, null when there is no flow. */
export function useFlow<Value extends object>(flow: Flow<Value>): Value | null | undefined {
  return useSyncExternalStore<Value | null | undefined>(flow.subscribe, flow.read, unknown);
}

/**
 * A step is shown while it is the flow's current one. `leadsTo` returns the path of the current step otherwise: the
 * first one when there is no flow, a later one when an answer has moved it on.
 */
export function useStepOf<Value extends object>(
  flow: Flow<Value>,
  leadsTo: (value: Value | null) => string | undefined,
): Value | undefined {
  const value = useFlow(flow);
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const elsewhere = value === undefined ? undefined : leadsTo(value);
  const to = elsewhere === undefined ? undefined : sitePath(elsewhere);
  useEffect(() => {
    if (to !== undefined) void navigate(to + location.search, { replace: true });
  }, [navigate, to]);
  return to !== undefined || value === null ? undefined : value;
}
