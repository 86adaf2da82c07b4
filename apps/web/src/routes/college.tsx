// The college: all courses, one course, or one lesson, by the depth of the address.
import { COLLEGE_CALLS, type Course, type CourseList, type Lesson } from "@clockwork/site/college/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { fetchPage } from "#boot/article-loading.ts";
import { shortenPath } from "#boot/gate.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";
import { CollegePage, CourseFacts, LessonList } from "../features/college/course-list.tsx";
import { LessonPage } from "../features/college/lesson-page.tsx";

type CollegeData =
  | { readonly kind: "courses"; readonly list: CourseList }
  | { readonly kind: "course"; readonly course: Course }
  | { readonly kind: "lesson"; readonly lesson: Lesson };

export async function loader({ context }: LoaderFunctionArgs): Promise<CollegeData> {
  const page = context.get(pageContext);
  const [course, lesson, ...deeper] = page.rest
    .replace(/^\/college\/?|\/$/g, "")
    .split("/")
    .filter((part) => part !== "");
  if (deeper.length > 0) throw data(`Page Not Found: ${shortenPath(page.rest)}`, { status: 404 });
  // Progress is the reader's own, so none of this is shared between visitors.
  if (course === undefined) return { kind: "courses", list: await fetchPage(page, COLLEGE_CALLS.courses, {}) };
  if (lesson === undefined)
    return { kind: "course", course: await fetchPage(page, COLLEGE_CALLS.course, { slug: course }) };
  return { kind: "lesson", lesson: await fetchPage(page, COLLEGE_CALLS.lesson, { course, slug: lesson }) };
}

export const clientLoader = loadPayload<CollegeData>;

export default function College() {
  const found = useLoaderData<CollegeData>();
  if (found.kind === "courses") return <CollegePage {...found.list} />;
  return found.kind === "course" ? <CoursePage course={found.course} /> : <LessonPage lesson={found.lesson} />;
}

function CoursePage({ course }: { readonly course: Course }) {
  const text = usePublicText();
  return (
    <main id="content" className="container-read max-w-[776px] flex-1 py-10 lg:py-14">
      <PageHead title={course.title} description={course.summary} />
      <p className="text-label text-muted">
        <SiteLink to="/college" className="hover:underline">
          {text("public.college")}
        </SiteLink>
      </p>
      <h1 className="mt-2 font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">
        {course.title}
      </h1>
      <p className="mt-3 text-[18px] text-muted leading-7">{course.summary}</p>
      <div className="mt-6">
        <CourseFacts course={course} />
      </div>
      <LessonList course={course} />
    </main>
  );
}
