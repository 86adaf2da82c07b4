// Refusals of the page of one person, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  USER_UNKNOWN: [404, "No account has this number."],
  SECTION_UNAVAILABLE: [503, "This part is unavailable. Try again."],
  NOTES_FULL: [409, "This account has the maximum number of notes."],
} as const satisfies RefusalTable<string>;

export type PeopleRefusal = keyof typeof REFUSALS;
