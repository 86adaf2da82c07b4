// Refusals of choices of notices, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  NOTICE_UNKNOWN: [404, "Notification type not found."],
  NOTICE_FIXED: [409, "Security notifications cannot be turned off."],
} as const satisfies RefusalTable<string>;

export type ChoiceRefusal = keyof typeof REFUSALS;
