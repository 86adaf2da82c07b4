// What coupons want from others: prices, the tables' turnover, the engine that pays, and who may issue.
// Interfaces only; the server connects them.

import type { TakeReward } from "@clockwork/host/claimant";
import type { Refused } from "@clockwork/host/engine";

export interface CouponAsset {
  readonly symbol: string;
  readonly asset: number;
  readonly scale: number;
}

/** What one coin costs: so many USDT units for so many of its units, exactly, and the same as text. */
export interface IndexPrice {
  readonly quoteUnits: bigint;
  readonly baseUnits: bigint;
  readonly text: string;
}

export interface CouponPayment {
  /** USDT. */
  readonly faceUnits: bigint;
  readonly asset: number;
  readonly amountUnits: bigint;
}

export type PayAnswer =
  | { readonly done: true; readonly timeMs: number }
  | { readonly done: false; readonly code: Refused["code"] };

export interface CouponNeeds {
  findAsset(symbol: string): CouponAsset | undefined;
  /** The index of a coin in USDT; undefined while nothing tells it. */
  readIndex(symbol: string): IndexPrice | undefined;
  /** What so much of a quote coin is worth in USDT's units. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  quoteOf(market: number): number | undefined;
  findSpotAccount(userId: number): Promise<number | undefined>;
  /** Resolves when the tables hold everything the account was told, or after a while. */
  settled(account: number): Promise<void>;
  /**
   * The face leaves the treasury for the reserves and the coin leaves those for the account, together; once per reference,
   * however often it is asked, and refused when either is short.
   */
  pay(account: number, paid: CouponPayment, reference: string): Promise<PayAnswer>;
  randomId(): string;
  /** Told once for each reference, by the ways the user chose. */
  notify(
    userId: number,
    notice: { readonly topic: string; readonly reference: string; readonly title: string; readonly body: string },
    timeMs: number,
  ): Promise<void>;
  /** The id of what is issued under a reference, always the same. */
  idOf(reference: string): string;
  /** When somebody signed up; undefined when nobody has this number. */
  findJoinedMs(userId: number): Promise<number | undefined>;
  readonly takeReward: TakeReward;
  /** Given to everybody once, in the run whose coins are worth nothing. */
  readonly hasWelcome: boolean;
}
