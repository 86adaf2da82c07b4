// Profit analysis: a year of days, of which the page shows the requested span, and the coins' costs.
import { PORTFOLIO_CALLS } from "@clockwork/trading/portfolio/contract";
import { PROFIT_CALLS } from "@clockwork/trading/profit/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { ProfitPage, type ProfitPageProps } from "../../features/profit/profit-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<ProfitPageProps> {
  const page = context.get(pageContext);
  const [profit, portfolio] = await Promise.all([
    readCall(page, PROFIT_CALLS.read, { days: 366 }),
    readCall(page, PORTFOLIO_CALLS.read, {}),
  ]);
  const coins = portfolio?.coins ?? [];
  return {
    profit: profit ?? null,
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
