// Withdrawals: coins, networks, what is free, limits, the address book and what is on its way, fetched together.
import { CUSTODY_CALLS } from "@clockwork/custody/custody/contract";
import { WITHDRAW_CALLS } from "@clockwork/custody/withdrawals/contract";
import type { Coin, WalletAccounts } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { WithdrawPage, type WithdrawPageProps } from "../../features/withdrawals/withdraw-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<WithdrawPageProps> {
  const page = context.get(pageContext);
  const { callApi } = page;
  const accountsBody = { walletTypeList: ["1"] };
  const [coins, networks, accounts, limits, book, withdrawals] = await Promise.all([
    callApi({ method: "GET", path: "/asset/v1/api/wallet/coins" }),
    readCall(page, CUSTODY_CALLS.networks, {}),
    callApi({ method: "POST", path: "/asset/v1/api/wallet/account", body: accountsBody }),
    readCall(page, WITHDRAW_CALLS.limits, {}),
    readCall(page, WITHDRAW_CALLS.addresses, {}),
    readCall(page, WITHDRAW_CALLS.list, {}),
  ]);
  const held = (readEnvelope(accounts) as WalletAccounts | undefined)?.accounts[0]?.assets ?? [];
  return {
    coins: (readEnvelope(coins) as Coin[] | undefined) ?? [],
    networks: networks ?? [],
    available: Object.fromEntries(held.map(({ asset, available }) => [asset, available])),
    limits: limits ?? null,
    book: book ?? { isWhitelist: false, addresses: [] },
    withdrawals: withdrawals ?? { withdrawals: [] },
  };
}

export const clientLoader = loadPayload<WithdrawPageProps>;

export default function WalletWithdraw() {
  return <WithdrawPage {...useLoaderData<WithdrawPageProps>()} />;
}
