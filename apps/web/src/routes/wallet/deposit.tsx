// Deposits: coins, networks and the caller's deposits, fetched together.
import { CUSTODY_PATHS, type DepositList, type NetworkView } from "@clockwork/custody/custody/contract";
import type { Coin } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { DepositPage, type DepositPageProps } from "../../features/custody/deposit-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<DepositPageProps> {
  const { callApi } = context.get(pageContext);
  const [coins, networks, deposits] = await Promise.all([
    callApi({ method: "GET", path: "/asset/v1/api/wallet/coins" }),
    callApi({ method: "GET", path: CUSTODY_PATHS.networks }),
    callApi({ method: "GET", path: CUSTODY_PATHS.deposits }),
  ]);
  return {
    coins: (readEnvelope(coins) as Coin[] | undefined) ?? [],
    networks: (readEnvelope(networks) as NetworkView[] | undefined) ?? [],
    deposits: (readEnvelope(deposits) as DepositList | undefined) ?? { deposits: [] },
  };
}

export const clientLoader = loadPayload<DepositPageProps>;

export default function WalletDeposit() {
  return <DepositPage {...useLoaderData<DepositPageProps>()} />;
}
