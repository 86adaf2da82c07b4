// The caller as a leader, and his followers.
import { COPY_PATHS, type CopyKind, type FollowerList, type Identity } from "@clockwork/strategies/copy/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { fetchPage } from "#boot/article-loading.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { LeadPage, type LeadPageProps } from "../../features/copy/lead-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<LeadPageProps> {
  const page = context.get(pageContext);
  const kind: CopyKind = page.rest.startsWith("/copy/spot") ? "spot" : "futures";
  const identity = await fetchPage<Identity>(page, `${COPY_PATHS[kind]}/identity`, true);
  const answer =
    identity.leaderId === null
      ? undefined
      : await page.callApi({ method: "GET", path: `${COPY_PATHS[kind]}/followers` });
  const followers = answer === undefined ? undefined : (readEnvelope(answer) as FollowerList | undefined);
  return { kind, first: { identity, followers: followers ?? [] } };
}

export const clientLoader = loadPayload<LeadPageProps>;

export default function CopyLead() {
  const data = useLoaderData<LeadPageProps>();
  return <LeadPage key={data.kind} {...data} />;
}
