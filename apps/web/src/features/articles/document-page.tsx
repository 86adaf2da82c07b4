// A written page: the list it belongs to, the text, what is on it, when it was changed. Forms and tables of one page
// come in as children, after the text.
import type { Article, ArticleChanges, ArticleNode } from "@clockwork/domains/articles/api";
import { formatDate, formatInstant } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import { PageHead } from "#frame/page-head.tsx";
import { Prose } from "#frame/prose.tsx";
import { usePublicText } from "#frame/public-text.ts";
import type { RootData } from "#frame/root-data.ts";
import { StructuredData } from "#frame/structured-data.tsx";
import { CHANGES_ID, DocumentChanges } from "./document-changes.tsx";
import { Contents, type SideLink, SideNav } from "./side-lists.tsx";

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
  const contents = [...article.contents, ...more];
  return (
    <div className="container-read flex flex-1 gap-10 py-10 lg:gap-16 lg:py-14">
      <PageHead title={article.title} description={article.summary} />
      <ArticleFacts article={article} />
      <SideNav title={listTitle} links={links} />
      <main id="content" className="min-w-0 max-w-[680px] flex-1">
        <h1 className="font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">
          {article.title}
        </h1>
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

const SHORT_ID = "in-short";

/** The gist of a document stands in a box of its own, before the detail. */
function DocumentBody({ nodes }: { readonly nodes: readonly ArticleNode[] }) {
  const isHeading = (node: ArticleNode | undefined, id?: string) =>
    typeof node === "object" && node.tag === "h2" && (id === undefined || node.id === id);
  const end = isHeading(nodes[0], SHORT_ID) ? nodes.findIndex((node, at) => at > 0 && !isList(node)) : 0;
  const short = nodes.slice(0, Math.max(0, end));
  const [heading, ...points] = short;
  return (
    <>
      {typeof heading === "object" && (
        <section
          aria-labelledby={SHORT_ID}
          className="mt-6 rounded-card border border-line bg-surface px-6 pt-5 pb-6 [&>ul]:mt-3"
        >
          <h2 id={SHORT_ID} className="scroll-mt-24 font-semibold text-[16px] leading-6">
            {heading.children?.filter((child) => typeof child === "string").join("")}
          </h2>
          <Prose nodes={points} />
        </section>
      )}
      <div className="mt-8">
        <Prose nodes={nodes.slice(short.length)} />
      </div>
    </>
  );
}

function isList(node: ArticleNode): boolean {
  return typeof node === "object" && node.tag === "ul";
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
    [text("public.changed"), formatDate(article.changedAtMs)],
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
        <Button size={28} icon="download" aria-label={text("public.print.label")} onPress={() => window.print()}>
          {text("public.print")}
        </Button>
        {hasChanges && (
          <a href={`#${CHANGES_ID}`} className={buttonClass({ size: 28 })}>
            {text("public.changes")}
          </a>
        )}
      </div>
    </div>
  );
}
