// Gives components the words of the chosen language. A language without a catalogue of its own never reaches a page,
// so a missing key cannot happen; English is the type every catalogue must match.
import type { Locale } from "@clockwork/kit/constants";
import { createContext, use } from "react";
import { type Catalogue, catalogue as english, type TextKey } from "../locales/en-us.ts";

/** One entry per language beyond English: loaded before the page wakes, and at start on the server. */
const loaders: Readonly<Partial<Record<Locale, () => Promise<Catalogue>>>> = {};

const loaded = new Map<Locale, Catalogue>([["en_US", english]]);

export async function loadCatalogue(locale: Locale): Promise<void> {
  if (loaded.has(locale)) return;
  const catalogue = await loaders[locale]?.();
  if (catalogue !== undefined) loaded.set(locale, catalogue);
}

export type Speak = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

export function speakIn(locale: Locale): Speak {
  const catalogue = loaded.get(locale) ?? english;
  return (key, values) => {
    const text = catalogue[key];
    if (values === undefined) return text;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
}

const speakers = new Map<Locale, Speak>();

export const LocaleContext = createContext<Locale>("en_US");

export function useText(): Speak {
  const locale = use(LocaleContext);
  let speak = speakers.get(locale);
  if (speak === undefined) {
    speak = speakIn(locale);
    speakers.set(locale, speak);
  }
  return speak;
}
