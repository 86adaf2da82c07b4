// Refusals of liquidation reports, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_LIQUIDATION: [404, "Report not found."],
} as const satisfies RefusalTable<string>;
