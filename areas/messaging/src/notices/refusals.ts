// Refusals of choices of notices, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  NOTICE_UNKNOWN: [404, "There are no such notices."],
  NOTICE_FIXED: [409, "This is told always: it concerns the safety of your account."],
} as const satisfies RefusalTable<string>;

export type ChoiceRefusal = keyof typeof REFUSALS;
