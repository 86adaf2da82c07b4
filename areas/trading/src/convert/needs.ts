// The ports of convert: coins, order books, the ledger, randomness. Interfaces only; the server connects them.

import type { Command } from "@clockwork/core/protocol/command";
import type { LedgerCoin } from "@clockwork/kit/instrument";
import type { Level } from "./rules.ts";

export interface ConvertBook {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export interface ConvertNeeds {
  readonly now: () => number;
  findCoin(symbol: string): LedgerCoin | undefined;
  /**
   * The order book of a coin against USDT without the orders of the user and of those who share a device with them:
   * bids and asks, best first; undefined when the coin is not traded.
   */
  readBook(userId: number, symbol: string): Promise<ConvertBook | undefined>;
  /** By the exchange's valuation; undefined without one. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  /** The free balance of the user's spot book, by the coin's symbol. */
  readFree(userId: number): Promise<ReadonlyMap<string, bigint>>;
  openAccount(userId: number): Promise<number | undefined>;
  submit(command: Command): Promise<{ readonly done: boolean; readonly code?: string }>;
  randomId(): string;
}
