// The ports of coupons: prices, the tables' turnover, the engine that pays, and who may issue. Interfaces only; the
// server connects them.

import type { TakeReward } from "@clockwork/host/claimant";
import type { Refused } from "@clockwork/host/engine";
import type { LedgerCoin } from "@clockwork/kit/instrument";

/** The price of a coin: USDT units for units of the coin, exactly, and the same as text. */
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
  findAsset(symbol: string): LedgerCoin | undefined;
  /** The index of a coin in USDT; undefined without one. */
  readIndex(symbol: string): IndexPrice | undefined;
  /** The worth of an amount of a quote coin in USDT's units. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  quoteOf(market: number): number | undefined;
  findSpotAccount(userId: number): Promise<number | undefined>;
  /** Resolves when the tables hold everything published to the account, or after a timeout. */
  settled(account: number): Promise<void>;
  /**
   * The face value moves from the treasury to the reserves and the coin from those to the account, in one entry; once
   * per reference, however often it is called, and rejected when either is short.
   */
  pay(account: number, paid: CouponPayment, reference: string): Promise<PayAnswer>;
  randomId(): string;
  /** Notifies once per reference, by the channels the user chose. */
  notify(
    userId: number,
    notice: { readonly topic: string; readonly reference: string; readonly title: string; readonly body: string },
    timeMs: number,
  ): Promise<void>;
  /** The stable id of a coupon issued under a reference. */
  idOf(reference: string): string;
  /** When the user signed up; undefined when no user has this number. */
  findJoinedMs(userId: number): Promise<number | undefined>;
  readonly takeReward: TakeReward;
  /** Given to every user once, in the run whose coins have no value. */
  readonly hasWelcome: boolean;
}
