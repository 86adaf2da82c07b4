// The ports of spot trading: listed pairs and last prices, the engine, the rows of an account, time to settle.
// Interfaces only; the server connects them.
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import type { Rejection } from "@clockwork/core/protocol/rejection";
import type { AccountOwner } from "@clockwork/kit/books";
import type { Instrument } from "@clockwork/kit/instrument";

/** An asset as the ledger counts it. */
export interface SpotAsset {
  readonly asset: number;
  readonly symbol: string;
  readonly name: string;
  /** Decimals of the smallest unit. */
  readonly scale: number;
}

/** A listed pair with everything needed to read and write its prices and quantities. */
export interface SpotPair extends Instrument {
  readonly pairCode: string;
  readonly market: number;
  readonly base: SpotAsset;
  readonly quote: SpotAsset;
  readonly settle: SpotAsset;
  readonly restingMax: number;
  readonly conditionalMax: number;
}

/** The listed assets and pairs, and their last prices. */
export interface PairRegistry {
  findPair(pairCode: string): SpotPair | undefined;
  findMarket(market: number): SpotPair | undefined;
  findAsset(symbol: string): SpotAsset | undefined;
  findAssetById(asset: number): SpotAsset | undefined;
  /** Last traded price in ticks; 0 before the first trade. */
  lastTicks(market: number): number;
  /** Worth in USDT's units at last prices, rounded down; undefined without a pair. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
}

export type EngineRefusal = "ENGINE_BUSY" | "ENGINE_STARTING" | "ENGINE_CLOSED" | "ENGINE_HALTED";

/** The result of a command, after its commit. */
export type EngineAnswer =
  | {
      readonly done: true;
      readonly sequence: number;
      readonly timeMs: number;
      readonly events: readonly MachineEvent[];
    }
  | {
      readonly done: false;
      readonly code: Rejection | EngineRefusal;
      readonly sequence: number | undefined;
      readonly events: readonly MachineEvent[];
    };

/** An order, plan or TWAP from the projection. */
export interface OrderRecord {
  readonly order_id: number;
  readonly kind: "order" | "conditional" | "twap";
  readonly account: number;
  readonly market: number;
  readonly side: string;
  readonly type: string;
  readonly time_in_force: string;
  readonly post_only: string;
  readonly self_trade: string;
  readonly iceberg: boolean;
  readonly in_quote: boolean;
  readonly price_ticks: number;
  readonly quantity: bigint;
  readonly filled_lots: bigint;
  readonly filled_units: bigint;
  readonly state: string;
  readonly end_reason: string | null;
  readonly client_order_id: string | null;
  readonly list_id: number | null;
  readonly list_leg: string | null;
  readonly trigger_ticks: number | null;
  readonly trigger_direction: string | null;
  readonly callback_bps: number | null;
  readonly profit_ticks: number | null;
  readonly stop_ticks: number | null;
  readonly stop_limit_ticks: number | null;
  /** Of an iceberg: the visible quantity. */
  readonly visible_lots: number | null;
  /** Of an order that lasts until a day: when it ends. */
  readonly expires_ms: number | null;
  /** The TWAP it is a slice of; its `slices_done` is then its own number. */
  readonly parent_id: number | null;
  readonly peak_ticks: number | null;
  readonly slices_done: number | null;
  readonly slice_count: number | null;
  readonly slice_ms: number | null;
  readonly created_sequence: number;
  readonly created_ms: number;
  readonly updated_ms: number;
}

export interface FillRecord {
  readonly market: number;
  readonly trade_number: number;
  readonly role: "maker" | "taker";
  readonly account: number;
  readonly order_id: number;
  readonly side: string;
  readonly price_ticks: number;
  readonly lots: bigint;
  readonly notional_units: bigint;
  readonly fee_asset: number | null;
  readonly fee_units: bigint;
  readonly sequence: number;
  readonly time_ms: number;
}

export interface BalanceRecord {
  readonly asset: number;
  readonly available_units: bigint;
  readonly frozen_units: bigint;
}

/** The current state of an account, never older than the last answer to its owner. */
export interface AccountView {
  readonly owner: AccountOwner;
  readonly orders: ReadonlyMap<number, OrderRecord>;
  readonly balances: ReadonlyMap<number, BalanceRecord>;
  readonly fills: readonly FillRecord[];
  readonly changedSequence: number;
}

export interface SpotNeeds {
  readonly pairs: PairRegistry;
  submit(command: Command): Promise<EngineAnswer>;
  /** The core's account behind a user's spot book; undefined while it is being opened. */
  findSpotAccount(userId: number): Promise<number | undefined>;
  /** The same, synchronously, if it is cached; undefined proves nothing. */
  recallSpotAccount(userId: number): number | undefined;
  openView(account: number): Promise<AccountView>;
  /** Resolves when the tables hold everything up to this sequence, or after a while. */
  settled(sequence: number): Promise<void>;
  /** The account's rates, in 1e-8, and its level. */
  readFee(userId: number, account: number): Promise<{ level: number; makerRate: number; takerRate: number }>;
  clock(): number;
}
