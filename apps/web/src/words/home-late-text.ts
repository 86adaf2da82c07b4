// The texts of the home page below the fold, in the visitor's language.
import { type HomeLateTextKey, homeLateCatalogue } from "#locales/en-us-home-late.ts";
import { defineTexts } from "./text.ts";

export const useHomeLateText = defineTexts<HomeLateTextKey>(
  homeLateCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=home-late", import: "default" }),
);
