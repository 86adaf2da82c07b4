// The ports of the portfolio: what a user owns and its cost, and current values of coins.

import type { DayResult } from "@clockwork/kit/accounting/days";
import type { CoinCost } from "@clockwork/kit/accounting/lots";
import type { MarketAsset } from "../markets/pair.ts";

/** A user's current account: holdings in all books, their cost, and today. */
export interface PortfolioStanding {
  /** Of every coin ever held. */
  readonly held: ReadonlyMap<number, bigint>;
  /** Of launches and bonds, in money at its cost. */
  readonly committedUnits: bigint;
  readonly today: DayResult | undefined;
  costOf(asset: number): CoinCost;
  /** By price and by trading since midnight. */
  gainOf(asset: number): bigint;
}

export interface PortfolioNeeds {
  /** Undefined for a user without any movement. */
  readStanding(userId: number, day: number): Promise<PortfolioStanding | undefined>;
  /** The asset everything is counted in. */
  readonly money: () => number | undefined;
  findAssetById(asset: number): MarketAsset | undefined;
  /** Current worth in the currency's units; undefined without a price. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
}
