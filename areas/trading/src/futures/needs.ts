// The ports of futures trading: contracts, the engine, the rows of an account. Interfaces only; the server connects
// them.

import type { Command } from "@clockwork/core/protocol/command";
import type { Ack } from "@clockwork/host/engine";
import type { RouteRejection } from "@clockwork/host/route";
import type { AccountOwner } from "@clockwork/kit/books";
import type { LedgerCoin } from "@clockwork/kit/instrument";
import type { MarketPair } from "../markets/pair.ts";
import type { ContractRefusal } from "../positions/refusals.ts";
import type { StopRow } from "../projectors/futures/futures-rows.ts";
import type { OrderRow } from "../projectors/rows/rows.ts";
import type { FuturesBiz } from "./contract.ts";

export interface PairRegistry {
  find(biz: FuturesBiz, pairCode: string): MarketPair | undefined;
  findMarket(market: number): MarketPair | undefined;
  findAsset(symbol: string): LedgerCoin | undefined;
  findAssetById(asset: number): LedgerCoin | undefined;
  list(biz: FuturesBiz): readonly MarketPair[];
  /** In ticks, 0 while there is none: the reference of a plan without a direction. */
  referenceTicks(market: number, source: "last" | "mark" | "index"): number;
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
  readonly orders: ReadonlyMap<number, OrderRow>;
  readonly stops: ReadonlyMap<number, StopRow>;
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
  submit(command: Command): Promise<Ack>;
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
