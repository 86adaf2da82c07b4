// The bills of trading between users and with providers, filtered by the address.
import { OTC_PROVIDER_CALLS } from "@clockwork/fiat/otcproviders/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { billsQuery, readBillFilters } from "../../features/otc/bill-filters.ts";
import { BillsPage, type BillsPageProps } from "../../features/otc/bills-page.tsx";

export async function loader({ context, request }: LoaderFunctionArgs): Promise<BillsPageProps> {
  const filters = billsQuery(readBillFilters(new URL(request.url).searchParams), Date.now());
  return { first: (await readCall(context.get(pageContext), OTC_PROVIDER_CALLS.bills, filters)) ?? null };
}

export const clientLoader = loadPayload<BillsPageProps>;

export default function OtcBills() {
  return <BillsPage {...useLoaderData<BillsPageProps>()} />;
}
