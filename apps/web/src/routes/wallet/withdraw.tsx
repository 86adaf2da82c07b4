// Withdrawals: coins, networks, what is free, limits, the address book and what is on its way, fetched together.
import { CUSTODY_CALLS } from "@clockwork/custody/custody/contract";
import { WITHDRAW_CALLS } from "@clockwork/custody/withdrawals/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { WithdrawPage, type WithdrawPageProps } from "../../features/withdrawals/withdraw-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<WithdrawPageProps> {
  const page = context.get(pageContext);
  const [coins, networks, accounts, limits, book, withdrawals] = await Promise.all([
    readCall(page, WALLET_CALLS.coins, {}),
    readCall(page, CUSTODY_CALLS.networks, {}),
    readCall(page, WALLET_CALLS.accounts, { walletTypeList: ["1"] }),
    readCall(page, WITHDRAW_CALLS.limits, {}),
    readCall(page, WITHDRAW_CALLS.addresses, {}),
    readCall(page, WITHDRAW_CALLS.list, {}),
  ]);
  const held = accounts?.accounts[0]?.assets ?? [];
  return {
    coins: coins ?? [],
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
