// Where money and market are: the holdings with their profit, and whether the first steps were made.
import type { Portfolio } from "@clockwork/trading/portfolio/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { type OverviewData, OverviewPage } from "../../features/portfolio/overview-page.tsx";
import { OVERVIEW_PATH } from "../../features/security/security-calls.ts";

export async function loader({ context }: LoaderFunctionArgs): Promise<OverviewData> {
  const { callApi } = context.get(pageContext);
  const [portfolio, fills, security] = await Promise.all([
    callApi({ method: "GET", path: "/v1/portfolio/spot" }),
    callApi({ method: "GET", path: "/v1/spot/fills?limit=1" }),
    callApi({ method: "GET", path: OVERVIEW_PATH }),
  ]);
  const { fills: made } = readEnvelope(fills) ?? {};
  const { hasTotp, hasPasskeys } = readEnvelope(security) ?? {};
  return {
    portfolio: (readEnvelope(portfolio) as Portfolio | undefined) ?? null,
    hasTraded: Array.isArray(made) && made.length > 0,
    isProtected: hasTotp === true || hasPasskeys === true,
  };
}

export const clientLoader = loadPayload<OverviewData>;

export default function AccountOverview() {
  return <OverviewPage data={useLoaderData<OverviewData>()} />;
}
