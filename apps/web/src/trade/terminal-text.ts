// The words of the trading terminal, in the visitor's language.
import { type TerminalTextKey, terminalCatalogue } from "#locales/en-us-terminal.ts";
import { defineTexts, type SpeakOf } from "#words/text.ts";

export type TerminalSpeak = SpeakOf<TerminalTextKey>;

export const useTerminalText = defineTexts<TerminalTextKey>(
  terminalCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=terminal", import: "default" }),
);
