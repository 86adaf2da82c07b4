// What price alerts want from others: prices as the market counts them, its trades, and ways to reach the user.
import type { Alert } from "./api.ts";

export interface AlertTrade {
  /** Counts up by one within a market. */
  readonly number: number;
  readonly priceTicks: number;
  readonly timeMs: number;
}

export interface AlertNeeds {
  hasPair(pairCode: string): boolean;
  /** Undefined for what is no price of the pair. */
  readTicks(pairCode: string, price: string): number | undefined;
  writePrice(pairCode: string, priceTicks: number): string;
  /** Last traded price; 0 before the first trade. */
  lastTicks(pairCode: string): number;
  /** The latest trades that are remembered, oldest first. */
  readTrades(pairCode: string): readonly AlertTrade[];
  /** Told once for each alert, by the ways the user chose. */
  tell(
    userId: number,
    notice: { readonly reference: string; readonly title: string; readonly body: string; readonly path: string },
    timeMs: number,
  ): Promise<void>;
  /** Tells the user's open pages. */
  publish(userId: number, alert: Alert): void;
}
