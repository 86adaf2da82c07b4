// The wallet's overview: every account of the caller, how all of it went, and what is on its way.
import { CUSTODY_CALLS, type DebtList, type DepositList } from "@clockwork/custody/custody/contract";
import { PROFIT_PATH, type Profit } from "@clockwork/trading/profit/contract";
import type { Coin, WalletAccounts } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { ArrivingCards } from "../../features/custody/arriving-cards.tsx";
import { DebtNotice } from "../../features/custody/debt-notice.tsx";
import { OverviewCalendar } from "../../features/profit/overview-calendar.tsx";
import { ALL_TYPES } from "../../features/wallet/live-wallet.ts";
import { OverviewPage, type OverviewPageProps } from "../../features/wallet/overview-page.tsx";

interface OverviewData extends Pick<OverviewPageProps, "wallet" | "profit" | "coins"> {
  readonly deposits: DepositList;
  readonly debts: DebtList;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<OverviewData> {
  const page = context.get(pageContext);
  const { callApi } = page;
  const body = { walletTypeList: ALL_TYPES };
  const [wallet, profit, coins, deposits, debts] = await Promise.all([
    callApi({ method: "POST", path: "/asset/v1/api/wallet/account", body }),
    callApi({ method: "GET", path: `${PROFIT_PATH}?days=366` }),
    callApi({ method: "GET", path: "/asset/v1/api/wallet/coins" }),
    readCall(page, CUSTODY_CALLS.deposits, {}),
    readCall(page, CUSTODY_CALLS.debts, {}),
  ]);
  return {
    wallet: (readEnvelope(wallet) as WalletAccounts | undefined) ?? null,
    profit: (readEnvelope(profit) as Profit | undefined) ?? null,
    coins: (readEnvelope(coins) as Coin[] | undefined) ?? [],
    deposits: deposits ?? { deposits: [] },
    debts: debts ?? [],
  };
}

export const clientLoader = loadPayload<OverviewData>;

export default function WalletOverview() {
  const { deposits, debts, ...data } = useLoaderData<OverviewData>();
  return (
    <OverviewPage
      {...data}
      arriving={
        <>
          <DebtNotice debts={debts} />
          <ArrivingCards first={deposits} />
        </>
      }
      calendar={
        data.profit === null || data.profit.days.length === 0 ? null : <OverviewCalendar profit={data.profit} />
      }
    />
  );
}
