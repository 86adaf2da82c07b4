// The ports of almighty gold: coins, the futures accounts of a user, the engine. Interfaces only.

import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import type { Refused } from "@clockwork/host/engine";

export interface BonusCoin {
  readonly asset: number;
  readonly symbol: string;
  readonly scale: number;
}

export interface BonusAccount {
  readonly account: number;
  readonly book: string;
}

export type EngineAnswer =
  | { readonly done: true; readonly sequence: number; readonly events: readonly MachineEvent[] }
  | { readonly done: false; readonly code: Refused["code"]; readonly events: readonly MachineEvent[] };

export interface BonusNeeds {
  findAsset(symbol: string): BonusCoin | undefined;
  findAssetById(asset: number): BonusCoin | undefined;
  /** Whether contracts of the product settle in the coin. */
  settles(biz: "futures" | "delivery", asset: number): boolean;
  isUser(userId: number): Promise<boolean>;
  openAccount(userId: number, biz: "futures" | "delivery", asset: number): Promise<number | undefined>;
  /** Accounts that can have a bonus. */
  listAccounts(userId: number): Promise<readonly BonusAccount[]>;
  submit(command: Command): Promise<EngineAnswer>;
  /** Resolves when the tables hold everything up to this sequence, or after a while. */
  settled(sequence: number): Promise<void>;
  notify(
    userId: number,
    notice: { readonly reference: string; readonly title: string; readonly body: string },
    timeMs: number,
  ): Promise<void>;
}
