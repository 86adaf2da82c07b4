// Where money and market are: the holdings with their profit, and whether the first steps were made.

import { SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { PORTFOLIO_CALLS } from "@clockwork/trading/portfolio/contract";
import { SPOT_CALLS } from "@clockwork/trading/spot/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { type OverviewData, OverviewPage } from "../../features/portfolio/overview-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<OverviewData> {
  const page = context.get(pageContext);
  const [portfolio, fills, security] = await Promise.all([
    readCall(page, PORTFOLIO_CALLS.read, {}),
    readCall(page, SPOT_CALLS.fills, { limit: 1 }),
    readCall(page, SECURITY_CALLS.overview, {}),
  ]);
  return {
    portfolio: portfolio ?? null,
    hasTraded: fills !== undefined && fills.fills.length > 0,
    isProtected: security?.hasTotp === true || security?.hasPasskeys === true,
  };
}

export const clientLoader = loadPayload<OverviewData>;

export default function AccountOverview() {
  return <OverviewPage data={useLoaderData<OverviewData>()} />;
}
