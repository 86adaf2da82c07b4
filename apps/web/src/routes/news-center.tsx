// The news: how the exchange is built, and why.
import { NEWS_CALLS } from "@clockwork/site/articles/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { usePublicText } from "#words/public-text.ts";
import { ArticleList } from "../features/articles/article-list.tsx";
import { type FeedData, loadFeed } from "../features/articles/feed-data.ts";

export function loader({ request, context }: LoaderFunctionArgs): Promise<FeedData> {
  return loadFeed(context.get(pageContext), request.url, NEWS_CALLS.list);
}

export const clientLoader = loadPayload<FeedData>;

export default function NewsCenter() {
  const text = usePublicText();
  const feed = useLoaderData<FeedData>();
  return <ArticleList {...feed} title={text("public.blog")} lead={text("public.blog.lead")} path="/news-center" />;
}
