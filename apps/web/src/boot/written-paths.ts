// Where written pages are read: the bare path of an article, and of all of them for the sitemap.

import { ANNOUNCEMENT_CALLS, ARTICLE_CALLS, type ArticleSummary, NEWS_CALLS } from "@clockwork/site/articles/contract";
import { COLLEGE_CALLS } from "@clockwork/site/college/contract";
import { MARKET_CALLS } from "@clockwork/trading/markets/contract";
import { readCall } from "./read-call.ts";
import type { CallApi } from "./root-data.ts";
import { hasPage } from "./route-table.ts";

/** Where an article of any kind is read. */
export function articlePath({ kind, slug, category }: Pick<ArticleSummary, "kind" | "slug" | "category">): string {
  switch (kind) {
    case "announcement":
      return `/news/${slug}`;
    case "news":
      return `/news-center/${slug}`;
    case "legal":
      return `/${slug}`;
    case "course":
      return `/college/${slug}`;
    case "lesson":
      return `/college/${category}/${slug}`;
    default:
      return `/help/articles/${slug}`;
  }
}

/** False for a path of this site that has no page yet; links to it wait for it. */
export function leadsSomewhere(to: string): boolean {
  return !to.startsWith("/") || hasPage(to.replace(/[?#].*$/, ""));
}

/** Every article and lesson; an unavailable list is left out. */
export async function listWrittenPaths(callApi: CallApi): Promise<readonly string[]> {
  const [help, announcements, news, college, pairs] = await Promise.all([
    readCall({ callApi }, ARTICLE_CALLS.help, {}, { shared: true }),
    readCall({ callApi }, ANNOUNCEMENT_CALLS.list, { limit: 50 }, { shared: true }),
    readCall({ callApi }, NEWS_CALLS.list, { limit: 50 }, { shared: true }),
    readCall({ callApi }, COLLEGE_CALLS.courses, {}, { shared: true }),
    readCall({ callApi }, MARKET_CALLS.pairs, {}, { shared: true }),
  ]);
  const sections = help?.categories.flatMap((category) => category.sections) ?? [];
  const feeds = [announcements, news].flatMap((feed) => feed?.articles ?? []);
  const courses = college?.courses ?? [];
  return [
    ...(pairs ?? []).map(({ pairCode }) => `/spot/${pairCode}`),
    ...[...sections.flatMap(({ articles }) => articles), ...feeds].map(articlePath),
    ...courses.flatMap(({ slug, lessons }) => [
      `/college/${slug}`,
      ...lessons.map((lesson) => `/college/${slug}/${lesson.slug}`),
    ]),
  ];
}
