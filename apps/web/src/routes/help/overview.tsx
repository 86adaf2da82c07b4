// The help centre, with its search.
import type { ArticleLinks, HelpCentre } from "@clockwork/site/articles/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { fetchPage } from "#boot/article-loading.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readData } from "#boot/root-data.ts";
import { HelpPage, type HelpPageProps } from "../../features/articles/help-centre.tsx";
import { CHAT_PATH, ChatCard } from "../../features/chat/button.tsx";
import { readChatUrl } from "../../features/chat/model.ts";

type HelpData = Omit<HelpPageProps, "found" | "chat"> & {
  readonly found: HelpPageProps["found"] | null;
  /** The page of the support chat, where there is one. */
  readonly chatUrl: string | null;
};

export async function loader({ request, context }: LoaderFunctionArgs): Promise<HelpData> {
  const page = context.get(pageContext);
  const query = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, 80);
  const centre = await fetchPage<HelpCentre>(page, "/v1/help/centre");
  const path = `/v1/articles/search?q=${encodeURIComponent(query)}`;
  const found = query === "" ? null : (await fetchPage<ArticleLinks>(page, path, true)).articles;
  const chat = await page.callApi({ method: "GET", path: CHAT_PATH, shared: true });
  return { centre, query, found, chatUrl: readChatUrl(readData(chat)) };
}

export const clientLoader = loadPayload<HelpData>;

export default function Help() {
  const { centre, query, found, chatUrl } = useLoaderData<HelpData>();
  const chat = chatUrl === null ? null : <ChatCard url={chatUrl} />;
  return <HelpPage centre={centre} query={query} found={found ?? undefined} chat={chat} />;
}
