// The ports of ads: prices, merchants, users, payment accounts, the ledger and orders. Interfaces only.

import type { LedgerCoin } from "@clockwork/kit/instrument";
import type { PaymentKind } from "@clockwork/kit/otc/fiat";
import type { Kysely } from "kysely";
import type { LedgerReply } from "../otcpeople/needs.ts";

/** The public view of a merchant, and their permissions. */
export interface MakerInfo {
  readonly name: string;
  readonly level: number;
  readonly isSimulated: boolean;
  /** Active, with a complete bond. */
  readonly mayPost: boolean;
  readonly state: string;
  readonly bondText: string;
  readonly adsMax: number;
  readonly orderMaxUnits: bigint;
  readonly opensMinute: number;
  readonly closesMinute: number;
  readonly orders: number;
  /** Hundredths of a percent; undefined before the first order. */
  readonly completionBps: number | undefined;
  readonly releaseMs: number | undefined;
  /** Until then their buying ads cannot be taken; 0 is never. */
  readonly restsUntilMs: number;
}

/** A user who reads ads or takes one. */
export interface TakerInfo {
  readonly userId: number;
  readonly level: number;
  readonly createdMs: number;
  readonly orders: number;
  readonly completionBps: number | undefined;
  /** Has a second factor: an authenticator, a passkey or a fund password. */
  readonly hasFactor: boolean;
  /** Users blocked by them, and users who block them. */
  readonly unmet: ReadonlySet<number>;
  /** Users they have completed an order with. */
  readonly partners: ReadonlySet<number>;
}

export interface AdNeeds {
  readonly now: () => number;
  coin(symbol: string): LedgerCoin | undefined;
  /** A coin in dollars, in millionths; undefined while it has no price. */
  indexE6(symbol: string): bigint | undefined;
  /** A currency per dollar, in 1e-8; undefined without a rate. */
  rateE8(fiat: string): bigint | undefined;
  readonly hasSimulatedRates: () => boolean;
  maker(userId: number): Promise<MakerInfo>;
  seenMs(userId: number): number;
  taker(userId: number): Promise<TakerInfo>;
  isWithinHours(opensMinute: number, closesMinute: number, timeMs: number): boolean;
  listPayments(
    userId: number,
  ): Promise<readonly { readonly paymentId: string; readonly kind: PaymentKind; readonly fiat: string }[]>;
  countOpenOrders(adId: number): Promise<number>;
  /** Is an order of the ad open, or has one ended whose coins may still be on their way back? */
  hasCoinsOut(adId: number, inside: Kysely<unknown>): Promise<boolean>;
  /** Is something of the ad's orders under way of which the ledger may be ahead of the table, or behind it? */
  isUnsettled(adId: number, inside: Kysely<unknown>): Promise<boolean>;
  /** From the seller's funding book into the book of the ad, and the free part of it back again. */
  freeze(userId: number, slot: number, coin: LedgerCoin, amountUnits: bigint, reference: string): Promise<LedgerReply>;
  thaw(userId: number, slot: number, coin: LedgerCoin, reference: string): Promise<LedgerReply>;
  freeUnits(userId: number, coin: LedgerCoin): Promise<bigint>;
  randomId(): string;
  /** A list that is open somewhere is out of date. */
  changed(): void;
}
