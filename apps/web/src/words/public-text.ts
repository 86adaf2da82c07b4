// The texts of the written pages, in the visitor's language.
import { type PublicTextKey, publicCatalogue } from "#locales/en-us-public.ts";
import { defineTexts } from "./text.ts";

export const usePublicText = defineTexts<PublicTextKey>(
  publicCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=public", import: "default" }),
);
