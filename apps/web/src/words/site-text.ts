// The texts around a page and below it, in the visitor's language.
import { type SiteTextKey, siteCatalogue } from "#locales/en-us-site.ts";
import { defineTexts } from "./text.ts";

export const useSiteText = defineTexts<SiteTextKey>(
  siteCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=site", import: "default" }),
);
