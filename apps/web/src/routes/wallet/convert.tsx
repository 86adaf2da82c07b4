// Converting: the coins there are, what was converted before and what the caller's spot account holds of them.
import { CONVERT_CALLS } from "@clockwork/trading/convert/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { ConvertPage, type ConvertPageProps } from "../../features/convert/convert-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<ConvertPageProps> {
  const page = context.get(pageContext);
  const [coins, accounts, past] = await Promise.all([
    readCall(page, WALLET_CALLS.coins, {}),
    readCall(page, WALLET_CALLS.accounts, { walletTypeList: ["1"] }),
    readCall(page, CONVERT_CALLS.list, { order: "newest", limit: 20 }),
  ]);
  return {
    coins: coins ?? [],
    conversions: past?.conversions ?? [],
    held: accounts?.accounts[0]?.assets ?? [],
  };
}

export const clientLoader = loadPayload<ConvertPageProps>;

export default function WalletConvert() {
  return <ConvertPage {...useLoaderData<ConvertPageProps>()} />;
}
