// What levels want from others: markets and prices, the core that charges by them, and telling people. Interfaces only;
// the server connects them.

export interface VipMarket {
  readonly kind: "spot" | "futures";
  /** What turnover is counted in. */
  readonly settle: number;
  /** Everybody trades here for nothing, or with play money: it counts for nobody. */
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
  /** Worth in USDT's units now; undefined while nothing tells it. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  /** Simulated traders and the house are nobody. */
  isPerson(userId: number): boolean;
  /** Resolves when the tables hold everything that happened before this time. */
  settledAt(timeMs: number): Promise<void>;
  /** Rates every account of the user pays from the next command on; −1 where the market's own count. True when told. */
  setFees(userId: number, fees: VipFees): Promise<boolean>;
  /** What the core charges this user now, in 1e-8. */
  readFees(userId: number): VipFees;
  /** What it charges whoever has no level, in 1e-8. */
  readGroupFees(): VipFees;
  isUser(userId: number): Promise<boolean>;
  notify(
    userId: number,
    notice: { readonly reference: string; readonly title: string; readonly body: string },
    timeMs: number,
  ): Promise<void>;
}
