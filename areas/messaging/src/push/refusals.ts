// Refusals of registering a phone, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  PUSH_FULL: [503, "No more devices can be registered right now."],
} as const satisfies RefusalTable<string>;
