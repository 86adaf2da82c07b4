// What profit analysis wants from others: the user's books, what coins were worth at the end of days and are worth now.
// Interfaces only; the server connects them.

export interface ProfitCoinFacts {
  readonly asset: number;
  readonly symbol: string;
  readonly name: string;
  readonly scale: number;
}

export interface ProfitNeeds {
  readonly now: () => number;
  /** The user's wallets by the core's account; bots and copies are marked. */
  listBooks(userId: number): Promise<readonly { readonly account: number; readonly isBot: boolean }[]>;
  settled(): Promise<void>;
  findAsset(symbol: string): ProfitCoinFacts | undefined;
  findAssetById(asset: number): ProfitCoinFacts | undefined;
  /** Closing prices in ticks by day's number, from one day to another; none for a coin without a pair. */
  readCloses(asset: number, fromDay: number, toDay: number): Promise<ReadonlyMap<number, number>>;
  /** Worth in USDT's units at a price in ticks, rounded down; undefined for a coin without a pair. */
  worthAtTicks(asset: number, amountUnits: bigint, ticks: number): bigint | undefined;
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
}
