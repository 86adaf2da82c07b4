// The core's health as a live stream: once a second over the socket while visible, by plain calls while it is down.
import { askData } from "#live/ask.ts";
import type { FeedDefinition } from "#live/feed-definition.ts";
import { readLatest } from "#live/stream.ts";
import { readSystemStatus, type SystemStatus } from "./status.ts";

/** The process itself answers it, no product. */
const STATUS = { method: "GET", path: "/v1/system/status" } as const;

async function fetchStatus(signal: AbortSignal) {
  const state = readSystemStatus(await askData(STATUS, {}, { signal }));
  return state === undefined ? undefined : { sequence: 0, state };
}

export const SYSTEM_STATUS: FeedDefinition<SystemStatus | undefined, never> = {
  topic: { channel: "system", type: "status" },
  initial: undefined,
  read: readLatest(readSystemStatus),
  apply: (state) => state,
  fetch: fetchStatus,
};
