// Sending to another user: coins, what spot holds, limits and the book of what was sent and received so.

import { WITHDRAW_CALLS } from "@clockwork/custody/withdrawals/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { SendPage, type SendPageProps } from "../../features/withdrawals/send-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<SendPageProps> {
  const page = context.get(pageContext);
  const [coins, wallet, limits, book] = await Promise.all([
    readCall(page, WALLET_CALLS.coins, {}),
    readCall(page, WALLET_CALLS.accounts, { walletTypeList: ["1"] }),
    readCall(page, WITHDRAW_CALLS.limits, {}),
    readCall(page, WITHDRAW_CALLS.book, {}),
  ]);
  const held = wallet?.accounts[0]?.assets ?? [];
  return {
    me: String(page.root.topInfo.id ?? ""),
    coins: coins ?? [],
    available: Object.fromEntries(held.map(({ asset, available }) => [asset, available])),
    limits: limits ?? null,
    book: book ?? { withdrawals: [] },
  };
}

export const clientLoader = loadPayload<SendPageProps>;

export default function WalletSend() {
  return <SendPage {...useLoaderData<SendPageProps>()} />;
}
