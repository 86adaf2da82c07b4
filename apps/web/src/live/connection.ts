// What the whole page may say about its connection: live, polling, stale or offline.
// Listens to the socket, to the browser and to the pollers; decides nothing for them.
import type { Clock } from "./clock.ts";
import { type ConnectionState, type ConnectionStatus, INITIAL_CONNECTION } from "./connection-state.ts";
import type { LiveSocket, SocketPhase } from "./socket.ts";
import { createStore, type ReadableStore, type Scheduler } from "./store.ts";

/** The browser's idea of being on a network, and its changes. */
export interface OnlineSource {
  isOnline(): boolean;
  subscribe(listener: () => void): () => void;
}

export interface Connection extends ReadableStore<ConnectionState> {
  /** A poller reports whether its last attempt was answered. */
  reportPoll(answered: boolean): void;
  close(): void;
}

export interface ConnectionOptions {
  readonly socket: LiveSocket;
  readonly clock: Clock;
  readonly online: OnlineSource;
  readonly schedule?: Scheduler;
  /** A shorter interruption is not reported. */
  readonly graceMs?: number;
}

export const CONNECTION_GRACE_MS = 1_500;

export function createConnection(options: ConnectionOptions): Connection {
  const { socket, clock, online, graceMs = CONNECTION_GRACE_MS } = options;
  const store = createStore<ConnectionState>(INITIAL_CONNECTION, options.schedule);
  let polled: boolean | undefined;
  let cancelGrace: (() => void) | undefined;

  const settle = (status: ConnectionStatus) => {
    cancelGrace?.();
    cancelGrace = undefined;
    const before = store.get();
    if (before.status === status && before.settled) return;
    store.set({ status, sinceMs: clock.now(), settled: true });
  };
  const judge = () => {
    if (!online.isOnline()) settle("offline");
    else if (socket.phase === "open") settle("live");
    else settle(polled === true ? "polling" : "stale");
  };
  const onPhase = (phase: SocketPhase) => {
    if (phase === "open" || phase === "stopped") {
      polled = undefined;
      judge();
      return;
    }
    if (store.get().settled && store.get().status !== "live") return;
    // One grace from the drop on; the attempts that follow do not prolong it.
    cancelGrace ??= clock.after(graceMs, judge);
  };
  const onOnline = () => {
    judge();
    if (online.isOnline()) socket.reconnect();
  };

  const releases = [socket.onPhase(onPhase), online.subscribe(onOnline)];
  if (socket.phase !== "stopped") onPhase(socket.phase);
  return {
    get: store.get,
    subscribe: store.subscribe,
    reportPoll: (answered) => {
      polled = answered;
      if (socket.phase !== "open" && store.get().settled) judge();
    },
    close: () => {
      cancelGrace?.();
      for (const release of releases) release();
    },
  };
}

/** A browser's online state; where there is no browser, always online and never changing. */
export const browserOnline: OnlineSource = {
  isOnline: () => typeof navigator === "undefined" || navigator.onLine !== false,
  subscribe: (listener) => {
    if (typeof window === "undefined") return () => {};
    window.addEventListener("online", listener);
    window.addEventListener("offline", listener);
    return () => {
      window.removeEventListener("online", listener);
      window.removeEventListener("offline", listener);
    };
  },
};
