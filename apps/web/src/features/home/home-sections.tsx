// The lower half of the home page: ways in that exist, what is new, where to learn.
import { formatDate } from "@clockwork/kit/time";
import type { ReactNode } from "react";
import { useHomeText } from "#frame/home-text.ts";
import { SiteLink } from "#frame/site-link.tsx";
import type { HomeTexts } from "./home-data.ts";

const WAYS = [
  { to: "/spot", key: "spot" },
  { to: "/markets", key: "markets" },
  { to: "/api-docs", key: "api" },
  { to: "/college", key: "college" },
  { to: "/security", key: "security" },
  { to: "/help", key: "help" },
] as const;

export function HomeSections({ texts }: { readonly texts: HomeTexts }) {
  return (
    <>
      <Ways />
      <Readings {...texts} />
    </>
  );
}

function Ways() {
  const text = useHomeText();
  return (
    <section aria-labelledby="ways" className="container-read py-14">
      <h2 id="ways" className="text-section">
        {text("home.ways")}
      </h2>
      <ul className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {WAYS.map(({ to, key }) => (
          <li key={key}>
            <SiteLink
              to={to}
              className="block h-full rounded-panel border border-line p-6 transition-colors hover:border-line2 hover:bg-surface"
            >
              <span className="block text-card">{text(`home.way.${key}`)}</span>
              <span className="mt-1 block text-muted">{text(`home.way.${key}.note`)}</span>
            </SiteLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Readings({ news, lessons }: HomeTexts) {
  const text = useHomeText();
  return (
    <div className="container-read grid gap-12 pb-16 lg:grid-cols-2">
      <ReadingList title={text("home.news")} all={text("home.allNews")} to="/news">
        {news.map(({ slug, title, publishedAtMs, category }) => (
          <ReadingRow
            key={slug}
            to={`/news/${slug}`}
            before={formatDate(publishedAtMs)}
            title={title}
            after={category.charAt(0).toUpperCase() + category.slice(1)}
          />
        ))}
      </ReadingList>
      <ReadingList title={text("home.college")} all={text("home.allCourses")} to="/college">
        {lessons.map(({ path, title, minutes, course }) => (
          <ReadingRow
            key={path}
            to={path}
            before={text("home.minutes", { count: minutes })}
            title={title}
            after={course}
          />
        ))}
      </ReadingList>
    </div>
  );
}

interface ReadingListProps {
  readonly title: string;
  readonly all: string;
  readonly to: string;
  readonly children: ReactNode;
}

function ReadingList({ title, all, to, children }: ReadingListProps) {
  return (
    <section aria-label={title}>
      <div className="flex items-baseline justify-between">
        <h2 className="font-semibold text-[20px] leading-7 tracking-[-0.015em]">{title}</h2>
        <SiteLink to={to} className="font-medium text-[13px] hover:underline">
          {all}
        </SiteLink>
      </div>
      <ul className="mt-3 border-line border-t">{children}</ul>
    </section>
  );
}

interface ReadingRowProps {
  readonly to: string;
  readonly before: string;
  readonly title: string;
  readonly after: string;
}

function ReadingRow({ to, before, title, after }: ReadingRowProps) {
  return (
    <li className="border-line border-b">
      <SiteLink to={to} className="group flex items-baseline gap-4 py-3">
        <span className="w-[84px] shrink-0 text-label text-muted">{before}</span>
        <span className="min-w-0 flex-1 truncate font-medium group-hover:underline">{title}</span>
        <span className="text-label text-muted max-sm:hidden">{after}</span>
      </SiteLink>
    </li>
  );
}
