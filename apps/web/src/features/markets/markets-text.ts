// The texts of the markets page, in the visitor's language.
import { type MarketsTextKey, marketsCatalogue } from "#locales/en-us-markets.ts";
import { defineTexts, type TextOf } from "#words/text.ts";

export type MarketsText = TextOf<MarketsTextKey>;

export const useMarketsText = defineTexts<MarketsTextKey>(
  marketsCatalogue,
  import.meta.glob("../../locales/*.json", { query: "?area=markets", import: "default" }),
);
