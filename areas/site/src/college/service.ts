// Use cases of the college: courses with the user's progress, lessons, judged quizzes.
import { done, type Result, refused } from "@clockwork/kit/result";
import type { Course, CourseList, Lesson, LessonLink, QuizResult } from "./contract.ts";
import type { CollegeNeeds, CollegeText } from "./needs.ts";
import { judge, splitLesson } from "./rules.ts";
import type { CollegeStore, ProgressRow } from "./store.ts";

export class CollegeService {
  readonly #store: CollegeStore;
  readonly #needs: CollegeNeeds;

  constructor({ store, needs }: { store: CollegeStore; needs: CollegeNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async listCourses(userId: number | null, timeMs: number): Promise<CourseList> {
    const [courses, lessons, progress] = await Promise.all([
      this.#needs.listCourses(timeMs),
      this.#needs.listLessons(timeMs),
      this.#readProgress(userId),
    ]);
    return {
      courses: courses.map(({ slug, title, summary, category }) => ({
        slug,
        title,
        summary,
        level: category,
        lessons: lessons.filter((lesson) => lesson.category === slug).map((lesson) => linkOf(lesson, progress)),
      })),
    };
  }

  async readCourse(slug: string, userId: number | null, timeMs: number): Promise<Result<Course, "COURSE_NOT_FOUND">> {
    const { courses } = await this.listCourses(userId, timeMs);
    const course = courses.find((candidate) => candidate.slug === slug);
    return course === undefined ? refused("COURSE_NOT_FOUND") : done(course);
  }

  async readLesson(
    courseSlug: string,
    slug: string,
    userId: number | null,
    timeMs: number,
  ): Promise<Result<Lesson, "LESSON_NOT_FOUND">> {
    const course = (await this.#needs.listCourses(timeMs)).find((candidate) => candidate.slug === courseSlug);
    const lessons = (await this.#needs.listLessons(timeMs)).filter((lesson) => lesson.category === courseSlug);
    const at = lessons.findIndex((lesson) => lesson.slug === slug);
    const lesson = lessons[at];
    if (course === undefined || lesson === undefined) return refused("LESSON_NOT_FOUND");
    const { body, quiz } = splitLesson(lesson.body);
    return done({
      course: courseSlug,
      courseTitle: course.title,
      slug,
      title: lesson.title,
      minutes: lesson.minutes,
      body: this.#needs.parse(body),
      quiz: quiz.map(({ question, answers }) => ({ question, answers: [...answers] })),
      previous: lessons[at - 1]?.slug ?? null,
      next: lessons[at + 1]?.slug ?? null,
      isPassed: linkOf(lesson, await this.#readProgress(userId)).isPassed,
    });
  }

  async answerQuiz(
    {
      course,
      lesson: slug,
      answers,
    }: { readonly course: string; readonly lesson: string; readonly answers: readonly number[] },
    userId: number | null,
    timeMs: number,
  ): Promise<Result<QuizResult, "LESSON_NOT_FOUND" | "ANSWERS_MISSING">> {
    const lessons = await this.#needs.listLessons(timeMs);
    const lesson = lessons.find((candidate) => candidate.category === course && candidate.slug === slug);
    if (lesson === undefined) return refused("LESSON_NOT_FOUND");
    const { quiz } = splitLesson(lesson.body);
    if (answers.length !== quiz.length) return refused("ANSWERS_MISSING");
    const result = judge(quiz, answers);
    if (userId !== null) {
      const { correct, questions, isPassed } = result;
      const passed_ms = isPassed ? timeMs : null;
      await this.#store.record({
        user_id: userId,
        course,
        lesson: slug,
        correct,
        questions,
        passed_ms,
        tried_ms: timeMs,
      });
    }
    return done(result);
  }

  async #readProgress(userId: number | null): Promise<readonly ProgressRow[]> {
    return userId === null ? [] : this.#store.list(userId);
  }
}

function linkOf({ slug, title, minutes, category, body }: CollegeText, progress: readonly ProgressRow[]): LessonLink {
  const known = progress.find((row) => row.course === category && row.lesson === slug);
  return {
    slug,
    title,
    minutes,
    correct: known?.correct ?? null,
    questions: splitLesson(body).quiz.length,
    isPassed: known !== undefined && known.passed_ms !== null,
  };
}
