// What a legal page is rendered from: the document named by the path, and the others. Runs on the server.
import type { Article, ArticleChanges, ArticleLinks } from "@clockwork/site/articles/contract";
import { fetchPage, readSlug } from "#boot/article-loading.ts";
import type { PageContext } from "#boot/page-context.ts";
import type { SideLink } from "./side-lists.tsx";

export interface LegalData {
  readonly article: Article;
  readonly changes: ArticleChanges["versions"];
  readonly links: readonly SideLink[];
}

export async function loadLegal(page: PageContext): Promise<LegalData> {
  const article = await fetchPage<Article>(page, `/v1/legal/one?slug=${readSlug(page.rest, "/")}`);
  const { versions } = await fetchPage<ArticleChanges>(page, `/v1/legal/changes?slug=${article.slug}`);
  const { articles } = await fetchPage<ArticleLinks>(page, "/v1/legal/list");
  return {
    article,
    changes: versions,
    links: articles.map(({ slug, title }) => ({ to: `/${slug}`, title, isCurrent: slug === article.slug })),
  };
}
