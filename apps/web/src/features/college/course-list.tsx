// The college's courses with their lessons, and how far the reader is.
import type { Course, CourseList } from "@clockwork/site/college/contract";
import { Icon } from "@clockwork/ui/icon";
import { SiteLink } from "#boot/site-link.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";

const LEVELS = ["beginner", "intermediate", "advanced"] as const;

export function CollegePage({ courses }: CourseList) {
  const text = usePublicText();
  return (
    <main id="content" className="container-read flex-1 py-10 lg:py-14">
      <PageHead title={text("public.college")} description={text("public.college.lead")} />
      <h1 className="font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">
        {text("public.college")}
      </h1>
      <p className="mt-3 text-[18px] text-muted leading-7">{text("public.college.lead")}</p>
      <div className="mt-10 grid gap-6 lg:grid-cols-2">
        {courses.map((course) => (
          <CourseCard key={course.slug} course={course} />
        ))}
      </div>
    </main>
  );
}

function CourseCard({ course }: { readonly course: Course }) {
  return (
    <section aria-labelledby={course.slug} className="rounded-card border border-line p-6">
      <CourseFacts course={course} />
      <h2 id={course.slug} className="mt-1 font-semibold text-[20px] leading-7 tracking-[-0.015em]">
        <SiteLink to={`/college/${course.slug}`} className="hover:underline">
          {course.title}
        </SiteLink>
      </h2>
      <p className="mt-1 text-muted">{course.summary}</p>
      <LessonList course={course} />
    </section>
  );
}

export function CourseFacts({ course }: { readonly course: Course }) {
  const text = usePublicText();
  const level = LEVELS.find((known) => known === course.level) ?? "beginner";
  const done = course.lessons.filter(({ isPassed }) => isPassed).length;
  const count = course.lessons.length;
  return (
    <p className="flex gap-3 text-label text-muted">
      <span>{text(`public.college.level.${level}`)}</span>
      <span>
        {done === 0 ? text("public.college.lessons", { count }) : text("public.college.done", { done, count })}
      </span>
    </p>
  );
}

export function LessonList({ course }: { readonly course: Course }) {
  const text = usePublicText();
  return (
    <ol className="mt-4 border-line border-t">
      {course.lessons.map((lesson, at) => (
        <li key={lesson.slug} className="border-line border-b">
          <SiteLink to={`/college/${course.slug}/${lesson.slug}`} className="group flex items-center gap-3 py-3">
            <span className="w-5 text-muted tabular-nums">{at + 1}</span>
            <span className="min-w-0 flex-1 font-medium group-hover:underline">{lesson.title}</span>
            {lesson.isPassed && (
              <span className="flex items-center gap-1 text-label text-muted">
                <Icon name="check" />
                {text("public.college.passed")}
              </span>
            )}
            <span className="text-label text-muted">{text("public.minutes", { count: lesson.minutes })}</span>
          </SiteLink>
        </li>
      ))}
    </ol>
  );
}
