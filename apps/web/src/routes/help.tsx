// The help centre, with its search.
import type { ArticleLinks, HelpCentre } from "@clockwork/domains/articles/api";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { HelpPage, type HelpPageProps } from "../features/articles/help-centre.tsx";
import { fetchPage } from "../frame/article-loading.ts";
import { pageContext } from "../frame/page-context.ts";
import { loadPayload } from "../frame/payload.ts";

type HelpData = Omit<HelpPageProps, "found"> & { readonly found: HelpPageProps["found"] | null };

export async function loader({ request, context }: LoaderFunctionArgs): Promise<HelpData> {
  const page = context.get(pageContext);
  const query = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, 80);
  const centre = await fetchPage<HelpCentre>(page, "/v1/help/centre");
  const path = `/v1/articles/search?q=${encodeURIComponent(query)}`;
  const found = query === "" ? null : (await fetchPage<ArticleLinks>(page, path, true)).articles;
  return { centre, query, found };
}

export const clientLoader = loadPayload<HelpData>;

export default function Help() {
  const { centre, query, found } = useLoaderData<HelpData>();
  return <HelpPage centre={centre} query={query} found={found ?? undefined} />;
}
