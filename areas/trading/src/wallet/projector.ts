// Changes of a user's books as the live channel publishes them, each row with its book. Pure.

import { type AccountOwner, nameBook } from "@clockwork/kit/books";
import type { BalanceRow } from "../projectors/rows/rows.ts";
import type { BookBalance } from "./contract.ts";
import type { CoinRegistry } from "./needs.ts";
import { describeAsset } from "./service.ts";

export function describeBook(
  coins: CoinRegistry,
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
