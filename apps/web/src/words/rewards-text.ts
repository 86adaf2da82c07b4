// The texts of rewards, coupons and spring cards, in the visitor's language.
import { type RewardsTextKey, rewardsCatalogue } from "#locales/en-us-rewards.ts";
import { defineTexts, type TextOf } from "./text.ts";

export type RewardsText = TextOf<RewardsTextKey>;

export const useRewardsText = defineTexts<RewardsTextKey>(
  rewardsCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=rewards", import: "default" }),
);
