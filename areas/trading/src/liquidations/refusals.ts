// Refusals of liquidation reports, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_LIQUIDATION: [404, "There is no report of this id."],
} as const satisfies RefusalTable<string>;
