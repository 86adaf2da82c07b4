// Refusals of broadcasts, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  ENGLISH_REQUIRED: [400, "English words are needed: readers of other languages are sent them."],
  SENDER_MISSING: [409, "No mail server or push gateway is configured for this audience."],
  CLIENT_ID_REUSED: [409, "This id names another broadcast."],
  BROADCAST_UNKNOWN: [404, "There is no broadcast of this number that could be stopped."],
} as const satisfies RefusalTable<string>;

export type BroadcastRefusal = keyof typeof REFUSALS;
