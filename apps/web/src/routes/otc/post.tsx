// Posting an ad.
import { OTC_PEOPLE_CALLS, type PaymentList } from "@clockwork/fiat/otcpeople/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { PostAdPage } from "../../features/otc/post-ad-page.tsx";

interface PostData {
  readonly payments: PaymentList | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<PostData> {
  return { payments: (await readCall(context.get(pageContext), OTC_PEOPLE_CALLS.payments, {})) ?? null };
}

export const clientLoader = loadPayload<PostData>;

export default function OtcPost() {
  return <PostAdPage {...useLoaderData<PostData>()} />;
}
