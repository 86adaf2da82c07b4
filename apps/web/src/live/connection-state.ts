// What a page may say about its connection, as data: screens need this much before any connection exists.

/** live: the socket delivers. polling: HTTP replaces it. stale: neither. offline: the browser has no network. */
export type ConnectionStatus = "live" | "polling" | "stale" | "offline";

export interface ConnectionState {
  readonly status: ConnectionStatus;
  readonly sinceMs: number;
  /** False until the first connection was made or missed, so that a page does not open with a warning. */
  readonly settled: boolean;
}

/** The state before any attempt; the server renders this. */
export const INITIAL_CONNECTION: ConnectionState = { status: "stale", sinceMs: 0, settled: false };
