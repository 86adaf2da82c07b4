// The ports of futures trading: contracts, the engine, the rows of an account. Interfaces only; the server connects
// them.

import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import type { Refused } from "@clockwork/host/engine";
import type { RouteRejection } from "@clockwork/host/route";
import type { AccountOwner } from "@clockwork/kit/books";
import type { Instrument } from "@clockwork/kit/instrument";
import type { ContractRefusal } from "../positions/refusals.ts";
import type { FuturesBiz } from "./contract.ts";

export interface FuturesAsset {
  readonly asset: number;
  readonly symbol: string;
  readonly scale: number;
}

/** A listed contract with everything needed to read and write its prices and quantities. */
export interface FuturesPair extends Instrument {
  readonly biz: string;
  readonly pairCode: string;
  readonly market: number;
  readonly base: FuturesAsset;
  readonly quote: FuturesAsset;
  readonly settle: FuturesAsset;
  readonly restingMax: number;
  readonly conditionalMax: number;
}

export interface PairRegistry {
  find(biz: FuturesBiz, pairCode: string): FuturesPair | undefined;
  findMarket(market: number): FuturesPair | undefined;
  findAsset(symbol: string): FuturesAsset | undefined;
  findAssetById(asset: number): FuturesAsset | undefined;
  list(biz: FuturesBiz): readonly FuturesPair[];
  /** In ticks, 0 while there is none: the reference of a plan without a direction. */
  referenceTicks(market: number, source: "last" | "mark" | "index"): number;
}

export type EngineAnswer =
  | { readonly done: true; readonly sequence: number; readonly events: readonly MachineEvent[] }
  | { readonly done: false; readonly code: Refused["code"]; readonly events: readonly MachineEvent[] };

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
  readonly reduce_only: boolean;
  readonly iceberg: boolean;
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
  readonly trigger_source: string | null;
  readonly trigger_direction: string | null;
  readonly callback_bps: number | null;
  readonly peak_ticks: number | null;
  readonly profit_ticks: number | null;
  readonly stop_ticks: number | null;
  readonly stop_limit_ticks: number | null;
  /** Of an iceberg: the visible quantity. */
  readonly visible_lots: number | null;
  /** Of an order that lasts until a day: when it ends. */
  readonly expires_ms: number | null;
  /** The TWAP it is a slice of; its `slices_done` is then its own number. */
  readonly parent_id: number | null;
  readonly slices_done: number | null;
  readonly created_sequence: number;
  readonly created_ms: number;
  readonly updated_ms: number;
}

export interface FillRecord {
  readonly account: number;
  readonly market: number;
  readonly trade_number: number;
  readonly role: "maker" | "taker";
  readonly order_id: number;
  readonly side: string;
  readonly price_ticks: number;
  readonly lots: bigint;
  readonly notional_units: bigint;
  readonly fee_asset: number | null;
  readonly fee_units: bigint;
  readonly realized_units: bigint;
  /** The part of the fee paid by almighty gold; `fee_units` is the account's part. */
  readonly gold_fee_units: bigint;
  readonly sequence: number;
  readonly time_ms: number;
}

/** How an account held its positions from a command on. */
export interface ModeRecord {
  readonly account: number;
  readonly sequence: number;
  readonly hedge: boolean;
}

export interface StopRecord {
  readonly order_id: number;
  readonly position_id: number;
  readonly is_whole: boolean;
}

/** An account with its book, before anything of it is read. */
export interface OwnAccount extends AccountOwner {
  readonly account: number;
}

/** The current state of an account, never older than the last answer to its owner. */
export interface TradingView {
  readonly account: number;
  readonly owner: AccountOwner;
  readonly changedSequence: number;
  readonly orders: ReadonlyMap<number, OrderRecord>;
  readonly stops: ReadonlyMap<number, StopRecord>;
  readonly isHedge: boolean;
}

/** The selected book of a user. */
export interface BookChoice {
  readonly biz: FuturesBiz;
  readonly account?: string | undefined;
}

/** How much may be ordered, according to the margin rules. */
export interface OrderRoom {
  readonly leverageLong: number;
  readonly leverageShort: number;
  readonly freeUnits: bigint;
  readonly buyLots: bigint;
  readonly sellLots: bigint;
  readonly longCapUnits: bigint;
  readonly shortCapUnits: bigint;
  readonly priceTicks: number;
}

export interface FuturesNeeds {
  readonly pairs: PairRegistry;
  submit(command: Command): Promise<EngineAnswer>;
  /**
   * The account that trades the contract, synchronously, if it is cached and may trade; undefined otherwise, which
   * proves nothing.
   */
  recallAccount(userId: number, choice: BookChoice, settleAsset: number): number | undefined;
  /** The same, opened when permitted; otherwise the refusal. */
  openAccount(
    userId: number,
    choice: BookChoice,
    settleAsset: number,
  ): Promise<{ readonly account: number } | { readonly refusal: RouteRejection<ContractRefusal> }>;
  /** The existing accounts; none is opened, and nothing of them is read. */
  listAccounts(userId: number, choice: BookChoice): Promise<readonly OwnAccount[]>;
  /** The almighty gold books of this user's accounts. */
  listGold(userId: number, accounts: readonly number[]): Promise<readonly OwnAccount[]>;
  /** The same with the current state of each. */
  listViews(userId: number, choice: BookChoice): Promise<readonly TradingView[]>;
  openView(account: number): Promise<TradingView>;
  settled(sequence: number): Promise<void>;
  /** The account's rates, in 1e-8, and its level. */
  readFee(
    userId: number,
    account: number | undefined,
  ): Promise<{ level: number; makerRate: number; takerRate: number }>;
  readRoom(account: number | undefined, market: number, priceTicks: number | undefined): Promise<OrderRoom>;
}
