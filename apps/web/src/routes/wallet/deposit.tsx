// Deposits: coins, networks and the caller's deposits, fetched together.
import { CUSTODY_CALLS } from "@clockwork/custody/custody/contract";
import type { Coin } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { DepositPage, type DepositPageProps } from "../../features/custody/deposit-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<DepositPageProps> {
  const page = context.get(pageContext);
  const { callApi } = page;
  const [coins, networks, deposits] = await Promise.all([
    callApi({ method: "GET", path: "/asset/v1/api/wallet/coins" }),
    readCall(page, CUSTODY_CALLS.networks, {}),
    readCall(page, CUSTODY_CALLS.deposits, {}),
  ]);
  return {
    coins: (readEnvelope(coins) as Coin[] | undefined) ?? [],
    networks: networks ?? [],
    deposits: deposits ?? { deposits: [] },
  };
}

export const clientLoader = loadPayload<DepositPageProps>;

export default function WalletDeposit() {
  return <DepositPage {...useLoaderData<DepositPageProps>()} />;
}
