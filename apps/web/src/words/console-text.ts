// The texts of the operators' console in the chosen language.
import type { Locale } from "@clockwork/kit/constants";
import { use } from "react";
import { type ConsoleCatalogue, type ConsoleTextKey, consoleCatalogue as english } from "#locales/en-us-console.ts";
import { fillText, LocaleContext, type TextOf } from "./text.ts";

/** One entry per language beyond English. */
const catalogues: Readonly<Partial<Record<Locale, ConsoleCatalogue>>> = { en_US: english };

export type ConsoleText = TextOf<ConsoleTextKey>;

const speakers = new Map<ConsoleCatalogue, ConsoleText>();

export function useConsoleText(): ConsoleText {
  const locale = use(LocaleContext);
  const catalogue = catalogues[locale] ?? english;
  let speak = speakers.get(catalogue);
  if (speak === undefined) {
    speak = (key, values = {}) => fillText(catalogue[key], values, locale);
    speakers.set(catalogue, speak);
  }
  return speak;
}
