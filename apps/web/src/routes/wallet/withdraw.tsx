// Withdrawals: coins, networks, what is free, limits, the address book and what is on its way, fetched together.
import { CUSTODY_PATHS } from "@clockwork/custody/custody/contract";
import {
  type AddressBook,
  type Limits,
  WITHDRAW_PATHS,
  type WithdrawalList,
} from "@clockwork/custody/withdrawals/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { type OutNetwork, WithdrawPage, type WithdrawPageProps } from "../../features/withdrawals/withdraw-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<WithdrawPageProps> {
  const page = context.get(pageContext);
  const [coins, networks, accounts, limits, book, withdrawals] = await Promise.all([
    readCall(page, WALLET_CALLS.coins, {}),
    page.callApi({ method: "GET", path: CUSTODY_PATHS.networks }),
    readCall(page, WALLET_CALLS.accounts, { walletTypeList: ["1"] }),
    page.callApi({ method: "GET", path: WITHDRAW_PATHS.limits }),
    page.callApi({ method: "GET", path: WITHDRAW_PATHS.addresses }),
    page.callApi({ method: "GET", path: WITHDRAW_PATHS.list }),
  ]);
  const held = accounts?.accounts[0]?.assets ?? [];
  return {
    coins: coins ?? [],
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
