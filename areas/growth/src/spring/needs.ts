// The ports of spring cards: turnover, the campaign's money, publicly verifiable randomness. Interfaces only.
import type { TakeReward } from "@clockwork/host/claimant";
import type { JournalledSeed } from "@clockwork/kit/earn/draw";

/** `later`: the ledger cannot answer now and is retried; a code is its refusal, with nothing moved. */
export type MoneyEnd = "done" | "later" | { readonly code: string };

export interface SpringNeeds {
  /** Spot and futures turnover of a user in that time, in USDT units. */
  volumeUnits(userId: number, fromMs: number, toMs: number): Promise<bigint>;
  /** For a prize, with an identity; for a card, which alone has no value, without. */
  readonly takeReward: TakeReward;
  readonly markReward: TakeReward;
  isCampaign(campaignId: string): Promise<boolean>;
  readBudget(campaignId: string): Promise<{ readonly leftUnits: bigint; readonly fundedUnits: bigint }>;
  /** Reserves the largest prize for a draw, once per draw; refused when the campaign is short. */
  setAside(campaignId: string, drawId: string, amountUnits: bigint): Promise<MoneyEnd>;
  /** Pays a prize from the reserved amount, and returns the rest of it to the campaign. */
  payPrize(
    campaignId: string,
    prize: {
      readonly drawId: string;
      readonly userId: number;
      readonly prizeUnits: bigint;
      readonly restUnits: bigint;
    },
  ): Promise<MoneyEnd>;
  sequence(): number;
  /** A seed set after this command and published since; requests one when there is none. */
  seedAfter(sequence: number): Promise<JournalledSeed | undefined>;
  randomSeed(): string;
  randomId(): string;
  /** 64 hexadecimal digits. */
  hash(text: string): string;
  changed(userId: number): void;
  notify(userId: number, notice: { reference: string; title: string; body: string }, timeMs: number): Promise<void>;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
