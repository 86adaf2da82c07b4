// The wallet's history: the newest bills by the filters of the address, and the coins to filter by.
import type { BillPage, Coin } from "@clockwork/domains/wallet/api";
import { DAY_MS } from "@clockwork/kit/time";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { BILLS_PATH, billsQuery, readFilters } from "../../features/wallet/history-model.ts";
import { HistoryPage, type HistoryPageProps } from "../../features/wallet/history-page.tsx";

const StatementCard = latePart(
  async () => (await import("../../features/statements/statement-card.tsx")).StatementCard,
);

type HistoryData = Omit<HistoryPageProps, "statement"> & { readonly todayMs: number };

export async function loader({ context, request }: LoaderFunctionArgs): Promise<HistoryData> {
  const { callApi } = context.get(pageContext);
  const query = new URLSearchParams(billsQuery(readFilters(new URL(request.url).searchParams))).toString();
  const [bills, coins] = await Promise.all([
    callApi({ method: "GET", path: query === "" ? BILLS_PATH : `${BILLS_PATH}?${query}` }),
    callApi({ method: "GET", path: "/asset/v1/api/wallet/coins" }),
  ]);
  return {
    first: (readEnvelope(bills) as BillPage | undefined) ?? null,
    coins: (readEnvelope(coins) as Coin[] | undefined) ?? [],
    todayMs: Date.now() - (Date.now() % DAY_MS),
  };
}

export const clientLoader = loadPayload<HistoryData>;

export default function WalletHistory() {
  const { todayMs, ...page } = useLoaderData<HistoryData>();
  return <HistoryPage {...page} statement={<StatementCard coins={page.coins} todayMs={todayMs} />} />;
}
