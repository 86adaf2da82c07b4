// Refusals of the college, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  COURSE_NOT_FOUND: [404, "There is no such course."],
  LESSON_NOT_FOUND: [404, "There is no such lesson."],
  ANSWERS_MISSING: [400, "Answer every question."],
} as const satisfies RefusalTable<string>;
