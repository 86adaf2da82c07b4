// A written page: the list it belongs to, the text, what is on it, when it was changed. Forms and tables of one page
// come in as children, after the text.
import type { Article } from "@clockwork/domains/articles/api";
import { formatDate } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import type { ReactNode } from "react";
import { PageHead } from "#frame/page-head.tsx";
import { Prose } from "#frame/prose.tsx";
import { usePublicText } from "#frame/public-text.ts";
import { Contents, type SideLink, SideNav } from "./side-lists.tsx";

export interface DocumentPageProps {
  readonly article: Article;
  readonly listTitle: string;
  readonly links: readonly SideLink[];
  readonly children?: ReactNode;
  /** Further headings, of what the children show. */
  readonly more?: readonly { readonly id: string; readonly title: string }[];
}

export function DocumentPage({ article, listTitle, links, children, more = [] }: DocumentPageProps) {
  const contents = [...article.contents, ...more];
  return (
    <div className="container-read flex flex-1 gap-10 py-10 lg:gap-16 lg:py-14">
      <PageHead title={article.title} description={article.summary} />
      <SideNav title={listTitle} links={links} />
      <main id="content" className="min-w-0 max-w-[680px] flex-1">
        <h1 className="font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">
          {article.title}
        </h1>
        <p className="mt-3 text-[18px] text-muted leading-7">{article.summary}</p>
        <div className="mt-8">
          <Prose nodes={article.body} />
        </div>
        {children}
        <DocumentFacts article={article} className="mt-12 xl:hidden" />
      </main>
      <aside aria-label={article.title} className="hidden w-[208px] shrink-0 xl:block">
        <div className="sticky top-[104px]">
          <Contents entries={contents} />
          <DocumentFacts article={article} className="mt-8 border-line border-t pt-4" />
        </div>
      </aside>
    </div>
  );
}

function DocumentFacts({ article, className }: { readonly article: Article; readonly className: string }) {
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
      <div data-print="no" className="mt-5">
        <Button size={28} onPress={() => window.print()}>
          {text("public.print")}
        </Button>
      </div>
    </div>
  );
}
