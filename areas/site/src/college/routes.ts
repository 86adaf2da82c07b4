// REST of the college: schema → service → envelope. Public; progress is kept for accounts.
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { COLLEGE_CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { CollegeService } from "./service.ts";

export function collegeRoutes(service: CollegeService): readonly RouteSpec[] {
  const userOf = (userId: string | null): number | null => (userId === null ? null : Number(userId));
  const open = { tag: "college" } as const;
  return [
    serve(COLLEGE_CALLS.courses, {
      ...open,
      summary: "The courses with their lessons, and how far the caller is",
      handle: async (_, { userId, timeMs }) => answer(await service.listCourses(userOf(userId), timeMs)),
    }),
    serve(COLLEGE_CALLS.course, {
      ...open,
      summary: "One course",
      handle: async ({ query }, { userId, timeMs }) => {
        const course = await service.readCourse(query.slug, userOf(userId), timeMs);
        return course.done ? answer(course.value) : refuseBy(REFUSALS, course);
      },
    }),
    serve(COLLEGE_CALLS.lesson, {
      ...open,
      summary: "One lesson with its quiz, the answers' rightness left out",
      handle: async ({ query }, { userId, timeMs }) => {
        const lesson = await service.readLesson(query.course, query.slug, userOf(userId), timeMs);
        return lesson.done ? answer(lesson.value) : refuseBy(REFUSALS, lesson);
      },
    }),
    serve(COLLEGE_CALLS.quiz, {
      ...open,
      summary: "Judges the answers to a lesson's quiz and keeps the best result of an account",
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, { userId, timeMs }) => {
        const result = await service.answerQuiz(body, userOf(userId), timeMs);
        return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
      },
    }),
  ];
}
