// Refusals of registering a phone or a browser, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  PUSH_FULL: [503, "Device limit reached. No more devices can be registered right now."],
  PUSH_UNKNOWN: [422, "This browser's push service is not supported."],
} as const satisfies RefusalTable<string>;
