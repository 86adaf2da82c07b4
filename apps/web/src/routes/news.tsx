// The announcements, newest first.
import { ANNOUNCEMENT_CALLS } from "@clockwork/site/articles/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { usePublicText } from "#words/public-text.ts";
import { ArticleList } from "../features/articles/article-list.tsx";
import { type FeedData, loadFeed } from "../features/articles/feed-data.ts";

export function loader({ request, context }: LoaderFunctionArgs): Promise<FeedData> {
  return loadFeed(context.get(pageContext), request.url, ANNOUNCEMENT_CALLS.list);
}

export const clientLoader = loadPayload<FeedData>;

export default function News() {
  const text = usePublicText();
  const feed = useLoaderData<FeedData>();
  return <ArticleList {...feed} title={text("public.news")} lead={text("public.news.lead")} path="/news" />;
}
