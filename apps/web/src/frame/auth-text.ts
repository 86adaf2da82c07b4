// The words of accounts and sign-in in the chosen language, and what a refused call says to a person.
import type { Locale } from "@clockwork/kit/constants";
import { use } from "react";
import type { Failed } from "#live/answer.ts";
import { type AuthCatalogue, type AuthTextKey, authCatalogue as english } from "../locales/en-us-auth.ts";
import { LocaleContext } from "./text.ts";

/** One entry per language beyond English. */
const catalogues: Readonly<Partial<Record<Locale, AuthCatalogue>>> = { en_US: english };

export type AuthSpeak = (key: AuthTextKey, values?: Readonly<Record<string, string | number>>) => string;

function speakWith(catalogue: AuthCatalogue): AuthSpeak {
  return (key, values = {}) =>
    catalogue[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

const speakers = new Map<AuthCatalogue, AuthSpeak>();

export function useAuthText(): AuthSpeak {
  const catalogue = catalogues[use(LocaleContext)] ?? english;
  let speak = speakers.get(catalogue);
  if (speak === undefined) {
    speak = speakWith(catalogue);
    speakers.set(catalogue, speak);
  }
  return speak;
}

function isKnown(key: string): key is AuthTextKey {
  return Object.hasOwn(english, key);
}

/** Our own words for a code we know, the server's for any other. */
export function sayFailure(text: AuthSpeak, failed: Failed): string {
  if (failed.err.kind !== "refused") return text("error.network");
  const key = `error.${failed.code}`;
  return isKnown(key) ? text(key) : failed.message;
}
