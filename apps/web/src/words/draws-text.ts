// The texts of earlier spring draws, in the visitor's language.
import { type DrawsTextKey, drawsCatalogue } from "#locales/en-us-draws.ts";
import { defineTexts } from "./text.ts";

export const useDrawsText = defineTexts<DrawsTextKey>(
  drawsCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=draws", import: "default" }),
);
