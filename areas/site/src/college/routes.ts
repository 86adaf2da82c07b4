// REST of the college: schema → service → envelope. Everybody may read and answer; progress is kept for accounts.
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import { Course, CourseList, CourseQuery, Lesson, LessonQuery, QuizBody, QuizResult } from "./contract.ts";
import type { CollegeService } from "./service.ts";

const REFUSALS = {
  COURSE_NOT_FOUND: { status: 404, message: "There is no such course." },
  LESSON_NOT_FOUND: { status: 404, message: "There is no such lesson." },
  ANSWERS_MISSING: { status: 400, message: "Answer every question." },
} as const;

export function collegeRoutes(service: CollegeService): readonly RouteSpec[] {
  const userOf = (userId: string | null): number | null => (userId === null ? null : Number(userId));
  const turnAway = (code: keyof typeof REFUSALS) => refuse({ code, ...REFUSALS[code] });
  const open = { tag: "college" } as const;
  return [
    defineRoute({
      ...open,
      method: "GET",
      path: "/v1/college/courses",
      summary: "The courses with their lessons, and how far the caller is",
      output: CourseList,
      handle: async (_, { userId, timeMs }) => answer(await service.listCourses(userOf(userId), timeMs)),
    }),
    defineRoute({
      ...open,
      method: "GET",
      path: "/v1/college/course",
      summary: "One course",
      query: CourseQuery,
      output: Course,
      handle: async ({ query }, { userId, timeMs }) => {
        const course = await service.readCourse(query.slug, userOf(userId), timeMs);
        return course.done ? answer(course.value) : turnAway(course.code);
      },
    }),
    defineRoute({
      ...open,
      method: "GET",
      path: "/v1/college/lesson",
      summary: "One lesson with its quiz, the answers' rightness left out",
      query: LessonQuery,
      output: Lesson,
      handle: async ({ query }, { userId, timeMs }) => {
        const lesson = await service.readLesson(query.course, query.slug, userOf(userId), timeMs);
        return lesson.done ? answer(lesson.value) : turnAway(lesson.code);
      },
    }),
    defineRoute({
      ...open,
      method: "POST",
      path: "/v1/college/quiz",
      summary: "Judges the answers to a lesson's quiz and keeps the best result of an account",
      body: QuizBody,
      output: QuizResult,
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, { userId, timeMs }) => {
        const result = await service.answerQuiz(body, userOf(userId), timeMs);
        return result.done ? answer(result.value) : turnAway(result.code);
      },
    }),
  ];
}
