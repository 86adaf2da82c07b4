// The announcements, newest first.
import type { ArticleList as List } from "@clockwork/site/articles/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { usePublicText } from "#words/public-text.ts";
import { ArticleList } from "../features/articles/article-list.tsx";
import { type FeedData, loadFeed } from "../features/articles/feed-data.ts";

export function loader({ request, context }: LoaderFunctionArgs): Promise<FeedData<List>> {
  return loadFeed(context.get(pageContext), request.url, "/v1/announcements/list");
}

export const clientLoader = loadPayload<FeedData<List>>;

export default function News() {
  const text = usePublicText();
  const feed = useLoaderData<FeedData<List>>();
  return <ArticleList {...feed} title={text("public.news")} lead={text("public.news.lead")} path="/news" />;
}
