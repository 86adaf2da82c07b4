// Profit analysis: a year of days, of which the page shows as many as are asked for.
import { PROFIT_PATH, type Profit } from "@clockwork/domains/profit/api";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { ProfitPage } from "../../features/profit/profit-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<Profit | null> {
  const answer = await context.get(pageContext).callApi({ method: "GET", path: `${PROFIT_PATH}?days=366` });
  return (readEnvelope(answer) as Profit | undefined) ?? null;
}

export const clientLoader = loadPayload<Profit | null>;

export default function WalletProfit() {
  return <ProfitPage profit={useLoaderData<Profit | null>()} />;
}
