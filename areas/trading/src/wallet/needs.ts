// The ports of the wallet: the books of a user, their live balances, the engine, and coins. Interfaces only; the server
// connects them.

import type { Command } from "@clockwork/core/protocol/command";
import type { Ack } from "@clockwork/host/engine";
import type { AccountOwner, WalletBook } from "@clockwork/kit/books";
import type { MarketAsset } from "../markets/pair.ts";
import type { BalanceRow } from "../projectors/rows/rows.ts";
import type { CoinNetwork } from "./contract.ts";

export interface CoinRegistry {
  readonly assets: readonly MarketAsset[];
  findAsset(symbol: string): MarketAsset | undefined;
  findAssetById(asset: number): MarketAsset | undefined;
  /** Worth in USDT's units at last prices, rounded down; undefined without a pair. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
}

export interface WalletView {
  readonly balances: ReadonlyMap<number, BalanceRow>;
  readonly changedSequence: number;
}

export interface WalletNeeds {
  readonly coins: CoinRegistry;
  submit(command: Command): Promise<Ack>;
  /** The core's account behind a user's book, opened if there is none; undefined while the core cannot answer. */
  openAccount(userId: number, book: WalletBook, sub: number): Promise<number | undefined>;
  /** Every account of a user. */
  listAccounts(userId: number): Promise<readonly (AccountOwner & { readonly account: number })[]>;
  openView(account: number): Promise<WalletView>;
  /** What a user committed to launches and paid as bonds and still owns, in USDT's units. */
  readCommitted(userId: number): Promise<bigint>;
  /** The remainder of each almighty gold of an account, in a coin. */
  listGold(account: number, asset: number): Promise<readonly bigint[]>;
  /** The chains a coin can be moved over. */
  networksOf(symbol: string): CoinNetwork[];
  /** Resolves when the tables hold everything up to this sequence, or after a while. */
  settled(sequence: number): Promise<void>;
}
