// A futures account and the listed contracts, as rules of positions and orders see them. Types only.
import type { AccountOwner } from "@clockwork/kit/books";
import type { LedgerCoin } from "@clockwork/kit/instrument";
import type { MarketBiz, MarketPair } from "../markets/pair.ts";
import type { PositionRow, SettingRow, StopRow } from "../projectors/futures/futures-rows.ts";
import type { OrderRow } from "../projectors/rows/rows.ts";

export type FuturesBiz = Exclude<MarketBiz, "spot">;

/** The current state of an account, never older than the last answer to its owner. */
export interface FuturesView {
  readonly account: number;
  readonly owner: AccountOwner;
  readonly changedSequence: number;
  readonly positions: ReadonlyMap<number, PositionRow>;
  /** By market; 0 holds the modes of the whole account. */
  readonly settings: ReadonlyMap<number, SettingRow>;
  /** By order. */
  readonly stops: ReadonlyMap<number, StopRow>;
  readonly orders: ReadonlyMap<number, OrderRow>;
  /** By asset, in units. */
  readonly balances: ReadonlyMap<number, { readonly available_units: bigint; readonly frozen_units: bigint }>;
  /** Bonuses that count as margin, by asset. */
  bonusUnits(asset: number): bigint;
  /** The taker rate of a contract, in 1e-8. */
  takerRate: number;
}

/** Which contracts are listed, and their current prices. */
export interface ContractRegistry {
  find(biz: FuturesBiz, pairCode: string): MarketPair | undefined;
  findMarket(market: number): MarketPair | undefined;
  findAsset(symbol: string): LedgerCoin | undefined;
  findAssetById(asset: number): LedgerCoin | undefined;
  list(biz: FuturesBiz): readonly MarketPair[];
  /** In ticks, 0 while there is none: the reference of a plan without a direction. */
  referenceTicks(market: number, source: "last" | "mark" | "index"): number;
  /** 0 before the first. */
  markTicks(market: number): number;
  /** Worth in USDT's units at last prices, rounded down; undefined without a pair. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  /** Deleveraging rank of an open position, 1 to 5. */
  indicatorOf(market: number, positionId: number): number;
}

/** The selected book of a user. */
export interface BookChoice {
  readonly biz: FuturesBiz;
  /** main when left out. */
  readonly account?: string | undefined;
}
