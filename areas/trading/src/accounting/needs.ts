// The ports of accounting: a user's books, the position of the tables, and past values of assets. Interfaces only.
import type { ValueSource, Worth } from "@clockwork/kit/accounting/moments";

export interface AccountingBook {
  readonly account: number;
  /** Of a bot or of a copy. */
  readonly isBot: boolean;
}

export interface AccountingNeeds extends ValueSource {
  /** The asset everything is counted in; undefined before it is listed. */
  readonly money: () => number | undefined;
  /** Every book of the user's that is a wallet. */
  listBooks(userId: number): Promise<readonly AccountingBook[]>;
  /** Resolves when the tables hold all that was answered, with the last command they hold whole. */
  settled(): Promise<number>;
  /** Closing values by day's number from one day to another. */
  readCloses(asset: number, fromDay: number, toDay: number): Promise<ReadonlyMap<number, Worth>>;
  /** The current worth of an asset. */
  worthUnits(asset: number, units: bigint): bigint | undefined;
}
