// Outside providers of money, and what the visitor holds and did with them.
import { OTC_PEOPLE_CALLS } from "@clockwork/fiat/otcpeople/contract";
import { OTC_PROVIDER_CALLS as CALLS } from "@clockwork/fiat/otcproviders/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { ProvidersPage, type ProvidersPageProps } from "../../features/otc/providers-page.tsx";
import { readRequested } from "../../features/otc/requested.ts";

export async function loader({ context, request }: LoaderFunctionArgs): Promise<ProvidersPageProps> {
  const page = context.get(pageContext);
  const isSignedIn = page.root.topInfo.id !== null;
  const [providers, tender, deals, standing] = await Promise.all([
    readCall(page, CALLS.list, {}),
    isSignedIn ? readCall(page, CALLS.legalTender, {}) : undefined,
    isSignedIn ? readCall(page, CALLS.deals, {}) : undefined,
    isSignedIn ? readCall(page, OTC_PEOPLE_CALLS.merchant, {}) : undefined,
  ]);
  return {
    providers: providers ?? null,
    tender: tender ?? null,
    deals: deals ?? null,
    isSignedIn,
    level: standing?.identityLevel ?? 0,
    requested: readRequested(new URL(request.url).searchParams),
  };
}

export const clientLoader = loadPayload<ProvidersPageProps>;

export default function OtcProviders() {
  return <ProvidersPage {...useLoaderData<ProvidersPageProps>()} />;
}
