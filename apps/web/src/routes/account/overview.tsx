// Where money and market are: the holdings with their profit, and whether the first steps were made.
import { SECURITY_CALLS } from "@clockwork/identity/security/contract";
import type { Portfolio } from "@clockwork/trading/portfolio/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { type OverviewData, OverviewPage } from "../../features/portfolio/overview-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<OverviewData> {
  const page = context.get(pageContext);
  const { callApi } = page;
  const [portfolio, fills, security] = await Promise.all([
    callApi({ method: "GET", path: "/v1/portfolio/spot" }),
    callApi({ method: "GET", path: "/v1/spot/fills?limit=1" }),
    readCall(page, SECURITY_CALLS.overview, {}),
  ]);
  const { fills: made } = readEnvelope(fills) ?? {};
  return {
    portfolio: (readEnvelope(portfolio) as Portfolio | undefined) ?? null,
    hasTraded: Array.isArray(made) && made.length > 0,
    isProtected: security?.hasTotp === true || security?.hasPasskeys === true,
  };
}

export const clientLoader = loadPayload<OverviewData>;

export default function AccountOverview() {
  return <OverviewPage data={useLoaderData<OverviewData>()} />;
}
