// The texts of the trading terminal, in the visitor's language.
import { type TerminalTextKey, terminalCatalogue } from "#locales/en-us-terminal.ts";
import { defineTexts, type TextOf } from "#words/text.ts";

export type TerminalText = TextOf<TerminalTextKey>;

export const useTerminalText = defineTexts<TerminalTextKey>(
  terminalCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=terminal", import: "default" }),
);
