// The ports of profit analysis: a user's days, and values of coins at the end of days and now. Interfaces only; the
// server connects them.

import type { DayRecord, DayResult } from "@clockwork/kit/accounting/days";
import type { MarketAsset } from "../markets/pair.ts";

export interface ProfitDays {
  readonly results: readonly DayResult[];
  /** Whether the first day is the first on which anything was held. */
  readonly isWhole: boolean;
  readonly first: number;
  /** The record before the first day, and the current one. */
  readonly opening: DayRecord;
  readonly closing: DayRecord;
  gainOf(asset: number): bigint;
  worthAt(asset: number, amountUnits: bigint, day: number): bigint;
}

export interface ProfitNeeds {
  readonly now: () => number;
  /** At most this many days, the last is today until now; undefined for a user without any movement. */
  readDays(userId: number, today: number, days: number): Promise<ProfitDays | undefined>;
  findAsset(symbol: string): MarketAsset | undefined;
  findAssetById(asset: number): MarketAsset | undefined;
  /** Closing values by day's number, from one day to another; none for a coin without a pair. */
  readCloses(asset: number, fromDay: number, toDay: number): Promise<ReadonlyMap<number, (units: bigint) => bigint>>;
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
}
