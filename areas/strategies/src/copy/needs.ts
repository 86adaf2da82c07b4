// The ports of copy trading: accounts and their owners, markets with their prices, the core, users. Interfaces only;
// the server connects them.

import type { Command } from "@clockwork/core/protocol/command";
import type { Ack } from "@clockwork/host/engine";
import type { AccountOwner } from "@clockwork/kit/books";
import type { LedgerCoin } from "@clockwork/kit/instrument";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { CopyKind } from "./contract.ts";

export type CopyBook = "copyF" | "copyS" | "copyFLead" | "spot" | "linear" | "funding";

export interface CopyNeeds {
  readonly now: () => number;
  /** The coin leaders and followers are measured in. */
  findCoin(): LedgerCoin | undefined;
  findMarket(market: number): MarketPair | undefined;
  findPair(kind: CopyKind, pairCode: string): MarketPair | undefined;
  listPairs(kind: CopyKind): readonly MarketPair[];
  /** The mark of a contract, the last price of a pair; 0 before the first. */
  priceTicks(market: number): number;
  /** The last price of bitcoin of each day, by the day's first moment; the newest is of now. */
  bitcoinByDay(fromMs: number): Promise<ReadonlyMap<number, string>>;
  /** The last command of the journal whose effects are in the tables. */
  tablesSequence(): number;
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  submit(command: Command): Promise<Ack>;
  /** Resolves when the tables hold everything up to this sequence, or after a while. */
  settled(sequence: number): Promise<void>;
  openAccount(userId: number, book: CopyBook): Promise<number | undefined>;
  findAccount(userId: number, book: CopyBook, sub?: number): Promise<number | undefined>;
  listAccounts(userId: number): Promise<readonly (AccountOwner & { readonly account: number })[]>;
  kycLevelOf(userId: number): Promise<number>;
  /** When a user signed up, and their name; undefined without such a user. */
  findPerson(userId: number): Promise<{ readonly sinceMs: number; readonly nickname: string } | undefined>;
  notify(userId: number, notice: CopyNotice): Promise<void>;
  /** A run whose coins have no value: a simulated person decides on applications. */
  readonly hasSimulatedReviewer: boolean;
}

export interface CopyNotice {
  readonly kind: "copy" | "copy-end" | "copy-share" | "copy-lead";
  readonly reference: string;
  readonly title: string;
  readonly body: string;
  readonly path: string;
}
