// The bills of trading between people and with providers, as its address asks for them.
import { type FinanceBills, OTC_PROVIDER_CALLS } from "@clockwork/fiat/otcproviders/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { billsQuery, readBillFilters } from "../../features/otc/bill-filters.ts";
import { BillsPage, type BillsPageProps } from "../../features/otc/bills-page.tsx";

export async function loader({ context, request }: LoaderFunctionArgs): Promise<BillsPageProps> {
  const { callApi } = context.get(pageContext);
  const filters = billsQuery(readBillFilters(new URL(request.url).searchParams), Date.now());
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)])).toString();
  const path = query === "" ? OTC_PROVIDER_CALLS.bills : `${OTC_PROVIDER_CALLS.bills}?${query}`;
  const first = readEnvelope(await callApi({ method: "GET", path }));
  return { first: (first as FinanceBills | undefined) ?? null };
}

export const clientLoader = loadPayload<BillsPageProps>;

export default function OtcBills() {
  return <BillsPage {...useLoaderData<BillsPageProps>()} />;
}
