// The texts of the API key page, in the visitor's language.
import { type KeysTextKey, keysCatalogue } from "#locales/en-us-keys.ts";
import { defineTexts } from "#words/text.ts";

export const useKeysText = defineTexts<KeysTextKey>(
  keysCatalogue,
  import.meta.glob("../../locales/*.json", { query: "?area=keys", import: "default" }),
);
