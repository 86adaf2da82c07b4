// The announcements, newest first.
import type { ArticleList as List } from "@clockwork/domains/articles/api";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { ArticleList } from "../features/articles/article-list.tsx";
import { type FeedData, loadFeed } from "../features/articles/feed-data.ts";
import { pageContext } from "../frame/page-context.ts";
import { loadPayload } from "../frame/payload.ts";
import { usePublicText } from "../frame/public-text.ts";

export function loader({ request, context }: LoaderFunctionArgs): Promise<FeedData<List>> {
  return loadFeed(context.get(pageContext), request.url, "/v1/announcements/list");
}

export const clientLoader = loadPayload<FeedData<List>>;

export default function News() {
  const text = usePublicText();
  const feed = useLoaderData<FeedData<List>>();
  return <ArticleList {...feed} title={text("public.news")} lead={text("public.news.lead")} path="/news" />;
}
