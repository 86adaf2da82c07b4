// The ports of rewards: facts counted elsewhere, the ledger, users. Interfaces only.

import type { TakeReward } from "@clockwork/host/claimant";
import type { MoneyEnd } from "../spring/needs.ts";
import type { Reward, TaskKind, WelfareCoupon } from "./contract.ts";

export interface Counted {
  readonly kind: TaskKind;
  readonly course: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Given {
  readonly claimId: string;
  readonly userId: number;
  readonly taskId: string;
  readonly costUnits: bigint;
  readonly reward: Reward;
  readonly madeMs: number;
}

/** A fee paid by a user, in USDT units at the fill's own price. */
export interface PaidFee {
  readonly sequence: number;
  readonly timeMs: number;
  /** The coin of the payment; null without one. */
  readonly asset: number | null;
  readonly feeUnits: bigint;
  readonly worthUnits: bigint;
}

export interface RewardNeeds {
  /** Resolves when the tables hold everything published to the user, or after a timeout. */
  settled(userId: number): Promise<void>;
  /** A user's count in that time: USDT units for volumes and earn, a count otherwise. */
  count(userId: number, counted: Counted): Promise<bigint>;
  levelOf(userId: number, timeMs: number): Promise<number>;
  readonly takeReward: TakeReward;
  isCourse(course: string, timeMs: number): Promise<boolean>;
  /**
   * Moves a claim's cost from the campaign's treasury to where it is paid from: once per claim, refused when short.
   * Gold is granted by the same command, and the core returns the rest of it to the campaign.
   */
  take(campaignNumber: number, given: Given): Promise<MoneyEnd>;
  /** Grants what was paid for: coupons as rows; a repeat grants nothing more. */
  give(given: Given): Promise<MoneyEnd>;
  /** Its unused units: 0 when it was used, undefined while that is open. */
  unusedUnits(given: Given, timeMs: number): Promise<bigint | undefined>;
  /** Returns the unused part to the campaign, once per claim. */
  giveBack(campaignNumber: number, given: Given, unusedUnits: bigint): Promise<MoneyEnd>;
  /** Returns fees from the account of coupons, once per reference. */
  payFees(userId: number, amountUnits: bigint, reference: string): Promise<MoneyEnd>;
  /** Fees of a product after a command, in their order; those of one command are never split. */
  listFees(
    userId: number,
    biz: "spot" | "futures",
    after: number,
    fromMs: number,
    toMs: number,
  ): Promise<readonly PaidFee[]>;
  /** The free part of a campaign's money now. */
  readLeft(campaignNumber: number): Promise<bigint>;
  readBudget(campaignNumber: number): Promise<{
    readonly leftUnits: bigint;
    readonly heldUnits: bigint;
    readonly fundedUnits: bigint;
    /** Gold that ended or was voided before it was used. */
    readonly goldBackUnits: bigint;
  }>;
  fund(campaignNumber: number, amountUnits: bigint, reference: string): Promise<MoneyEnd>;
  /** Prizes of draws paid by a campaign. */
  sumPrizes(campaignId: string): Promise<{ readonly count: number; readonly units: bigint }>;
  /** Coupons of other slices: interest, spot bonus and ETF. */
  listOtherCoupons(userId: number, timeMs: number): Promise<readonly WelfareCoupon[]>;
  hash(text: string): string;
  /** The user's rewards changed. */
  changed(userId: number): void;
  notify(userId: number, notice: { reference: string; title: string; body: string }, timeMs: number): Promise<void>;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
