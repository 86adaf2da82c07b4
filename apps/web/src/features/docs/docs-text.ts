// The texts of the design documentation, in the visitor's language.
import { type DocsTextKey, docsCatalogue } from "#locales/en-us-docs.ts";
import { defineTexts } from "#words/text.ts";

export const useDocsText = defineTexts<DocsTextKey>(
  docsCatalogue,
  import.meta.glob("../../locales/*.json", { query: "?area=docs", import: "default" }),
);
