// One announcement or one piece of news, next to the newest others.
import { ANNOUNCEMENT_CALLS, type Article, type ArticleList, NEWS_CALLS } from "@clockwork/site/articles/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { fetchPage, slugOf } from "#boot/article-loading.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { usePublicText } from "#words/public-text.ts";
import { DocumentPage } from "../features/articles/document-page.tsx";

interface NewsData {
  readonly article: Article;
  readonly list: ArticleList;
  readonly path: string;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<NewsData> {
  const page = context.get(pageContext);
  const isNews = page.rest.startsWith("/news-center/");
  const path = isNews ? "/news-center" : "/news";
  const calls = isNews ? NEWS_CALLS : ANNOUNCEMENT_CALLS;
  const article = await fetchPage(page, calls.one, { slug: slugOf(page.rest, `${path}/`) }, { shared: true });
  return { article, path, list: await fetchPage(page, calls.list, { limit: 10 }, { shared: true }) };
}

export const clientLoader = loadPayload<NewsData>;

export default function NewsArticle() {
  const text = usePublicText();
  const { article, list, path } = useLoaderData<NewsData>();
  const links = list.articles.map(({ slug, title }) => ({
    to: `${path}/${slug}`,
    title,
    isCurrent: slug === article.slug,
  }));
  const title = text(path === "/news" ? "public.news" : "public.blog");
  return <DocumentPage article={article} listTitle={title} links={links} />;
}
