// A written page: the list it belongs to, the text, what is on it, when it was changed. Forms and tables of one page
// come in as children, after the text.

import { formatInstant } from "@clockwork/kit/time";
import type { Article, ArticleChanges } from "@clockwork/site/articles/contract";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { type ReactNode, useMemo } from "react";
import { useRouteLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import type { RootData } from "#boot/root-data.ts";
import { PageHead } from "#shell/page-head.tsx";
import { StructuredData } from "#shell/structured-data.tsx";
import { formatDay } from "#words/day-text.ts";
import { usePublicText } from "#words/public-text.ts";
import { CHANGES_ID, DocumentChanges } from "./document-changes.tsx";
import { type SideLink, SideNav } from "./side-lists.tsx";

// Long texts and their list of headings are rendered by the server and hydrated after the page, each separately.
const DocumentBody = latePart(async () => (await import("./document-body.tsx")).DocumentBody);
const Contents = latePart(async () => (await import("./document-contents.tsx")).Contents);

export interface DocumentPageProps {
  readonly article: Article;
  readonly listTitle: string;
  readonly links: readonly SideLink[];
  readonly children?: ReactNode;
  /** Legal documents say what each version changed. */
  readonly changes?: ArticleChanges["versions"];
  /** Further headings, of what the children show. */
  readonly more?: readonly { readonly id: string; readonly title: string }[];
}

export function DocumentPage({ article, listTitle, links, children, changes = [], more = [] }: DocumentPageProps) {
  const contents = useContents(article, more);
  return (
    <div className="container-read flex flex-1 gap-10 py-10 lg:py-14">
      <PageHead title={article.title} description={article.summary} />
      <ArticleFacts article={article} />
      <SideNav title={listTitle} links={links} />
      <main id="content" className="min-w-0 max-w-[680px] flex-1">
        <h1 className="font-[640] text-[32px] leading-10 tracking-[-0.03em] sm:text-legal">{article.title}</h1>
        <p className="mt-3 text-[18px] text-muted leading-7">{article.summary}</p>
        <DocumentBody nodes={article.body} />
        {children}
        <DocumentChanges versions={changes} />
        <DocumentFacts article={article} hasChanges={changes.length > 0} className="mt-12 xl:hidden" />
      </main>
      <aside aria-label={article.title} className="hidden w-[208px] shrink-0 xl:block">
        <div className="sticky top-[104px]">
          <Contents entries={contents} />
          <DocumentFacts article={article} hasChanges={changes.length > 0} className="mt-8 border-line border-t pt-4" />
        </div>
      </aside>
    </div>
  );
}

type Headings = readonly { readonly id: string; readonly title: string }[];

/** The same list from render to render: a part before hydration must not change. */
function useContents(article: Article, more: Headings): Headings {
  const moreText = JSON.stringify(more);
  return useMemo(() => [...article.contents, ...(JSON.parse(moreText) as Headings)], [article, moreText]);
}

const NEWS_KINDS: readonly string[] = ["announcement", "news"];

/** The document for search engines. */
function ArticleFacts({ article }: { readonly article: Article }) {
  const root = useRouteLoaderData<RootData>("root");
  const { kind, title, summary, publishedAtMs, changedAtMs } = article;
  const facts = {
    "@type": NEWS_KINDS.includes(kind) ? "NewsArticle" : "Article",
    headline: title,
    description: summary,
    ...(publishedAtMs === 0 ? {} : { datePublished: formatInstant(publishedAtMs) }),
    dateModified: formatInstant(changedAtMs),
    inLanguage: "en",
    publisher: { "@type": "Organization", name: root?.legalName, url: root?.origin },
  };
  return <StructuredData facts={facts} />;
}

interface DocumentFactsProps {
  readonly article: Article;
  readonly hasChanges: boolean;
  readonly className: string;
}

function DocumentFacts({ article, hasChanges, className }: DocumentFactsProps) {
  const text = usePublicText();
  const facts = [
    [text("public.version"), String(article.version)],
    [text("public.changed"), formatDay(article.changedAtMs)],
    [text("public.readingTime"), text("public.minutes", { count: article.readingMinutes })],
  ] as const;
  return (
    <div className={className}>
      <dl className="grid gap-3">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-label text-muted">{name}</dt>
            <dd className="mt-0.5 text-[13px]">{value}</dd>
          </div>
        ))}
      </dl>
      <div data-print="no" className="mt-5 flex flex-wrap gap-2">
        <button
          type="button"
          aria-label={text("public.print.label")}
          onClick={() => window.print()}
          className={`${buttonClass({ size: 28 })} gap-2`}
        >
          <Icon name="download" />
          {text("public.print")}
        </button>
        {hasChanges && (
          <a href={`#${CHANGES_ID}`} className={buttonClass({ size: 28 })}>
            {text("public.changes")}
          </a>
        )}
      </div>
    </div>
  );
}
