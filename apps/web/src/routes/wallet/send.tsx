// Sending to another user: coins, what spot holds, limits and the book of what was sent and received so.

import { WITHDRAW_CALLS } from "@clockwork/custody/withdrawals/contract";
import type { Coin, WalletAccounts } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { SendPage, type SendPageProps } from "../../features/withdrawals/send-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<SendPageProps> {
  const page = context.get(pageContext);
  const { callApi, root } = page;
  const body = { walletTypeList: ["1"] };
  const [coins, wallet, limits, book] = await Promise.all([
    callApi({ method: "GET", path: "/asset/v1/api/wallet/coins" }),
    callApi({ method: "POST", path: "/asset/v1/api/wallet/account", body }),
    readCall(page, WITHDRAW_CALLS.limits, {}),
    readCall(page, WITHDRAW_CALLS.book, {}),
  ]);
  const held = (readEnvelope(wallet) as WalletAccounts | undefined)?.accounts[0]?.assets ?? [];
  return {
    me: String(root.topInfo.id ?? ""),
    coins: (readEnvelope(coins) as Coin[] | undefined) ?? [],
    available: Object.fromEntries(held.map(({ asset, available }) => [asset, available])),
    limits: limits ?? null,
    book: book ?? { withdrawals: [] },
  };
}

export const clientLoader = loadPayload<SendPageProps>;

export default function WalletSend() {
  return <SendPage {...useLoaderData<SendPageProps>()} />;
}
