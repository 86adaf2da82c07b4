// What a legal page is rendered from: the document named by the path, and the others. Runs on the server.
import { ARTICLE_CALLS, type Article, type ArticleChanges } from "@clockwork/site/articles/contract";
import { fetchPage, slugOf } from "#boot/article-loading.ts";
import type { PageContext } from "#boot/page-context.ts";
import type { SideLink } from "./side-lists.tsx";

export interface LegalData {
  readonly article: Article;
  readonly changes: ArticleChanges["versions"];
  readonly links: readonly SideLink[];
}

export async function loadLegal(page: PageContext): Promise<LegalData> {
  const article = await fetchPage(page, ARTICLE_CALLS.legalOne, { slug: slugOf(page.rest, "/") }, { shared: true });
  const { versions } = await fetchPage(page, ARTICLE_CALLS.legalChanges, { slug: article.slug }, { shared: true });
  const { articles } = await fetchPage(page, ARTICLE_CALLS.legal, {}, { shared: true });
  return {
    article,
    changes: versions,
    links: articles.map(({ slug, title }) => ({ to: `/${slug}`, title, isCurrent: slug === article.slug })),
  };
}
