// The ports of spot trading: listed pairs and last prices, the engine, the rows of an account, time to settle.
// Interfaces only; the server connects them.

import type { Command } from "@clockwork/core/protocol/command";
import type { Ack } from "@clockwork/host/engine";
import type { AccountOwner } from "@clockwork/kit/books";
import type { PairBook } from "../market/pairs.ts";
import type { BalanceRow, FillRow, OrderRow } from "../projectors/rows/rows.ts";

/** The current state of an account, never older than the last answer to its owner. */
export interface AccountView {
  readonly owner: AccountOwner;
  readonly orders: ReadonlyMap<number, OrderRow>;
  readonly balances: ReadonlyMap<number, BalanceRow>;
  readonly fills: readonly FillRow[];
  readonly changedSequence: number;
}

export interface SpotNeeds {
  readonly pairs: PairBook;
  submit(command: Command): Promise<Ack>;
  /** The core's account behind a user's spot book; undefined while it is being opened. */
  findSpotAccount(userId: number): Promise<number | undefined>;
  /** The same, synchronously, if it is cached; undefined proves nothing. */
  recallSpotAccount(userId: number): number | undefined;
  openView(account: number): Promise<AccountView>;
  /** Resolves when the tables hold everything up to this sequence, or after a while. */
  settled(sequence: number): Promise<void>;
  /** The account's rates, in 1e-8, and its level. */
  readFee(userId: number, account: number): Promise<{ level: number; makerRate: number; takerRate: number }>;
  clock(): number;
}
