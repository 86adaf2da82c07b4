// Deposits: coins, networks and the caller's deposits, fetched together.
import { CUSTODY_CALLS } from "@clockwork/custody/custody/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { DepositPage, type DepositPageProps } from "../../features/custody/deposit-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<DepositPageProps> {
  const page = context.get(pageContext);
  const [coins, networks, deposits] = await Promise.all([
    readCall(page, WALLET_CALLS.coins, {}),
    readCall(page, CUSTODY_CALLS.networks, {}),
    readCall(page, CUSTODY_CALLS.deposits, {}),
  ]);
  return {
    coins: coins ?? [],
    networks: networks ?? [],
    deposits: deposits ?? { deposits: [] },
  };
}

export const clientLoader = loadPayload<DepositPageProps>;

export default function WalletDeposit() {
  return <DepositPage {...useLoaderData<DepositPageProps>()} />;
}
