// New terms for one of the caller's own ads.
import { OTC_AD_CALLS, type OwnAd } from "@clockwork/fiat/otcads/contract";
import { OTC_PEOPLE_CALLS, type PaymentList } from "@clockwork/fiat/otcpeople/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { PostAdPage } from "../../features/otc/post-ad-page.tsx";

interface AdData {
  readonly ad: OwnAd;
  readonly payments: PaymentList | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<AdData> {
  const page = context.get(pageContext);
  const id = page.rest.slice("/otc/ad/".length);
  const [own, payments] = await Promise.all([
    readCall(page, OTC_AD_CALLS.own, {}),
    readCall(page, OTC_PEOPLE_CALLS.payments, {}),
  ]);
  const ad = own?.ads.find(({ adId }) => adId === id);
  if (ad === undefined) throw data(`Page Not Found: ${page.rest}`, { status: 404 });
  return { ad, payments: payments ?? null };
}

export const clientLoader = loadPayload<AdData>;

export default function OtcAd() {
  const { ad, payments } = useLoaderData<AdData>();
  return <PostAdPage key={ad.adId} ad={ad} payments={payments} />;
}
