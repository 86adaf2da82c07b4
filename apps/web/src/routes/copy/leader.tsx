// One leader with the comments on them, fetched together.
import { COMMENT_CALLS } from "@clockwork/strategies/comments/contract";
import { COPY_CALLS, type CopyKind } from "@clockwork/strategies/copy/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { fetchPage } from "#boot/article-loading.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { type LeaderPageProps, LeaderScreen } from "../../features/copy/leader-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<LeaderPageProps> {
  const page = context.get(pageContext);
  const kind: CopyKind = page.rest.startsWith("/copy/spot/") ? "spot" : "futures";
  const id = (page.rest.split("/").at(-1) ?? "").replace(/[^0-9]/g, "").slice(0, 10) || "0";
  const first = await fetchPage(page, COPY_CALLS[kind].leader, { id });
  const comments = await readCall(page, COMMENT_CALLS[kind].list, { leaderId: id });
  return { kind, first, comments: comments ?? null, nowMs: Date.now() };
}

export const clientLoader = loadPayload<LeaderPageProps>;

export default function CopyLeader() {
  const data = useLoaderData<LeaderPageProps>();
  return <LeaderScreen key={data.first.leaderId} {...data} />;
}
