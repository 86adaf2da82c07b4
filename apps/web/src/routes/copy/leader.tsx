// One leader with the comments on him, fetched together.
import type { CommentPage } from "@clockwork/strategies/comments/contract";
import { COPY_PATHS, type CopyKind, type LeaderDetail } from "@clockwork/strategies/copy/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { fetchPage } from "#boot/article-loading.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { type LeaderPageProps, LeaderScreen } from "../../features/copy/leader-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<LeaderPageProps> {
  const page = context.get(pageContext);
  const kind: CopyKind = page.rest.startsWith("/copy/spot/") ? "spot" : "futures";
  const id = (page.rest.split("/").at(-1) ?? "").replace(/[^0-9]/g, "").slice(0, 10) || "0";
  const base = COPY_PATHS[kind];
  const first = await fetchPage<LeaderDetail>(page, `${base}/leaders/${id}`, true);
  const comments = await page.callApi({ method: "GET", path: `${base}/comments?leaderId=${id}` });
  return { kind, first, comments: (readEnvelope(comments) as CommentPage | undefined) ?? null, nowMs: Date.now() };
}

export const clientLoader = loadPayload<LeaderPageProps>;

export default function CopyLeader() {
  const data = useLoaderData<LeaderPageProps>();
  return <LeaderScreen key={data.first.leaderId} {...data} />;
}
