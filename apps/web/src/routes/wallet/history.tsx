// The wallet's history: the newest bills by the filters of the address, and the coins to filter by.

import { DAY_MS } from "@clockwork/kit/time";
import { STATEMENT_CALLS, type StatementFiles } from "@clockwork/trading/statements/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { billsQuery, readFilters } from "../../features/wallet/history-model.ts";
import { HistoryPage, type HistoryPageProps } from "../../features/wallet/history-page.tsx";

const StatementCard = latePart(
  async () => (await import("../../features/statements/statement-card.tsx")).StatementCard,
);

const StatementFilesCard = latePart(
  async () => (await import("../../features/statements/statement-files.tsx")).StatementFilesCard,
);

type HistoryData = Omit<HistoryPageProps, "statement"> & { readonly files: StatementFiles };

export async function loader({ context, request }: LoaderFunctionArgs): Promise<HistoryData> {
  const page = context.get(pageContext);
  const query = billsQuery(readFilters(new URL(request.url).searchParams));
  const [bills, coins, files] = await Promise.all([
    readCall(page, WALLET_CALLS.bills, query),
    readCall(page, WALLET_CALLS.coins, {}),
    readCall(page, STATEMENT_CALLS.list, {}),
  ]);
  return {
    first: bills ?? null,
    coins: coins ?? [],
    files: files ?? { files: [], nowMs: Date.now() },
  };
}

export const clientLoader = loadPayload<HistoryData>;

export default function WalletHistory() {
  const { files, ...page } = useLoaderData<HistoryData>();
  // The exchange's own day: it is what a statement may reach to.
  const todayMs = files.nowMs - (files.nowMs % DAY_MS);
  const statement = (
    <div className="flex min-w-0 flex-col gap-4">
      <StatementCard coins={page.coins} todayMs={todayMs} />
      <StatementFilesCard first={files} />
    </div>
  );
  return <HistoryPage {...page} statement={statement} />;
}
