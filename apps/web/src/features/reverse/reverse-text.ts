// The texts of the page that teaches reversing a position, in the visitor's language.
import { type ReverseTextKey, reverseCatalogue } from "#locales/en-us-reverse.ts";
import { defineTexts, type TextOf } from "#words/text.ts";

export type ReverseText = TextOf<ReverseTextKey>;

export const useReverseText = defineTexts<ReverseTextKey>(
  reverseCatalogue,
  import.meta.glob("../../locales/*.json", { query: "?area=reverse", import: "default" }),
);
