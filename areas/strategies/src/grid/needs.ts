// The ports of grid strategies: markets, candles, accounts, the core. Interfaces only; the server connects them.

import type { Command } from "@clockwork/core/protocol/command";
import type { BackTestCandle, BackTestResult, BackTestTask } from "@clockwork/kit/grid/back-test";
import type { FundingPoint } from "@clockwork/kit/grid/simulate";
import type { Contract } from "@clockwork/kit/margin";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { GridBiz } from "./contract.ts";

/** The holdings of a bot's book: units of its base of account, and lots of the coin or the position with its cost. */
export interface BookWorth {
  readonly quoteUnits: bigint;
  readonly freeUnits: bigint;
  readonly lots: number;
  /** Of a position; undefined on spot. */
  readonly costUnits: bigint | undefined;
}

export interface RestingOrder {
  readonly orderId: number;
  readonly side: string;
  readonly priceTicks: number;
  readonly lots: bigint;
  readonly filledLots: bigint;
}

export interface Ack {
  readonly done: boolean;
  readonly code?: string;
  readonly limit?: number;
  /** The bot that was made, by this command or by the one it repeats. */
  readonly bot?: number;
}

export interface GridNeeds {
  now(): number;
  findMarket(biz: GridBiz, pairCode: string): MarketPair | undefined;
  marketOf(market: number): MarketPair | undefined;
  contractOf(market: number): Contract | undefined;
  /** The last trade as bots accept it: near the fair price. */
  seenTicks(market: number): number;
  /** Identity is good enough for strategies. */
  isVerified(userId: number): Promise<boolean>;
  /** The source of a bot's money; undefined while the core cannot answer. */
  openSource(userId: number, biz: GridBiz): Promise<number | undefined>;
  submit(command: Command): Promise<Ack>;
  worthOf(account: number, market: MarketPair): Promise<BookWorth>;
  ordersOf(account: number): Promise<readonly RestingOrder[]>;
  readCandles(market: number, spanMs: number, fromMs: number, toMs: number): Promise<readonly BackTestCandle[]>;
  /** Settlements of funding that are stored since a time, oldest first; none of spot. */
  readFundings(market: number, fromMs: number): Promise<readonly FundingPoint[]>;
  /** Runs on a thread of its own; `onProgress` receives parts of 1, the signal ends it. */
  runBackTest(
    task: BackTestTask,
    candles: readonly BackTestCandle[],
    onProgress: (part: number) => void,
    signal: AbortSignal,
  ): Promise<BackTestResult | undefined>;
  randomId(): string;
}
