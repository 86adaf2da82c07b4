// Refusals of counting a search, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  SEARCH_UNKNOWN: [404, "There is no such pair or article."],
} as const satisfies RefusalTable<string>;
