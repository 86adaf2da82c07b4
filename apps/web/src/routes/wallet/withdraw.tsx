// Withdrawals: coins, networks, what is free, limits, the address book and what is on its way, fetched together.
import { CUSTODY_PATHS } from "@clockwork/custody/custody/contract";
import {
  type AddressBook,
  type Limits,
  WITHDRAW_PATHS,
  type WithdrawalList,
} from "@clockwork/custody/withdrawals/contract";
import type { Coin, WalletAccounts } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { type OutNetwork, WithdrawPage, type WithdrawPageProps } from "../../features/withdrawals/withdraw-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<WithdrawPageProps> {
  const { callApi } = context.get(pageContext);
  const accountsBody = { walletTypeList: ["1"] };
  const [coins, networks, accounts, limits, book, withdrawals] = await Promise.all([
    callApi({ method: "GET", path: "/asset/v1/api/wallet/coins" }),
    callApi({ method: "GET", path: CUSTODY_PATHS.networks }),
    callApi({ method: "POST", path: "/asset/v1/api/wallet/account", body: accountsBody }),
    callApi({ method: "GET", path: WITHDRAW_PATHS.limits }),
    callApi({ method: "GET", path: WITHDRAW_PATHS.addresses }),
    callApi({ method: "GET", path: WITHDRAW_PATHS.list }),
  ]);
  const held = (readEnvelope(accounts) as WalletAccounts | undefined)?.accounts[0]?.assets ?? [];
  return {
    coins: (readEnvelope(coins) as Coin[] | undefined) ?? [],
    networks: (readEnvelope(networks) as OutNetwork[] | undefined) ?? [],
    available: Object.fromEntries(held.map(({ asset, available }) => [asset, available])),
    limits: (readEnvelope(limits) as Limits | undefined) ?? null,
    book: (readEnvelope(book) as AddressBook | undefined) ?? { isWhitelist: false, addresses: [] },
    withdrawals: (readEnvelope(withdrawals) as WithdrawalList | undefined) ?? { withdrawals: [] },
  };
}

export const clientLoader = loadPayload<WithdrawPageProps>;

export default function WalletWithdraw() {
  return <WithdrawPage {...useLoaderData<WithdrawPageProps>()} />;
}
