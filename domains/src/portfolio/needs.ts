// What the portfolio wants from others: what an account holds, what coins are worth now and were at midnight.
export interface PortfolioCoinFacts {
  readonly asset: number;
  readonly symbol: string;
  readonly name: string;
  readonly scale: number;
}

export interface HeldUnits {
  readonly asset: number;
  readonly heldUnits: bigint;
}

export interface PortfolioNeeds {
  findSpotAccount(userId: number): Promise<number | undefined>;
  /** What an account holds, after the tables have caught up with it. */
  readHeld(account: number): Promise<readonly HeldUnits[]>;
  findAssetById(asset: number): PortfolioCoinFacts | undefined;
  /** The pair a market is, with what a lot of it holds in units of the base coin. */
  findMarket(market: number): { readonly base: number; readonly quote: number; readonly stepUnits: bigint } | undefined;
  /** Worth in USDT's units at last prices; undefined when no pair tells it. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  /** How a coin's price moved since then, as a fraction; undefined when nobody knows. */
  priceSince(asset: number, sinceMs: number): { readonly thenTicks: bigint; readonly nowTicks: bigint } | undefined;
}
