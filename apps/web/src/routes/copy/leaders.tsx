// Leaders of futures or of spot, ranked.
import { COPY_CALLS, type CopyKind } from "@clockwork/strategies/copy/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { LeadersPage, type LeadersPageProps, leadersQuery } from "../../features/copy/leaders-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<LeadersPageProps> {
  const page = context.get(pageContext);
  const kind: CopyKind = page.rest.startsWith("/copy/spot") ? "spot" : "futures";
  const first = await readCall(page, COPY_CALLS[kind].leaders, leadersQuery());
  return { kind, first: first ?? null, nowMs: Date.now() };
}

export const clientLoader = loadPayload<LeadersPageProps>;

export default function CopyLeaders() {
  const data = useLoaderData<LeadersPageProps>();
  return <LeadersPage key={data.kind} {...data} />;
}
