// What an operator types becomes the reward the server takes, every term of it.
import { Reward } from "@clockwork/growth/rewards/contract";
import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { areWhole, filterTerm, fractionOf, REWARD_KINDS, rewardOf, USUAL_TERMS } from "./reward-terms.ts";

test("[USR-5] every kind of reward with its usual terms is one the server takes", () => {
  for (const kind of REWARD_KINDS) {
    expect(areWhole(kind, USUAL_TERMS)).toBe(false);
    const terms = { ...USUAL_TERMS, amount: "10." };
    expect(areWhole(kind, terms)).toBe(true);
    expect(Value.Check(Reward, rewardOf(kind, terms))).toBe(true);
  }
});

test("[USR-5] typed terms are in the reward", () => {
  const terms = {
    ...USUAL_TERMS,
    amount: "25.5",
    days: "30",
    ratioPercent: "80",
    lossPercent: "40",
    maxLeverage: "5",
    asset: "SOL",
    volume: "2000",
    product: "fixed",
    ratePercent: "1.25",
    interestDays: "9",
    biz: "futures",
  };
  const base = { amount: "25.5", days: 30 };
  expect(rewardOf("gold", terms)).toEqual({ kind: "gold", ...base, ratioPercent: 40, maxLeverage: 5 });
  expect(rewardOf("spotCoupon", terms)).toEqual({ kind: "spotCoupon", ...base, asset: "SOL", volume: "2000" });
  expect(rewardOf("feeCoupon", terms)).toEqual({ kind: "feeCoupon", ...base, biz: "futures", ratioPercent: 80 });
  const interest = { product: "fixed", rate: "0.0125", cap: "25.5", days: 9, validDays: 30 };
  expect(rewardOf("earnCoupon", terms)).toEqual({ kind: "earnCoupon", ...interest });
  expect(fractionOf("0.0001")).toBe("0.000001");
  expect(filterTerm("asset", "so l")).toBe("SOL");
  expect(filterTerm("ratePercent", "1.23456")).toBe("1.2345");
});
