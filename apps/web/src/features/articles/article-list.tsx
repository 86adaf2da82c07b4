// A list of announcements or news: newest first, by category, page after page. Plain links, so it works without script.

import { formatDate } from "@clockwork/kit/time";
import type { ArticleSummary, ArticleList as List } from "@clockwork/site/articles/contract";
import { SiteLink } from "#boot/site-link.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";

export interface ArticleListProps {
  readonly title: string;
  readonly lead: string;
  /** The path of the list; its articles are below. */
  readonly path: string;
  readonly list: List;
  readonly category: string | null;
  readonly isFirst: boolean;
}

const TAB =
  "-mb-px flex h-10 items-center border-transparent border-b-2 text-muted hover:text-text aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-text";

function nameOf(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1).replaceAll("-", " ");
}

export function ArticleList({ title, lead, path, list, category, isFirst }: ArticleListProps) {
  const text = usePublicText();
  const withCategory = (key: string | null) => (key === null ? path : `${path}?category=${key}`);
  return (
    <main id="content" className="container-read max-w-[944px] flex-1 py-10 lg:py-14">
      <PageHead title={title} description={lead} />
      <h1 className="font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">{title}</h1>
      <p className="mt-3 text-[18px] text-muted leading-7">{lead}</p>
      <nav aria-label={title} className="mt-8 flex gap-6 overflow-x-auto border-line border-b text-ui">
        {[null, ...list.categories].map((key) => (
          <SiteLink
            key={key ?? ""}
            to={withCategory(key)}
            aria-current={key === category ? "page" : undefined}
            className={TAB}
          >
            {key === null ? text("public.news.all") : nameOf(key)}
          </SiteLink>
        ))}
      </nav>
      {list.articles.length === 0 && <p className="py-16 text-center text-muted">{text("public.news.none")}</p>}
      <ul>
        {list.articles.map((article) => (
          <ArticleRow key={article.slug} article={article} path={path} />
        ))}
      </ul>
      <div className="mt-6 flex gap-6 text-ui">
        {!isFirst && (
          <SiteLink to={withCategory(category)} className="font-medium hover:underline">
            {text("public.news.newest")}
          </SiteLink>
        )}
        {list.next !== null && (
          <SiteLink
            to={`${path}?${category === null ? "" : `category=${category}&`}before=${list.next}`}
            className="font-medium hover:underline"
          >
            {text("public.news.older")}
          </SiteLink>
        )}
      </div>
    </main>
  );
}

function ArticleRow({ article, path }: { readonly article: ArticleSummary; readonly path: string }) {
  const text = usePublicText();
  return (
    <li className="border-line border-b">
      <SiteLink to={`${path}/${article.slug}`} className="group block py-5">
        <span className="flex items-baseline gap-3 text-label text-muted">
          <time dateTime={formatDate(article.publishedAtMs)}>{formatDate(article.publishedAtMs)}</time>
          <span>{nameOf(article.category)}</span>
          {article.isPinned && (
            <span className="rounded-check border border-line2 px-1.5">{text("public.news.pinned")}</span>
          )}
        </span>
        <span className="mt-1 block font-semibold text-[16px] leading-6 group-hover:underline">{article.title}</span>
        <span className="mt-1 block text-muted">{article.summary}</span>
      </SiteLink>
    </li>
  );
}
