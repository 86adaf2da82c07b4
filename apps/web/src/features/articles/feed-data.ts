// The request of a list page: the category and the page of it, read from its address. Runs on the server.
import type { ArticleList, NEWS_CALLS } from "@clockwork/site/articles/contract";
import { fetchPage } from "#boot/article-loading.ts";
import type { PageContext } from "#boot/page-context.ts";

export interface FeedData {
  readonly list: ArticleList;
  readonly category: string | null;
  readonly isFirst: boolean;
}

const CATEGORY = /^[a-z][a-z0-9-]{0,39}$/;
const INSTANT = /^[0-9]{1,15}$/;

export async function loadFeed(page: PageContext, url: string, call: typeof NEWS_CALLS.list): Promise<FeedData> {
  const requested = new URL(url).searchParams;
  const category = requested.get("category") ?? "";
  const before = requested.get("before") ?? "";
  const query = {
    ...(CATEGORY.test(category) ? { category } : {}),
    ...(INSTANT.test(before) ? { before: Number(before) } : {}),
  };
  const list = await fetchPage(page, call, query, Object.keys(query).length > 0 ? {} : { shared: true });
  return { list, category: query.category ?? null, isFirst: query.before === undefined };
}
