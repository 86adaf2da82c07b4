// The news: how the exchange is built, and why.
import type { ArticleList as List } from "@clockwork/site/articles/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { usePublicText } from "#words/public-text.ts";
import { ArticleList } from "../features/articles/article-list.tsx";
import { type FeedData, loadFeed } from "../features/articles/feed-data.ts";

export function loader({ request, context }: LoaderFunctionArgs): Promise<FeedData<List>> {
  return loadFeed(context.get(pageContext), request.url, "/v1/news/list");
}

export const clientLoader = loadPayload<FeedData<List>>;

export default function NewsCenter() {
  const text = usePublicText();
  const feed = useLoaderData<FeedData<List>>();
  return <ArticleList {...feed} title={text("public.blog")} lead={text("public.blog.lead")} path="/news-center" />;
}
