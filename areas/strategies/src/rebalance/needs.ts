// The ports of rebalancing bots: markets, accounts, the agreement, the core. Interfaces only; the server connects them.

import type { Command } from "@clockwork/core/protocol/command";
import type { RunTask } from "@clockwork/kit/grid/background-tasks";
import type { BasketPrices, BasketTestResult, BasketTestTask } from "@clockwork/kit/grid/basket-test";
import type { MarketPair } from "@clockwork/trading/markets/pair";

export interface RebalanceAck {
  readonly done: boolean;
  readonly code?: string;
  /** The bot that was made, by this command or by the one it repeats. */
  readonly rebalancer?: number;
}

export interface RebalanceNeeds {
  now(): number;
  findPair(pairCode: string): MarketPair | undefined;
  marketOf(market: number): MarketPair | undefined;
  /** The last trade as bots accept it: near the fair price. */
  seenTicks(market: number): number;
  /** Identity is good enough for strategies. */
  isVerified(userId: number): Promise<boolean>;
  /** The strategy agreement was accepted. */
  hasAgreed(userId: number): Promise<boolean>;
  /** The source of a bot's money; undefined while the core cannot answer. */
  openSource(userId: number): Promise<number | undefined>;
  submit(command: Command): Promise<RebalanceAck>;
  /** Units of each asset in a book. */
  holdingsOf(account: number): Promise<ReadonlyMap<number, bigint>>;
  isSimulated(userId: number): boolean;
  readCloses(
    market: number,
    spanMs: number,
    fromMs: number,
    toMs: number,
  ): Promise<readonly { readonly timeMs: number; readonly close: number }[]>;
  /** On a thread of its own. */
  runBackTest(task: BasketTestTask, prices: readonly BasketPrices[]): RunTask<BasketTestResult, AbortSignal>;
  randomId(): string;
}
