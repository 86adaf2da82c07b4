// The words of levels and invitations, in the visitor's language.
import { type ProgrammeTextKey, programmeCatalogue } from "#locales/en-us-programme.ts";
import { defineTexts, type SpeakOf } from "./text.ts";

export type ProgrammeSpeak = SpeakOf<ProgrammeTextKey>;

export const useProgrammeText = defineTexts<ProgrammeTextKey>(
  programmeCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=programme", import: "default" }),
);
