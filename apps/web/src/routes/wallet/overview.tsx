// The wallet's overview: every account of the caller, how all of it went, and what is on its way.
import { CUSTODY_PATHS, type DebtList, type DepositList } from "@clockwork/custody/custody/contract";
import { PROFIT_PATH, type Profit } from "@clockwork/trading/profit/contract";
import type { Coin, WalletAccounts } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
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
  const { callApi } = context.get(pageContext);
  const body = { walletTypeList: ALL_TYPES };
  const [wallet, profit, coins, deposits, debts] = await Promise.all([
    callApi({ method: "POST", path: "/asset/v1/api/wallet/account", body }),
    callApi({ method: "GET", path: `${PROFIT_PATH}?days=366` }),
    callApi({ method: "GET", path: "/asset/v1/api/wallet/coins" }),
    callApi({ method: "GET", path: CUSTODY_PATHS.deposits }),
    callApi({ method: "GET", path: CUSTODY_PATHS.debts }),
  ]);
  return {
    wallet: (readEnvelope(wallet) as WalletAccounts | undefined) ?? null,
    profit: (readEnvelope(profit) as Profit | undefined) ?? null,
    coins: (readEnvelope(coins) as Coin[] | undefined) ?? [],
    deposits: (readEnvelope(deposits) as DepositList | undefined) ?? { deposits: [] },
    debts: (readEnvelope(debts) as DebtList | undefined) ?? [],
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
