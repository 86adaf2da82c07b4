// Refusals of the college, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  COURSE_NOT_FOUND: [404, "Course not found."],
  LESSON_NOT_FOUND: [404, "Lesson not found."],
  ANSWERS_MISSING: [400, "Answer every question."],
} as const satisfies RefusalTable<string>;
