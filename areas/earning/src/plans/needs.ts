// The ports of recurring buys: coins and prices, the user's money, the market, earn. Interfaces only.
import type { LedgerCoin } from "@clockwork/kit/instrument";
import type { PlanSource } from "./contract.ts";

/** The result of a buy; `code` gives the reason when it is less than all. */
export interface Bought {
  readonly boughtUnits: bigint;
  readonly spentUnits: bigint;
  readonly code: string;
}

export interface PlanNeeds {
  readonly now: () => number;
  levelOf(userId: number, timeMs: number): Promise<number>;
  findCoin(symbol: string): LedgerCoin | undefined;
  /** Whether the coin is traded against USDT. */
  isTraded(symbol: string): boolean;
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  /** The free balance there, in USDT units. */
  freeUnits(userId: number, source: PlanSource): Promise<bigint>;
  /** Moves an amount of a source into the spot book; once per reference. */
  bring(
    userId: number,
    source: "funding" | "flexible",
    amountUnits: bigint,
    reference: string,
  ): Promise<"done" | "later" | string>;
  /** At the market, at most one percent from its price; the same reference buys once. */
  buy(userId: number, symbol: string, quoteUnits: bigint, reference: string): Promise<Bought | "later">;
  /** Closes against USDT by day, oldest first, as exact text. */
  readCloses(
    symbol: string,
    interval: "1h" | "1d",
    fromMs: number,
    toMs: number,
  ): Promise<readonly { timeMs: number; price: string }[]>;
  randomId(): string;
  notify(userId: number, notice: { reference: string; title: string; body: string }, timeMs: number): Promise<void>;
}
