// The ports of earn: coins, the ledger, the treasury, prices and users. Interfaces only.

import type { Command } from "@clockwork/core/protocol/command";
import type { MarketAsset } from "@clockwork/trading/markets/pair";

export type EarnAnswer = { readonly done: true } | { readonly done: false; readonly code: string };

export type EarnBook = "spot" | "earn" | "treasury";

/** The recorded index, one price a minute, in ticks. */
export interface IndexRecord {
  readonly closes: readonly number[];
  readonly highTicks: number;
  readonly lowTicks: number;
}

/** A coupon every user has from sign-up, once by its reference. */
export interface FirstCoupon {
  readonly reference: string;
  readonly kind: "flexible" | "fixed";
  readonly asset: string;
  readonly rate: number;
  readonly cap_units: bigint;
  readonly days: number;
}

export interface EarnNeeds {
  readonly now: () => number;
  /** None where money is real. */
  readonly firstCoupons: readonly FirstCoupon[];
  /** When a user signed up. */
  joinedMs(userId: number): Promise<number | undefined>;
  findCoin(symbol: string): MarketAsset | undefined;
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  submit(command: Command): Promise<EarnAnswer>;
  /** The core's account behind a book, opened if there is none; undefined while the core cannot answer. */
  accountOf(userId: number, book: EarnBook): Promise<number | undefined>;
  /** The current free balance there. */
  freeUnits(account: number, asset: number): Promise<bigint>;
  levelOf(userId: number, timeMs: number): Promise<number>;
  /** Ticks of a price of the coin's index; undefined for an invalid one. */
  ticksOf(symbol: string, price: string): bigint | undefined;
  priceText(symbol: string, ticks: number): string;
  /** Undefined before the first price. */
  readIndex(symbol: string): number | undefined;
  /** Every minute from one time to before another; undefined without a price by then. */
  readRecord(symbol: string, fromMs: number, toMs: number): Promise<IndexRecord | undefined>;
  hash(text: string): string;
  randomId(): string;
  notify(userId: number, notice: { reference: string; title: string; body: string }, timeMs: number): Promise<void>;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
