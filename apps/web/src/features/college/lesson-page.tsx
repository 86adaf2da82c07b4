// A lesson: its text and its questions.
import type { ArticleNode } from "@clockwork/site/articles/contract";
import type { Lesson } from "@clockwork/site/college/contract";
import { SiteLink } from "#boot/site-link.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { Prose } from "#shell/prose.tsx";
import { usePublicText } from "#words/public-text.ts";
import { LessonQuiz } from "./lesson-quiz.tsx";

export function LessonPage({ lesson }: { readonly lesson: Lesson }) {
  const text = usePublicText();
  const course = `/college/${lesson.course}`;
  return (
    <main id="content" className="container-read max-w-[776px] flex-1 py-10 lg:py-14">
      <PageHead title={`${lesson.title} · ${lesson.courseTitle}`} />
      <p className="flex gap-3 text-label text-muted">
        <SiteLink to={course} className="hover:underline">
          {lesson.courseTitle}
        </SiteLink>
        <span>{text("public.minutes", { count: lesson.minutes })}</span>
        {lesson.isPassed && <span>{text("public.college.passed")}</span>}
      </p>
      <h1 className="mt-2 font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">
        {lesson.title}
      </h1>
      <div className="mt-6">
        <Prose nodes={lesson.body as readonly ArticleNode[]} />
      </div>
      <LessonQuiz key={lesson.slug} lesson={lesson} />
      <nav aria-label={lesson.courseTitle} className="mt-12 flex justify-between gap-6 border-line border-t pt-6">
        {lesson.previous === null ? (
          <span />
        ) : (
          <SiteLink to={`${course}/${lesson.previous}`} className="font-medium hover:underline">
            {text("public.college.previous")}
          </SiteLink>
        )}
        {lesson.next !== null && (
          <SiteLink to={`${course}/${lesson.next}`} className="font-medium hover:underline">
            {text("public.college.next")}
          </SiteLink>
        )}
      </nav>
    </main>
  );
}
