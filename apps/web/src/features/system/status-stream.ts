// The core's health as a live stream: once a second over the socket while somebody looks, by plain calls while it is down.
import type { FeedDefinition } from "#live/feed-definition.ts";
import { readLatest } from "#live/stream.ts";
import { readSystemStatus, type SystemStatus } from "./status.ts";

async function fetchStatus(signal: AbortSignal) {
  const response = await fetch("/api/v1/system/status", { signal });
  const body = (await response.json()) as { readonly data?: unknown };
  const state = readSystemStatus(body.data);
  return state === undefined ? undefined : { sequence: 0, state };
}

export const SYSTEM_STATUS: FeedDefinition<SystemStatus | undefined, never> = {
  topic: { channel: "system", type: "status" },
  initial: undefined,
  read: readLatest(readSystemStatus),
  apply: (state) => state,
  fetch: fetchStatus,
};
