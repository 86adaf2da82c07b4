// Where the caller is paid, and whom he has blocked.
import { type BlockList, OTC_PEOPLE_CALLS, type PaymentList } from "@clockwork/fiat/otcpeople/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { PaymentsPage, type PaymentsPageProps } from "../../features/otc/payments-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<PaymentsPageProps> {
  const { callApi } = context.get(pageContext);
  const [first, blocked] = await Promise.all([
    callApi({ method: "GET", path: OTC_PEOPLE_CALLS.payments }),
    callApi({ method: "GET", path: OTC_PEOPLE_CALLS.blocked }),
  ]);
  return {
    first: (readEnvelope(first) as PaymentList | undefined) ?? null,
    blocked: (readEnvelope(blocked) as BlockList | undefined) ?? null,
  };
}

export const clientLoader = loadPayload<PaymentsPageProps>;

export default function OtcPayments() {
  return <PaymentsPage {...useLoaderData<PaymentsPageProps>()} />;
}
