// Transfers between own accounts: what spot and funding hold, and what futures accounts do not need.
import { CONTRACT_CALLS } from "@clockwork/trading/markets/contract";
import { type FuturesAccount, POSITION_CALLS } from "@clockwork/trading/positions/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { TransferPage, type TransferPageProps } from "../../features/wallet/transfer-page.tsx";

const FUTURES = { api: "futures" } as const;

export async function loader({ context }: LoaderFunctionArgs): Promise<TransferPageProps> {
  const page = context.get(pageContext);
  const [coins, wallet, linear, inverse, contracts] = await Promise.all([
    readCall(page, WALLET_CALLS.coins, {}),
    readCall(page, WALLET_CALLS.accounts, { walletTypeList: ["1", "2"] }),
    readCall(page, POSITION_CALLS.accounts, { biz: "futures" }, FUTURES),
    readCall(page, POSITION_CALLS.accounts, { biz: "delivery" }, FUTURES),
    readCall(page, CONTRACT_CALLS.instruments, { biz: "delivery" }, FUTURES),
  ]);
  const accounts = wallet?.accounts ?? [];
  const held = (type: string) =>
    Object.fromEntries(
      accounts
        .filter(({ walletType }) => walletType === type)
        .flatMap(({ assets }) => assets.map(({ asset, available }) => [asset, available] as const)),
    );
  const movable = (own: readonly FuturesAccount[] = []) =>
    Object.fromEntries(own.map(({ asset, transferable }) => [asset, transferable]));
  // An inverse account is opened by the first coin that is moved in: the contracts say which there can be.
  return {
    coins: coins ?? [],
    free: { "1": held("1"), "2": held("2"), "3": movable(linear), "4": movable(inverse) },
    inverse: [...new Set((contracts ?? []).map(({ settle }) => settle))],
  };
}

export const clientLoader = loadPayload<TransferPageProps>;

export default function WalletTransfer() {
  return <TransferPage {...useLoaderData<TransferPageProps>()} />;
}
