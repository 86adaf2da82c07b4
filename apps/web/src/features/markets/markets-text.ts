// The words of the markets page, in the visitor's language.
import { type MarketsTextKey, marketsCatalogue } from "#locales/en-us-markets.ts";
import { defineTexts, type SpeakOf } from "#words/text.ts";

export type MarketsSpeak = SpeakOf<MarketsTextKey>;

export const useMarketsText = defineTexts<MarketsTextKey>(
  marketsCatalogue,
  import.meta.glob("../../locales/*.json", { query: "?area=markets", import: "default" }),
);
