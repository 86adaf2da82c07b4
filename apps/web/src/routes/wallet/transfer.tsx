// Moving between one's own accounts: what spot and funding hold, and what futures accounts do not need.
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import type { FuturesAccount } from "@clockwork/trading/positions/contract";
import type { Coin, WalletAccounts } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { TransferPage, type TransferPageProps } from "../../features/wallet/transfer-page.tsx";

const FUTURES = "/futuresapi/v1/futuresc";

export async function loader({ context }: LoaderFunctionArgs): Promise<TransferPageProps> {
  const { callApi } = context.get(pageContext);
  const body = { walletTypeList: ["1", "2"] };
  const [coins, wallet, linear, inverse, contracts] = await Promise.all([
    callApi({ method: "GET", path: "/asset/v1/api/wallet/coins" }),
    callApi({ method: "POST", path: "/asset/v1/api/wallet/account", body }),
    callApi({ method: "GET", path: `${FUTURES}/accounts?biz=futures`, isRoot: true }),
    callApi({ method: "GET", path: `${FUTURES}/accounts?biz=delivery`, isRoot: true }),
    callApi({ method: "GET", path: `${FUTURES}/instruments?biz=delivery`, isRoot: true }),
  ]);
  const accounts = (readEnvelope(wallet) as WalletAccounts | undefined)?.accounts ?? [];
  const held = (type: string) =>
    Object.fromEntries(
      accounts
        .filter(({ walletType }) => walletType === type)
        .flatMap(({ assets }) => assets.map(({ asset, available }) => [asset, available] as const)),
    );
  const movable = (answer: unknown) =>
    Object.fromEntries(
      ((answer as readonly FuturesAccount[] | undefined) ?? []).map(({ asset, transferable }) => [asset, transferable]),
    );
  // An inverse account is opened by the first coin that is moved in: the contracts say which there can be.
  const listed = (readEnvelope(contracts) as readonly ContractInfo[] | undefined) ?? [];
  return {
    coins: (readEnvelope(coins) as Coin[] | undefined) ?? [],
    free: { "1": held("1"), "2": held("2"), "3": movable(readEnvelope(linear)), "4": movable(readEnvelope(inverse)) },
    inverse: [...new Set(listed.map(({ settle }) => settle))],
  };
}

export const clientLoader = loadPayload<TransferPageProps>;

export default function WalletTransfer() {
  return <TransferPage {...useLoaderData<TransferPageProps>()} />;
}
