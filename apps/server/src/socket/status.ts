// The first channel: system/status, once a second while it has readers, and not at all without.

import type { Channel } from "@clockwork/host/channel";
import { every } from "@clockwork/host/time/background";
import type { SystemStatus } from "../http/system.ts";
import type { Hub } from "./hub.ts";

export const STATUS_TOPIC = { channel: "system", type: "status" } as const;
const STATUS_MS = 1000;

export function statusChannel(status: () => SystemStatus, hub: () => Hub, everyMs = STATUS_MS): Channel {
  let timer: NodeJS.Timeout | undefined;
  return {
    channel: STATUS_TOPIC.channel,
    kind: "latest",
    serves: ({ type, biz, pairCode, base }) =>
      type === STATUS_TOPIC.type && biz === undefined && pairCode === undefined && base === undefined,
    snapshot: () => ({ data: status() }),
    opened() {
      timer ??= every("socket.status", () => hub().publish(STATUS_TOPIC, status()), everyMs);
      timer.unref();
    },
    closed() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
