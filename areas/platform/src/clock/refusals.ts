// Refusals of moving the clock, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  LOCAL_ONLY: [403, "Only from the machine the exchange runs on."],
  CLOCK_TOO_FAR: [409, "Ten years ahead is enough."],
} as const satisfies RefusalTable<string>;
