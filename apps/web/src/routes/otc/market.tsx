// The market between people: ads, prices, and what the visitor may do, fetched together.
import { type AdPage, OTC_AD_CALLS, type OtcIndex } from "@clockwork/fiat/otcads/contract";
import { type MerchantCentre, OTC_PEOPLE_CALLS, type PaymentList } from "@clockwork/fiat/otcpeople/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { askedPath, readAsked } from "../../features/otc/asked.ts";
import { MarketPage, type MarketPageProps } from "../../features/otc/market-page.tsx";

export async function loader({ context, request }: LoaderFunctionArgs): Promise<MarketPageProps> {
  const { callApi, root } = context.get(pageContext);
  const isSignedIn = root.topInfo.id !== null;
  const asked = readAsked(new URL(request.url).searchParams);
  const [page, index, payments, identity] = await Promise.all([
    callApi({ method: "GET", path: askedPath(OTC_AD_CALLS.page, asked) }),
    callApi({ method: "GET", path: OTC_AD_CALLS.index }),
    isSignedIn ? callApi({ method: "GET", path: OTC_PEOPLE_CALLS.payments }) : undefined,
    isSignedIn ? callApi({ method: "GET", path: OTC_PEOPLE_CALLS.merchant }) : undefined,
  ]);
  const own = payments === undefined ? undefined : (readEnvelope(payments) as PaymentList | undefined);
  const standing =
    identity === undefined
      ? undefined
      : (readEnvelope(identity) as Pick<MerchantCentre, "identityLevel" | "hasAnyFactor"> | undefined);
  return {
    page: (readEnvelope(page) as AdPage | undefined) ?? null,
    index: (readEnvelope(index) as OtcIndex | undefined) ?? null,
    isSignedIn,
    asked,
    level: standing?.identityLevel ?? 0,
    hasFactor: standing?.hasAnyFactor ?? false,
    payments: own?.payments.map(({ paymentId, fiat, label }) => ({ paymentId, fiat, label })) ?? [],
  };
}

export const clientLoader = loadPayload<MarketPageProps>;

export default function Otc() {
  const data = useLoaderData<MarketPageProps>();
  return <MarketPage key={Object.values(data.asked).join()} {...data} />;
}
