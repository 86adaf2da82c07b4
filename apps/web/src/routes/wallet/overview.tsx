// The wallet's overview: every account of the caller, how all of it went, and what is on its way.
import { CUSTODY_CALLS, type DebtList, type DepositList } from "@clockwork/custody/custody/contract";
import { PROFIT_CALLS } from "@clockwork/trading/profit/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
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
  const [wallet, profit, coins, deposits, debts] = await Promise.all([
    readCall(page, WALLET_CALLS.accounts, { walletTypeList: [...ALL_TYPES] }),
    readCall(page, PROFIT_CALLS.read, { days: 366 }),
    readCall(page, WALLET_CALLS.coins, {}),
    readCall(page, CUSTODY_CALLS.deposits, {}),
    readCall(page, CUSTODY_CALLS.debts, {}),
  ]);
  return {
    wallet: wallet ?? null,
    profit: profit ?? null,
    coins: coins ?? [],
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
