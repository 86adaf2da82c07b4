// The help centre, with its search.
import { CHAT_LOGIN_CALLS } from "@clockwork/messaging/chat/contract";
import { ARTICLE_CALLS } from "@clockwork/site/articles/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { fetchPage } from "#boot/article-loading.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { HelpPage, type HelpPageProps } from "../../features/articles/help-centre.tsx";
import { ChatCard, OwnChatCard } from "../../features/chat/button.tsx";
import { readChat } from "../../features/chat/model.ts";

type HelpData = Omit<HelpPageProps, "found" | "chat"> & {
  readonly found: HelpPageProps["found"] | null;
  readonly chat: ReturnType<typeof readChat>;
};

export async function loader({ request, context }: LoaderFunctionArgs): Promise<HelpData> {
  const page = context.get(pageContext);
  const query = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, 80);
  const centre = await fetchPage(page, ARTICLE_CALLS.help, {}, { shared: true });
  const found = query === "" ? null : (await fetchPage(page, ARTICLE_CALLS.search, { q: query })).articles;
  const login = await readCall(page, CHAT_LOGIN_CALLS.login, {}, { shared: true });
  return { centre, query, found, chat: readChat(login) };
}

export const clientLoader = loadPayload<HelpData>;

export default function Help() {
  const { centre, query, found, chat } = useLoaderData<HelpData>();
  const card = chat === "own" ? <OwnChatCard /> : chat === null ? null : <ChatCard url={chat.url} />;
  return <HelpPage centre={centre} query={query} found={found ?? undefined} chat={card} />;
}
