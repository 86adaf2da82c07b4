// The wire contract of the college: courses, lessons, quizzes, progress. The only file of the slice a browser may
// import. The right answers never leave the server before the reader has answered.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const Slug = Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,79}$", maxLength: 80 });

export const LessonLink = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  minutes: Type.Integer(),
  /** Null for visitors and for lessons not tried yet. */
  correct: Type.Union([Type.Integer(), Type.Null()]),
  questions: Type.Integer(),
  isPassed: Type.Boolean(),
});
export type LessonLink = Static<typeof LessonLink>;

export const Course = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  summary: Type.String(),
  level: Type.String(),
  lessons: Type.Array(LessonLink),
});
export type Course = Static<typeof Course>;
export const CourseList = Type.Object({ courses: Type.Array(Course) });
export type CourseList = Static<typeof CourseList>;
export const CourseQuery = Type.Object({ slug: Slug });

export const LessonQuery = Type.Object({ course: Slug, slug: Slug });
export const QuizQuestion = Type.Object({ question: Type.String(), answers: Type.Array(Type.String()) });
export type QuizQuestion = Static<typeof QuizQuestion>;
export const Lesson = Type.Object({
  course: Type.String(),
  courseTitle: Type.String(),
  slug: Type.String(),
  title: Type.String(),
  minutes: Type.Integer(),
  /** Nodes of articles/api. */
  body: Type.Unsafe<unknown[]>({ type: "array" }),
  quiz: Type.Array(QuizQuestion),
  previous: Type.Union([Type.String(), Type.Null()]),
  next: Type.Union([Type.String(), Type.Null()]),
  isPassed: Type.Boolean(),
});
export type Lesson = Static<typeof Lesson>;

export const QUESTIONS_MAX = 20;
export const QuizBody = Type.Object(
  {
    course: Slug,
    lesson: Slug,
    /** The position of the chosen answer, question by question. */
    answers: Type.Array(Type.Integer({ minimum: 0, maximum: 9 }), { minItems: 1, maxItems: QUESTIONS_MAX }),
  },
  { additionalProperties: false },
);
export const QuizResult = Type.Object({
  correct: Type.Integer(),
  questions: Type.Integer(),
  /** All right. */
  isPassed: Type.Boolean(),
  results: Type.Array(Type.Object({ isCorrect: Type.Boolean(), right: Type.Integer(), why: Type.String() })),
});
export type QuizResult = Static<typeof QuizResult>;

export const COLLEGE_CALLS = {
  courses: endpoint("GET", "/v1/college/courses", { output: CourseList }),
  course: endpoint("GET", "/v1/college/course", { query: CourseQuery, output: Course, refusals: REFUSALS }),
  lesson: endpoint("GET", "/v1/college/lesson", { query: LessonQuery, output: Lesson, refusals: REFUSALS }),
  quiz: endpoint("POST", "/v1/college/quiz", { body: QuizBody, output: QuizResult, refusals: REFUSALS }),
};
