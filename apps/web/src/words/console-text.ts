// The texts of the operators' console in the chosen language.
import type { Locale } from "@clockwork/kit/constants";
import { use } from "react";
import { type ConsoleCatalogue, type ConsoleTextKey, consoleCatalogue as english } from "#locales/en-us-console.ts";
import { LocaleContext } from "./text.ts";

/** One entry per language beyond English. */
const catalogues: Readonly<Partial<Record<Locale, ConsoleCatalogue>>> = { en_US: english };

export type ConsoleText = (key: ConsoleTextKey, values?: Readonly<Record<string, string | number>>) => string;

const speakers = new Map<ConsoleCatalogue, ConsoleText>();

export function useConsoleText(): ConsoleText {
  const catalogue = catalogues[use(LocaleContext)] ?? english;
  let speak = speakers.get(catalogue);
  if (speak === undefined) {
    speak = (key, values = {}) =>
      catalogue[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
    speakers.set(catalogue, speak);
  }
  return speak;
}
