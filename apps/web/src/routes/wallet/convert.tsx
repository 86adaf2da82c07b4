// Converting: the coins there are and what the caller's spot account holds of them.
import type { Coin, WalletAccounts } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { ConvertPage, type ConvertPageProps } from "../../features/convert/convert-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<ConvertPageProps> {
  const { callApi } = context.get(pageContext);
  const body = { walletTypeList: ["1"] };
  const [coins, accounts] = await Promise.all([
    callApi({ method: "GET", path: "/asset/v1/api/wallet/coins" }),
    callApi({ method: "POST", path: "/asset/v1/api/wallet/account", body }),
  ]);
  return {
    coins: (readEnvelope(coins) as Coin[] | undefined) ?? [],
    held: (readEnvelope(accounts) as WalletAccounts | undefined)?.accounts[0]?.assets ?? [],
  };
}

export const clientLoader = loadPayload<ConvertPageProps>;

export default function WalletConvert() {
  return <ConvertPage {...useLoaderData<ConvertPageProps>()} />;
}
