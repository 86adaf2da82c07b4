// The ports of launches: the ledger, holdings, publicly verifiable randomness. Interfaces only.
import type { Command } from "@clockwork/core/protocol/command";
import type { JournalledSeed, TicketRange } from "@clockwork/kit/earn/draw";

export type LaunchAnswer = { readonly done: true } | { readonly done: false; readonly code: string };

export interface LaunchNeeds {
  readonly now: () => number;
  submit(command: Command): Promise<LaunchAnswer>;
  findAsset(symbol: string): number | undefined;
  userAccount(userId: number): Promise<number | undefined>;
  /** The stock of a round, and a project's receipts and obligations. */
  saleAccount(sub: number): Promise<number | undefined>;
  escrowAccount(sub: number): Promise<number | undefined>;
  freeUnits(account: number, asset: number): Promise<bigint>;
  levelOf(userId: number, timeMs: number): Promise<number>;
  /** All users with at least this much USDT in spot and earn together, now. */
  listHolders(leastUnits: bigint): Promise<readonly { readonly userId: number; readonly heldUnits: bigint }[]>;
  sequence(): number;
  /** A seed set after this command and published since; requests one when there is none. */
  seedAfter(sequence: number): Promise<JournalledSeed | undefined>;
  /** The root of tickets and the order they are drawn in: long work that blocks nothing else. */
  rootOf(ranges: readonly TicketRange[]): Promise<string>;
  orderOf(seed: string, tickets: number): Promise<Uint32Array>;
  hash(text: string): string;
  randomId(): string;
  notify(
    userId: number,
    notice: { reference: string; title: string; body: string; path: string },
    timeMs: number,
  ): Promise<void>;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
