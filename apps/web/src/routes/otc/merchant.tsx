// The merchant centre with its bills.
import { OTC_PEOPLE_CALLS } from "@clockwork/fiat/otcpeople/contract";
import { OTC_PROVIDER_CALLS } from "@clockwork/fiat/otcproviders/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { MerchantPage, type MerchantPageProps } from "../../features/otc/merchant-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<MerchantPageProps> {
  const page = context.get(pageContext);
  const [centre, bills, tender] = await Promise.all([
    readCall(page, OTC_PEOPLE_CALLS.merchant, {}),
    readCall(page, OTC_PROVIDER_CALLS.bills, {}),
    readCall(page, OTC_PROVIDER_CALLS.legalTender, {}),
  ]);
  return { centre: centre ?? null, bills: bills ?? null, tender: tender ?? null };
}

export const clientLoader = loadPayload<MerchantPageProps>;

export default function OtcMerchant() {
  return <MerchantPage {...useLoaderData<MerchantPageProps>()} />;
}
