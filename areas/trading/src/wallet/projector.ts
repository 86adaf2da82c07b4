// Changes of a user's books as the live channel publishes them, each row with its book. Pure.

import { type AccountOwner, nameBook } from "@clockwork/kit/books";
import type { PairBook } from "../market/pairs.ts";
import type { BalanceRow } from "../projectors/rows/rows.ts";
import type { BookBalance } from "./contract.ts";
import { describeAsset } from "./service.ts";

/** The coins of wallets. */
export type WalletCoins = Pick<PairBook, "assets" | "findAsset" | "findAssetById" | "worthUnits">;

export function describeBook(
  coins: WalletCoins,
  owner: AccountOwner,
  balances: Iterable<BalanceRow>,
): readonly BookBalance[] {
  const { walletType, sub } = nameBook(owner, (asset) => coins.findAssetById(asset)?.symbol);
  if (walletType === null) return [];
  return [...balances].flatMap((row) => {
    const asset = describeAsset(coins, row);
    return asset === undefined ? [] : [{ walletType, sub, ...asset }];
  });
}
