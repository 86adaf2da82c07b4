// The caller's own ads.
import { OTC_AD_CALLS, type OwnAds } from "@clockwork/fiat/otcads/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { AdsPage } from "../../features/otc/ads-page.tsx";

interface AdsData {
  readonly first: OwnAds | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<AdsData> {
  return { first: (await readCall(context.get(pageContext), OTC_AD_CALLS.own, {})) ?? null };
}

export const clientLoader = loadPayload<AdsData>;

export default function OtcAds() {
  return <AdsPage {...useLoaderData<AdsData>()} />;
}
