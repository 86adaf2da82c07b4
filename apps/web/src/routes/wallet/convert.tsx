// Converting: the coins there are and what the caller's spot account holds of them.
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { ConvertPage, type ConvertPageProps } from "../../features/convert/convert-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<ConvertPageProps> {
  const page = context.get(pageContext);
  const [coins, accounts] = await Promise.all([
    readCall(page, WALLET_CALLS.coins, {}),
    readCall(page, WALLET_CALLS.accounts, { walletTypeList: ["1"] }),
  ]);
  return {
    coins: coins ?? [],
    held: accounts?.accounts[0]?.assets ?? [],
  };
}

export const clientLoader = loadPayload<ConvertPageProps>;

export default function WalletConvert() {
  return <ConvertPage {...useLoaderData<ConvertPageProps>()} />;
}
