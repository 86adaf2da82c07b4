// One account of the wallet: what it holds, and its newest bills.
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { slugOf } from "#boot/article-loading.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { findAccountPage } from "../../features/wallet/account-model.ts";
import { AccountPage, type AccountPageProps } from "../../features/wallet/account-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<AccountPageProps> {
  const page = context.get(pageContext);
  const kind = findAccountPage(slugOf(page.rest, "/wallet/accounts/"));
  if (kind === undefined) throw new Response(null, { status: 404 });
  const [wallet, bills] = await Promise.all([
    readCall(page, WALLET_CALLS.accounts, { walletTypeList: [...kind.types] }),
    readCall(page, WALLET_CALLS.bills, { walletType: kind.types[0], limit: 20 }),
  ]);
  return {
    kind,
    accounts: wallet?.accounts ?? null,
    bills: bills ?? null,
  };
}

export const clientLoader = loadPayload<AccountPageProps>;

export default function WalletAccount() {
  return <AccountPage {...useLoaderData<AccountPageProps>()} />;
}
