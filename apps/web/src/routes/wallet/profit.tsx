// Profit analysis: a year of days, of which the page shows as many as are asked for, and what the coins cost.
import { PORTFOLIO_PATH, type Portfolio } from "@clockwork/trading/portfolio/contract";
import { PROFIT_PATH, type Profit } from "@clockwork/trading/profit/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { ProfitPage, type ProfitPageProps } from "../../features/profit/profit-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<ProfitPageProps> {
  const { callApi } = context.get(pageContext);
  const [profit, portfolio] = await Promise.all([
    callApi({ method: "GET", path: `${PROFIT_PATH}?days=366` }),
    callApi({ method: "GET", path: PORTFOLIO_PATH }),
  ]);
  const coins = (readEnvelope(portfolio) as Portfolio | undefined)?.coins ?? [];
  return {
    profit: (readEnvelope(profit) as Profit | undefined) ?? null,
    costs: Object.fromEntries(
      coins.map(({ asset, averageCostUsdt, unrealisedUsdt }) => [
        asset,
        { average: averageCostUsdt, unrealised: unrealisedUsdt },
      ]),
    ),
  };
}

export const clientLoader = loadPayload<ProfitPageProps>;

export default function WalletProfit() {
  return <ProfitPage {...useLoaderData<ProfitPageProps>()} />;
}
