// The ports of the launch console: coins, the book that stocks launches, and the store of created launches.
import type { LedgerCoin } from "@clockwork/kit/instrument";

export type RoundKind = "lottery" | "subscription" | "flash";

/** A new launch: nothing has happened in it yet. */
export interface LaunchDraft {
  readonly project: {
    readonly project_id: string;
    readonly name: string;
    readonly asset: string;
    readonly scale: number;
    readonly summary: string;
    readonly supply: string;
    readonly price_units: bigint;
    readonly vest_bps: number;
    readonly vest_days: number;
    readonly announced_ms: number;
    readonly listing_ms: number;
    readonly promise: string;
    readonly server_seed: string;
    readonly salt: string;
    readonly sub: number;
  };
  readonly rounds: readonly RoundDraft[];
}

export interface RoundDraft {
  readonly round_id: string;
  readonly project_id: string;
  readonly number: number;
  readonly kind: RoundKind;
  readonly promise: string;
  readonly stock_units: bigint;
  readonly lot_units: bigint;
  readonly cap_units: bigint;
  readonly tickets_max: number;
  readonly unit_units: bigint;
  readonly snapshot_days: number;
  readonly preheat_ms: number;
  readonly opens_ms: number;
  readonly closes_ms: number;
  readonly draw_ms: number | null;
  readonly pay_until_ms: number;
  readonly winners_max: number;
  readonly sub: number;
}

export interface DeskNeeds {
  readonly now: () => number;
  findCoin(symbol: string): LedgerCoin | undefined;
  listCoins(): readonly LedgerCoin[];
  /** The exchange's units for sales of a coin, not assigned to a launch. */
  freeUnits(asset: number): Promise<bigint>;
  /** Coins of the reserves for sales. */
  fund(asset: number, amountUnits: number, reference: string): Promise<"done" | "later" | string>;
  /** Coins for sales that no launch has, back to the reserves. */
  giveBack(asset: number, amountUnits: number, reference: string): Promise<"done" | "later" | string>;
  /** The stock of every round from those coins, all or nothing. */
  stock(draft: LaunchDraft, reference: string): Promise<"done" | "later" | string>;
  isLaunch(projectId: string): Promise<boolean>;
  /** An existing one is unchanged. */
  add(draft: LaunchDraft): Promise<void>;
  /** 32 random bytes, as hex. */
  randomSeed(): string;
}
