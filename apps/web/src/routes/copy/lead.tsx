// The caller as a leader, and the leader's followers.
import { COPY_CALLS, type CopyKind } from "@clockwork/strategies/copy/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { fetchPage } from "#boot/article-loading.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { LeadPage, type LeadPageProps } from "../../features/copy/lead-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<LeadPageProps> {
  const page = context.get(pageContext);
  const kind: CopyKind = page.rest.startsWith("/copy/spot") ? "spot" : "futures";
  const identity = await fetchPage(page, COPY_CALLS[kind].identity, {});
  const followers = identity.leaderId === null ? [] : await readCall(page, COPY_CALLS[kind].followers, {});
  return { kind, first: { identity, followers: followers ?? [] } };
}

export const clientLoader = loadPayload<LeadPageProps>;

export default function CopyLead() {
  const data = useLoaderData<LeadPageProps>();
  return <LeadPage key={data.kind} {...data} />;
}
