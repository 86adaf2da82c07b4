// The market between users: ads, prices, and the visitor's permissions, fetched together.
import { OTC_AD_CALLS } from "@clockwork/fiat/otcads/contract";
import { OTC_PEOPLE_CALLS } from "@clockwork/fiat/otcpeople/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { MarketPage, type MarketPageProps } from "../../features/otc/market-page.tsx";
import { readRequested } from "../../features/otc/requested.ts";

export async function loader({ context, request }: LoaderFunctionArgs): Promise<MarketPageProps> {
  const visit = context.get(pageContext);
  const isSignedIn = visit.root.topInfo.id !== null;
  const requested = readRequested(new URL(request.url).searchParams);
  const [page, index, payments, identity] = await Promise.all([
    readCall(visit, OTC_AD_CALLS.page, requested),
    readCall(visit, OTC_AD_CALLS.index, {}),
    isSignedIn ? readCall(visit, OTC_PEOPLE_CALLS.payments, {}) : undefined,
    isSignedIn ? readCall(visit, OTC_PEOPLE_CALLS.merchant, {}) : undefined,
  ]);
  return {
    page: page ?? null,
    index: index ?? null,
    isSignedIn,
    requested,
    level: identity?.identityLevel ?? 0,
    hasFactor: identity?.hasAnyFactor ?? false,
    payments: payments?.payments.map(({ paymentId, fiat, label }) => ({ paymentId, fiat, label })) ?? [],
  };
}

export const clientLoader = loadPayload<MarketPageProps>;

export default function Otc() {
  const data = useLoaderData<MarketPageProps>();
  return <MarketPage key={Object.values(data.requested).join()} {...data} />;
}
