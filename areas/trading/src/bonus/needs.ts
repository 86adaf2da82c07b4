// The ports of almighty gold: coins, the futures accounts of a user, the engine. Interfaces only.

import type { Command } from "@clockwork/core/protocol/command";
import type { Ack } from "@clockwork/host/engine";
import type { LedgerCoin } from "@clockwork/kit/instrument";

export interface BonusAccount {
  readonly account: number;
  readonly book: string;
}

export interface BonusNeeds {
  findAsset(symbol: string): LedgerCoin | undefined;
  findAssetById(asset: number): LedgerCoin | undefined;
  /** Whether contracts of the product settle in the coin. */
  settles(biz: "futures" | "delivery", asset: number): boolean;
  isUser(userId: number): Promise<boolean>;
  openAccount(userId: number, biz: "futures" | "delivery", asset: number): Promise<number | undefined>;
  /** Accounts that can have a bonus. */
  listAccounts(userId: number): Promise<readonly BonusAccount[]>;
  submit(command: Command): Promise<Ack>;
  /** Resolves when the tables hold everything up to this sequence, or after a while. */
  settled(sequence: number): Promise<void>;
  notify(
    userId: number,
    notice: { readonly reference: string; readonly title: string; readonly body: string },
    timeMs: number,
  ): Promise<void>;
}
