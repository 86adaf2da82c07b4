// The merchant centre with its bills.
import { type MerchantCentre, OTC_PEOPLE_CALLS } from "@clockwork/fiat/otcpeople/contract";
import { type FinanceBills, type LegalTender, OTC_PROVIDER_CALLS } from "@clockwork/fiat/otcproviders/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { MerchantPage, type MerchantPageProps } from "../../features/otc/merchant-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<MerchantPageProps> {
  const { callApi } = context.get(pageContext);
  const [centre, bills, tender] = await Promise.all([
    callApi({ method: "GET", path: OTC_PEOPLE_CALLS.merchant }),
    callApi({ method: "GET", path: OTC_PROVIDER_CALLS.bills }),
    callApi({ method: "GET", path: OTC_PROVIDER_CALLS.legalTender }),
  ]);
  return {
    centre: (readEnvelope(centre) as MerchantCentre | undefined) ?? null,
    bills: (readEnvelope(bills) as FinanceBills | undefined) ?? null,
    tender: (readEnvelope(tender) as LegalTender | undefined) ?? null,
  };
}

export const clientLoader = loadPayload<MerchantPageProps>;

export default function OtcMerchant() {
  return <MerchantPage {...useLoaderData<MerchantPageProps>()} />;
}
