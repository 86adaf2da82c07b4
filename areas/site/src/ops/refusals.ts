// Refusals of reading visits, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  OPS_RANGE_INVALID: [400, "Select up to 400 days, with the start not after the end."],
  OPS_PAGE_INVALID: [400, "Page not found."],
} as const satisfies RefusalTable<string>;

export type ReadingRefusal = keyof typeof REFUSALS;
