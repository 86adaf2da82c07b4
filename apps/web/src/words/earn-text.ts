// The texts of earn, recurring buys and launches, in the visitor's language.
import { type EarnTextKey, earnCatalogue } from "#locales/en-us-earn.ts";
import { defineTexts, type TextOf } from "./text.ts";

export type EarnText = TextOf<EarnTextKey>;

export const useEarnText = defineTexts<EarnTextKey>(
  earnCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=earn", import: "default" }),
);
