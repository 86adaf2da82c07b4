// The ports of price alerts: prices as the market counts them, its trades, and ways to reach the user.
import type { Alert, Indicator } from "./contract.ts";

export interface AlertTrade {
  /** Counts up by one within a market. */
  readonly number: number;
  readonly priceTicks: number;
  readonly timeMs: number;
}

export interface AlertClose {
  /** When the candle was over. */
  readonly closedAtMs: number;
  readonly priceTicks: number;
}

export interface AlertNeeds {
  hasPair(pairCode: string): boolean;
  /** Undefined for an invalid price of the pair. */
  readTicks(pairCode: string, price: string): number | undefined;
  writePrice(pairCode: string, priceTicks: number): string;
  /** Last traded price; 0 before the first trade. */
  lastTicks(pairCode: string): number;
  /** The latest trades that are remembered, oldest first. */
  readTrades(pairCode: string): readonly AlertTrade[];
  /** Closes of completed candles, oldest first, up to a maximum. */
  readCloses(pairCode: string, interval: Indicator["interval"], count: number): Promise<readonly AlertClose[]>;
  /** Notifies once for each alert, by the channels the user chose. */
  notify(
    userId: number,
    notice: { readonly reference: string; readonly title: string; readonly body: string; readonly path: string },
    timeMs: number,
  ): Promise<void>;
  /** Publishes to the user's open pages. */
  publish(userId: number, alert: Alert): void;
}
