// Refusals of moving the clock, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  LOCAL_ONLY: [403, "Allowed only from the host that runs the exchange."],
  CLOCK_TOO_FAR: [409, "The clock can move ahead by up to ten years."],
} as const satisfies RefusalTable<string>;
