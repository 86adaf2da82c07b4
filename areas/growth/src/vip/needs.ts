// The ports of levels: markets and prices, the core that charges by them, and notices. Interfaces only; the server
// connects them.

export interface VipMarket {
  readonly kind: "spot" | "futures";
  /** What turnover is counted in. */
  readonly settle: number;
  /** Trading here is free for all, or with play money: it does not count. */
  readonly isFree: boolean;
}

export interface VipFees {
  readonly spotMakerRate: number;
  readonly spotTakerRate: number;
  readonly perpMakerRate: number;
  readonly perpTakerRate: number;
}

export interface VipNeeds {
  readonly now: () => number;
  findMarket(market: number): VipMarket | undefined;
  /** Current worth in USDT's units; undefined without a price. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  /** False for simulated traders and the exchange. */
  isPerson(userId: number): boolean;
  /** Resolves when the tables hold everything that happened before this time. */
  settledAt(timeMs: number): Promise<void>;
  /** Rates every account of the user pays from the next command on; −1 where the market's own apply. True when set. */
  setFees(userId: number, fees: VipFees): Promise<boolean>;
  /** What the core charges this user now, in 1e-8. */
  readFees(userId: number): VipFees;
  /** The fees without a level, in 1e-8. */
  readGroupFees(): VipFees;
  isUser(userId: number): Promise<boolean>;
  notify(
    userId: number,
    notice: { readonly reference: string; readonly title: string; readonly body: string },
    timeMs: number,
  ): Promise<void>;
}
