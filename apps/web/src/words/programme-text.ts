// The texts of levels and invitations, in the visitor's language.
import { type ProgrammeTextKey, programmeCatalogue } from "#locales/en-us-programme.ts";
import { defineTexts, type TextOf } from "./text.ts";

export type ProgrammeText = TextOf<ProgrammeTextKey>;

export const useProgrammeText = defineTexts<ProgrammeTextKey>(
  programmeCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=programme", import: "default" }),
);
