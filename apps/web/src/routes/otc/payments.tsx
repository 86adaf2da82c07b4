// The caller's payment accounts, and the users they blocked.
import { OTC_PEOPLE_CALLS } from "@clockwork/fiat/otcpeople/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { PaymentsPage, type PaymentsPageProps } from "../../features/otc/payments-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<PaymentsPageProps> {
  const page = context.get(pageContext);
  const [first, blocked] = await Promise.all([
    readCall(page, OTC_PEOPLE_CALLS.payments, {}),
    readCall(page, OTC_PEOPLE_CALLS.blocked, {}),
  ]);
  return { first: first ?? null, blocked: blocked ?? null };
}

export const clientLoader = loadPayload<PaymentsPageProps>;

export default function OtcPayments() {
  return <PaymentsPage {...useLoaderData<PaymentsPageProps>()} />;
}
