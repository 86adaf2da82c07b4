// The texts of the home page, in the visitor's language.
import { type HomeTextKey, homeCatalogue } from "#locales/en-us-home.ts";
import { defineTexts } from "./text.ts";

export const useHomeText = defineTexts<HomeTextKey>(
  homeCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=home", import: "default" }),
);
