// The words of the account pages in the chosen language.
import type { Locale } from "@clockwork/kit/constants";
import { use } from "react";
import { type AccountCatalogue, type AccountTextKey, accountCatalogue as english } from "../locales/en-us-account.ts";
import { LocaleContext } from "./text.ts";

/** One entry per language beyond English. */
const catalogues: Readonly<Partial<Record<Locale, AccountCatalogue>>> = { en_US: english };

export type AccountSpeak = (key: AccountTextKey, values?: Readonly<Record<string, string | number>>) => string;

const speakers = new Map<AccountCatalogue, AccountSpeak>();

export function useAccountText(): AccountSpeak {
  const catalogue = catalogues[use(LocaleContext)] ?? english;
  let speak = speakers.get(catalogue);
  if (speak === undefined) {
    speak = (key, values = {}) =>
      catalogue[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
    speakers.set(catalogue, speak);
  }
  return speak;
}

/** A word the server may have more of than we do. */
export function sayOr(text: AccountSpeak, key: string, other: string): string {
  return Object.hasOwn(english, key) ? text(key as AccountTextKey) : other;
}
