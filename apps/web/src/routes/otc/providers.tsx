// Outside providers of money, and what the visitor holds and did with them.
import { OTC_PEOPLE_CALLS } from "@clockwork/fiat/otcpeople/contract";
import {
  type DealList,
  type LegalTender,
  OTC_PROVIDER_CALLS as PATHS,
  type ProviderList,
} from "@clockwork/fiat/otcproviders/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { readAsked } from "../../features/otc/asked.ts";
import { ProvidersPage, type ProvidersPageProps } from "../../features/otc/providers-page.tsx";

export async function loader({ context, request }: LoaderFunctionArgs): Promise<ProvidersPageProps> {
  const { callApi, root } = context.get(pageContext);
  const isSignedIn = root.topInfo.id !== null;
  const read = async (path: string) => readEnvelope(await callApi({ method: "GET", path }));
  const [providers, tender, deals, standing] = await Promise.all([
    read(PATHS.list),
    isSignedIn ? read(PATHS.legalTender) : undefined,
    isSignedIn ? read(PATHS.deals) : undefined,
    isSignedIn ? read(OTC_PEOPLE_CALLS.merchant) : undefined,
  ]);
  return {
    providers: (providers as ProviderList | undefined) ?? null,
    tender: (tender as LegalTender | undefined) ?? null,
    deals: (deals as DealList | undefined) ?? null,
    isSignedIn,
    level: (standing as { readonly identityLevel: number } | undefined)?.identityLevel ?? 0,
    asked: readAsked(new URL(request.url).searchParams),
  };
}

export const clientLoader = loadPayload<ProvidersPageProps>;

export default function OtcProviders() {
  return <ProvidersPage {...useLoaderData<ProvidersPageProps>()} />;
}
