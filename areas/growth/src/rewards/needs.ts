// What rewards want from others: facts counted elsewhere, the ledger, who somebody is. Interfaces only.
import type { TakeReward } from "@clockwork/host/claimant";
import type { Reward, TaskKind, WelfareCoupon } from "./contract.ts";

/** `later`: the ledger cannot answer now and is asked again; a code is its refusal, with nothing moved. */
export type MoneyEnd = "done" | "later" | { readonly code: string };

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

/** A fee somebody paid, worth so many USDT units at the fill's own price. */
export interface PaidFee {
  readonly sequence: number;
  readonly timeMs: number;
  /** The coin it was paid in; null where nothing was. */
  readonly asset: number | null;
  readonly feeUnits: bigint;
  readonly worthUnits: bigint;
}

export interface RewardNeeds {
  /** Resolves when the tables hold everything the person was told, or after a while. */
  settled(userId: number): Promise<void>;
  /** How much of it a person did in that time: USDT units for volumes and earn, a count otherwise. */
  count(userId: number, counted: Counted): Promise<bigint>;
  levelOf(userId: number, timeMs: number): Promise<number>;
  readonly takeReward: TakeReward;
  isCourse(course: string, timeMs: number): Promise<boolean>;
  /**
   * Takes a claim's cost out of the campaign's treasury to where it is paid from: once by claim, refused when short. Gold
   * is granted by the same command, and the core brings back to the campaign what is left of it.
   */
  take(campaignNumber: number, given: Given): Promise<MoneyEnd>;
  /** Gives what was paid for: coupons as rows; called again it gives nothing more. */
  give(given: Given): Promise<MoneyEnd>;
  /** What nobody used of it: 0 when it was used, undefined while that is open. */
  unusedUnits(given: Given, timeMs: number): Promise<bigint | undefined>;
  /** Brings what was not used back to the campaign, once by claim. */
  giveBack(campaignNumber: number, given: Given, unusedUnits: bigint): Promise<MoneyEnd>;
  /** Pays fees back from where coupons are paid, once by reference. */
  payFees(userId: number, amountUnits: bigint, reference: string): Promise<MoneyEnd>;
  /** Fees of a product after a command, in their order; those of one command are never parted. */
  listFees(
    userId: number,
    biz: "spot" | "futures",
    after: number,
    fromMs: number,
    toMs: number,
  ): Promise<readonly PaidFee[]>;
  /** What is free of a campaign's money now. */
  readLeft(campaignNumber: number): Promise<bigint>;
  readBudget(campaignNumber: number): Promise<{
    readonly leftUnits: bigint;
    readonly heldUnits: bigint;
    readonly fundedUnits: bigint;
    /** Gold that ended or was voided before it was used. */
    readonly goldBackUnits: bigint;
  }>;
  fund(campaignNumber: number, amountUnits: bigint, reference: string): Promise<MoneyEnd>;
  /** Prizes of draws that were paid out of a campaign. */
  sumPrizes(campaignId: string): Promise<{ readonly count: number; readonly units: bigint }>;
  /** Coupons kept elsewhere: interest, spot bonus and ETF. */
  listOtherCoupons(userId: number, timeMs: number): Promise<readonly WelfareCoupon[]>;
  hash(text: string): string;
  /** Something of the person's rewards changed. */
  changed(userId: number): void;
  notify(userId: number, notice: { reference: string; title: string; body: string }, timeMs: number): Promise<void>;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
