// Refusals of reading visits, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  OPS_RANGE_INVALID: [400, "Name two days, the first no later than the last and at most 400 apart."],
  OPS_PAGE_INVALID: [400, "There is no such page."],
} as const satisfies RefusalTable<string>;

export type ReadingRefusal = keyof typeof REFUSALS;
