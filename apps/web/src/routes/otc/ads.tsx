// The caller's own ads.
import { OTC_AD_CALLS, type OwnAds } from "@clockwork/fiat/otcads/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { AdsPage } from "../../features/otc/ads-page.tsx";

interface AdsData {
  readonly first: OwnAds | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<AdsData> {
  const { callApi } = context.get(pageContext);
  const list = readEnvelope(await callApi({ method: "GET", path: OTC_AD_CALLS.own }));
  return { first: (list as OwnAds | undefined) ?? null };
}

export const clientLoader = loadPayload<AdsData>;

export default function OtcAds() {
  return <AdsPage {...useLoaderData<AdsData>()} />;
}
