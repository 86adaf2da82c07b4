// One account of the wallet: what it holds, and its newest bills.
import type { BillPage, WalletAccounts } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { readSlug } from "#boot/article-loading.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { findAccountPage } from "../../features/wallet/account-model.ts";
import { AccountPage, type AccountPageProps } from "../../features/wallet/account-page.tsx";
import { BILLS_PATH } from "../../features/wallet/history-model.ts";

export async function loader({ context }: LoaderFunctionArgs): Promise<AccountPageProps> {
  const { callApi, rest } = context.get(pageContext);
  const kind = findAccountPage(readSlug(rest, "/wallet/accounts/"));
  if (kind === undefined) throw new Response(null, { status: 404 });
  const body = { walletTypeList: [...kind.types] };
  const [wallet, bills] = await Promise.all([
    callApi({ method: "POST", path: "/asset/v1/api/wallet/account", body }),
    callApi({ method: "GET", path: `${BILLS_PATH}?walletType=${kind.types[0]}&limit=20` }),
  ]);
  return {
    kind,
    accounts: (readEnvelope(wallet) as WalletAccounts | undefined)?.accounts ?? null,
    bills: (readEnvelope(bills) as BillPage | undefined) ?? null,
  };
}

export const clientLoader = loadPayload<AccountPageProps>;

export default function WalletAccount() {
  return <AccountPage {...useLoaderData<AccountPageProps>()} />;
}
