// The ports of positions: contracts with their marks, the rows of an account, the engine. Interfaces only; the server
// connects them.

import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import type { Refused } from "@clockwork/host/engine";
import type { RouteRejection } from "@clockwork/host/route";
import type { AccountOwner } from "@clockwork/kit/books";
import type { Instrument } from "@clockwork/kit/instrument";
import type { Tier } from "@clockwork/kit/margin";
import type { ContractRefusal } from "./refusals.ts";

export type FuturesBiz = "futures" | "delivery" | "demo";

export interface FuturesAsset {
  readonly asset: number;
  readonly symbol: string;
  readonly scale: number;
}

/** A listed contract with everything needed to read and write its prices, quantities and margins. */
export interface FuturesContract extends Instrument {
  readonly biz: string;
  readonly pairCode: string;
  readonly market: number;
  readonly base: FuturesAsset;
  readonly quote: FuturesAsset;
  readonly settle: FuturesAsset;
  readonly contract: { readonly tiers: readonly Tier[]; readonly liquidationRate: number } | undefined;
}

export interface PositionRecord {
  readonly position_id: number;
  readonly account: number;
  readonly market: number;
  readonly side: "long" | "short";
  readonly leverage: number;
  readonly isolated: boolean;
  readonly lots: bigint;
  /** Rounded up, by this many parts of 2^48. */
  readonly cost_units: bigint;
  readonly cost_excess: bigint;
  readonly margin_units: bigint;
  readonly realized_units: bigint;
  readonly fee_units: bigint;
  readonly funding_units: bigint;
  readonly max_lots: bigint;
  readonly entered_lots: bigint;
  readonly entered_units: bigint;
  readonly entered_excess: bigint;
  readonly closed_lots: bigint;
  readonly closed_units: bigint;
  readonly opened_sequence: number;
  readonly opened_ms: number;
  readonly updated_ms: number;
  readonly closed_sequence: number | null;
  readonly ended_by: "close" | "liquidation" | "adl" | "delisting" | "reset" | null;
  readonly liquidation_place: number | null;
}

export interface SettingRecord {
  readonly market: number;
  readonly isolated: boolean;
  readonly hedge: boolean;
  readonly split: boolean;
  readonly auto_append: boolean;
  readonly leverage_long: number;
  readonly leverage_short: number;
}

export interface StopRecord {
  readonly order_id: number;
  readonly position_id: number;
  readonly is_whole: boolean;
  readonly pair_id: number | null;
}

/** The fields of an order from which margin and stops are computed. */
export interface OpenOrderRecord {
  readonly order_id: number;
  readonly kind: "order" | "conditional" | "twap";
  readonly market: number;
  readonly side: string;
  readonly type: string;
  readonly reduce_only: boolean;
  readonly price_ticks: number;
  readonly quantity: bigint;
  readonly filled_lots: bigint;
  readonly trigger_ticks: number | null;
  readonly trigger_source: string | null;
  readonly trigger_direction: string | null;
  readonly callback_bps: number | null;
}

/** The current state of an account, never older than the last answer to its owner. */
export interface FuturesView {
  readonly account: number;
  readonly owner: AccountOwner;
  readonly changedSequence: number;
  readonly positions: ReadonlyMap<number, PositionRecord>;
  /** By market; 0 holds the modes of the whole account. */
  readonly settings: ReadonlyMap<number, SettingRecord>;
  /** By order. */
  readonly stops: ReadonlyMap<number, StopRecord>;
  readonly orders: ReadonlyMap<number, OpenOrderRecord>;
  /** By asset, in units. */
  readonly balances: ReadonlyMap<number, { readonly available_units: bigint; readonly frozen_units: bigint }>;
  /** Bonuses that count as margin, by asset. */
  bonusUnits(asset: number): bigint;
  /** The taker rate of a contract, in 1e-8. */
  takerRate: number;
}

/** Which contracts are listed, and their current prices. */
export interface ContractRegistry {
  find(biz: FuturesBiz, pairCode: string): FuturesContract | undefined;
  findMarket(market: number): FuturesContract | undefined;
  findAsset(symbol: string): FuturesAsset | undefined;
  findAssetById(asset: number): FuturesAsset | undefined;
  list(biz: FuturesBiz): readonly FuturesContract[];
  /** 0 before the first. */
  markTicks(market: number): number;
  /** Worth in USDT's units at last prices, rounded down; undefined without a pair. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  /** Deleveraging rank of an open position, 1 to 5. */
  indicatorOf(market: number, positionId: number): number;
}

export type EngineAnswer =
  | { readonly done: true; readonly sequence: number; readonly events: readonly MachineEvent[] }
  | { readonly done: false; readonly code: Refused["code"]; readonly events: readonly MachineEvent[] };

/** The selected book of a user. */
export interface BookChoice {
  readonly biz: FuturesBiz;
  /** main when left out. */
  readonly account?: string | undefined;
}

export interface PositionNeeds {
  readonly contracts: ContractRegistry;
  submit(command: Command): Promise<EngineAnswer>;
  /** The accounts there are; none is opened. */
  listViews(userId: number, choice: BookChoice): Promise<readonly FuturesView[]>;
  /** The account that trades the contract, opened when permitted; otherwise the refusal. */
  openAccount(
    userId: number,
    choice: BookChoice,
    settleAsset: number,
  ): Promise<{ readonly account: number } | { readonly refusal: RouteRejection<ContractRefusal> }>;
  openView(account: number): Promise<FuturesView>;
  /** Resolves when the tables hold everything up to this sequence, or after a while. */
  settled(sequence: number): Promise<void>;
}
