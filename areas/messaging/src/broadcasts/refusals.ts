// Refusals of broadcasts, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  ENGLISH_REQUIRED: [400, "English text is required: it is sent to recipients of other languages."],
  SENDER_MISSING: [409, "No email server or push gateway is configured for this audience."],
  CLIENT_ID_REUSED: [409, "This ID belongs to another broadcast."],
  BROADCAST_UNKNOWN: [404, "No stoppable broadcast with this number."],
} as const satisfies RefusalTable<string>;

export type BroadcastRefusal = keyof typeof REFUSALS;
