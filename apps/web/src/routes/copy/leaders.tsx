// Leaders of futures or of spot, ranked.
import type { CopyKind, LeaderPage } from "@clockwork/strategies/copy/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { LeadersPage, type LeadersPageProps, leadersAddress } from "../../features/copy/leaders-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<LeadersPageProps> {
  const { callApi, rest } = context.get(pageContext);
  const kind: CopyKind = rest.startsWith("/copy/spot") ? "spot" : "futures";
  const answer = await callApi({ method: "GET", path: leadersAddress(kind) });
  return { kind, first: (readEnvelope(answer) as LeaderPage | undefined) ?? null, nowMs: Date.now() };
}

export const clientLoader = loadPayload<LeadersPageProps>;

export default function CopyLeaders() {
  const data = useLoaderData<LeadersPageProps>();
  return <LeadersPage key={data.kind} {...data} />;
}
