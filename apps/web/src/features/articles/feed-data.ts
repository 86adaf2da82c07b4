// What a list page asks for: the category and the page of it, read from its address. Runs on the server.
import { fetchPage } from "#boot/article-loading.ts";
import type { PageContext } from "#boot/page-context.ts";

export interface FeedData<List> {
  readonly list: List;
  readonly category: string | null;
  readonly isFirst: boolean;
}

const CATEGORY = /^[a-z][a-z0-9-]{0,39}$/;
const INSTANT = /^[0-9]{1,15}$/;

export async function loadFeed<List>(page: PageContext, url: string, path: string): Promise<FeedData<List>> {
  const asked = new URL(url).searchParams;
  const category = asked.get("category") ?? "";
  const before = asked.get("before") ?? "";
  const query = new URLSearchParams();
  if (CATEGORY.test(category)) query.set("category", category);
  if (INSTANT.test(before)) query.set("before", before);
  const list = await fetchPage<List>(page, query.size === 0 ? path : `${path}?${query}`, query.size > 0);
  return { list, category: query.get("category"), isFirst: !query.has("before") };
}
