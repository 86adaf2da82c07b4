// The lower half of the home page: ways in that exist, what is new, where to learn.
import { Icon } from "@clockwork/ui/icon";
import type { ReactNode } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { formatShortDay } from "#words/day-text.ts";
import { useHomeLateText } from "#words/home-late-text.ts";
import type { HomeMarkets, HomeTexts } from "./home-data.ts";
import { WayPicture } from "./way-pictures.tsx";

const WAYS = [
  { to: "/spot", key: "spot" },
  { to: "/futures", key: "futures" },
  { to: "/copy", key: "copy" },
  { to: "/grid/spot", key: "grid" },
  { to: "/earn", key: "earn" },
  { to: "/otc", key: "otc" },
] as const;

interface HomeSectionsProps {
  readonly texts: HomeTexts;
  readonly markets: HomeMarkets;
}

export function HomeSections({ texts, markets }: HomeSectionsProps) {
  return (
    <>
      <Recommended {...texts} />
      <Ways markets={markets} />
      <Readings {...texts} />
    </>
  );
}

/** Links out of what is going on and of what the visitor has. */
function Recommended({ recommended }: HomeTexts) {
  const text = useHomeLateText();
  if (recommended.length === 0) return null;
  return (
    <section aria-labelledby="recommended" className="container-read pt-14">
      <h2 id="recommended" className="text-section">
        {text("home.recommended")}
      </h2>
      <ul className="mt-4 flex flex-wrap gap-2">
        {recommended.map(({ kind, id, title, reason, path }) => (
          <li key={`${kind}:${id}`}>
            <SiteLink
              to={path}
              className="flex h-10 items-center gap-2 rounded-control border border-line px-3.5 hover:border-line2 hover:bg-hover"
            >
              <span className="font-medium">{title}</span>
              <span className="text-label text-muted">{text(`home.recommended.${reason}`)}</span>
            </SiteLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Ways({ markets }: { readonly markets: HomeMarkets }) {
  const text = useHomeLateText();
  return (
    <section aria-labelledby="ways" className="container-read py-14">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="ways" className="text-section">
          {text("home.ways")}
        </h2>
        <p className="text-muted">{text("home.ways.note")}</p>
      </div>
      <ul className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {WAYS.map(({ to, key }) => (
          <li key={key}>
            <SiteLink
              to={to}
              className="group block h-full overflow-hidden rounded-panel border border-line transition-colors hover:border-line2"
            >
              <span
                aria-hidden="true"
                className="relative block h-[132px] overflow-hidden border-line border-b bg-surface max-sm:h-[112px]"
              >
                <WayPicture name={key} markets={markets} />
              </span>
              <span className="flex items-center justify-between px-5 pt-4 text-card">
                {text(`home.way.${key}`)}
                <Icon name="chevron-right" className="text-muted group-hover:text-text" />
              </span>
              <span className="block px-5 pt-0.5 pb-4 text-muted">{text(`home.way.${key}.note`)}</span>
            </SiteLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Readings({ news, lessons }: HomeTexts) {
  const text = useHomeLateText();
  return (
    <div className="container-read grid gap-12 pb-16 lg:grid-cols-2">
      <ReadingList title={text("home.news")} all={text("home.allNews")} to="/news">
        {news.map(({ slug, title, publishedAtMs, category }) => (
          <ReadingRow
            key={slug}
            to={`/news/${slug}`}
            before={formatShortDay(publishedAtMs)}
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
        <SiteLink to={to} className="flex items-center gap-1 font-medium text-[13px] hover:underline">
          {all}
          <Icon name="chevron-right" size={14} />
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
        <span className="w-[52px] shrink-0 text-label text-muted">{before}</span>
        <span className="min-w-0 flex-1 truncate font-medium group-hover:underline">{title}</span>
        <span className="text-label text-muted max-sm:hidden">{after}</span>
      </SiteLink>
    </li>
  );
}
