// The terms of a reward as an operator types them, and the reward they make. Pure.
import type { Reward } from "@clockwork/growth/rewards/contract";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { filterDecimal, filterDigits } from "@clockwork/kit/validate";

export const REWARD_KINDS = ["airdrop", "gold", "spotCoupon", "earnCoupon", "feeCoupon"] as const;
export type RewardKind = (typeof REWARD_KINDS)[number];

/** The fields of all kinds, as text with their defaults. */
export const USUAL_TERMS = {
  amount: "",
  days: "14",
  ratioPercent: "50",
  lossPercent: "100",
  maxLeverage: "20",
  asset: "USDT",
  volume: "1000",
  product: "flexible",
  ratePercent: "1",
  interestDays: "7",
  biz: "spot",
} as const satisfies Record<string, string>;
export type Term = keyof typeof USUAL_TERMS;
export type Terms = Readonly<Record<Term, string>>;

/** The fields of each kind, in the order of its form. */
export const TERMS_OF: Readonly<Record<RewardKind, readonly Term[]>> = {
  airdrop: ["amount"],
  gold: ["amount", "days", "lossPercent", "maxLeverage"],
  spotCoupon: ["amount", "asset", "volume", "days"],
  earnCoupon: ["amount", "product", "ratePercent", "interestDays", "days"],
  feeCoupon: ["amount", "biz", "ratioPercent", "days"],
};

/** Chosen among few instead of typed. */
export const CHOICES: Partial<Readonly<Record<Term, readonly string[]>>> = {
  product: ["flexible", "fixed"],
  biz: ["spot", "futures"],
};

const amountText = (typed: string): string => filterDecimal(typed, 6);
const FILTERS: Partial<Readonly<Record<Term, (typed: string) => string>>> = {
  amount: amountText,
  volume: amountText,
  // Four decimals of a percent are six of one.
  ratePercent: (typed) => filterDecimal(typed, 4),
  asset: (typed) => typed.toUpperCase().replace(/[^A-Z0-9]/g, ""),
};
export const filterTerm = (term: Term, typed: string): string => (FILTERS[term] ?? filterDigits)(typed);

const PERCENT_SCALE = 4;

/** A percentage as a fraction of one: 1.5 is 0.015. */
export function fractionOf(percent: string): string {
  const read = parseUnits(percent.replace(/\.$/, ""), PERCENT_SCALE);
  return read.done ? formatUnits(units(read.value), PERCENT_SCALE + 2) : percent;
}

const amountOf = (typed: string): string => typed.replace(/\.$/, "");

export function rewardOf(kind: RewardKind, terms: Terms): Reward {
  const amount = amountOf(terms.amount);
  const days = Number(terms.days);
  switch (kind) {
    case "airdrop":
      return { kind, amount };
    case "gold":
      return {
        kind,
        amount,
        days,
        ratioPercent: Number(terms.lossPercent),
        maxLeverage: Number(terms.maxLeverage),
      };
    case "spotCoupon":
      return { kind, amount, asset: terms.asset, volume: amountOf(terms.volume), days };
    case "earnCoupon":
      return {
        kind,
        product: terms.product === "fixed" ? "fixed" : "flexible",
        rate: fractionOf(terms.ratePercent),
        cap: amount,
        days: Number(terms.interestDays),
        validDays: days,
      };
    case "feeCoupon":
      return {
        kind,
        amount,
        biz: terms.biz === "futures" ? "futures" : "spot",
        ratioPercent: Number(terms.ratioPercent),
        days,
      };
  }
}

export const areWhole = (kind: RewardKind, terms: Terms): boolean =>
  TERMS_OF[kind].every((term) => terms[term].trim() !== "");
