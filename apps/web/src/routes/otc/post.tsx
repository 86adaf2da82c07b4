// Posting an ad.
import { OTC_PEOPLE_CALLS, type PaymentList } from "@clockwork/fiat/otcpeople/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { PostAdPage } from "../../features/otc/post-ad-page.tsx";

interface PostData {
  readonly payments: PaymentList | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<PostData> {
  const { callApi } = context.get(pageContext);
  const list = readEnvelope(await callApi({ method: "GET", path: OTC_PEOPLE_CALLS.payments }));
  return { payments: (list as PaymentList | undefined) ?? null };
}

export const clientLoader = loadPayload<PostData>;

export default function OtcPost() {
  return <PostAdPage {...useLoaderData<PostData>()} />;
}
