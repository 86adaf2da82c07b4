// Gives components the texts of the visitor's language. English is in the code, an area at a time, so that a page
// carries only the texts it shows; every other language is one file of `locales/`, cut into the same areas by the
// build.
import { DEFAULT_LOCALE, type Locale } from "@clockwork/kit/constants";
import { createContext, use } from "react";
import { catalogue, type TextKey } from "#locales/en-us.ts";
import { loadOnce, settled } from "./settled.ts";

type Words = Readonly<Record<string, string>>;
export type TextOf<Key extends string> = (key: Key, values?: Readonly<Record<string, string | number>>) => string;
export type AnyText = TextOf<TextKey>;

/** The result of `import.meta.glob`: one file per language, fetched on demand. */
export type LanguageFiles = Readonly<Record<string, () => Promise<unknown>>>;

interface Area {
  readonly english: Words;
  readonly files: LanguageFiles;
  readonly speakers: Map<Locale, () => Promise<TextOf<string>>>;
}

const areas: Area[] = [];

function textWith(words: Words): TextOf<string> {
  return (key, values) => {
    const text = words[key] ?? key;
    if (values === undefined) return text;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
}

/** `fr_FR` is spoken by `locales/fr-fr.json`. */
function fileOf(area: Area, locale: Locale): (() => Promise<unknown>) | undefined {
  const name = `/${locale.toLowerCase().replace("_", "-")}.json`;
  return Object.entries(area.files).find(([path]) => path.endsWith(name))?.[1];
}

/** An untranslated sentence is shown in English. */
function loadArea(area: Area, locale: Locale): Promise<TextOf<string>> {
  let speaker = area.speakers.get(locale);
  if (speaker === undefined) {
    const load = fileOf(area, locale) ?? (() => Promise.resolve({}));
    speaker = loadOnce(() => load().then((words) => textWith({ ...area.english, ...(words as Words) })));
    area.speakers.set(locale, speaker);
  }
  return speaker();
}

/** Before hydration, and on the server before rendering: the language of every registered area. */
export async function loadCatalogue(locale: Locale): Promise<void> {
  if (locale === DEFAULT_LOCALE) return;
  await Promise.all(areas.map((area) => loadArea(area, locale)));
}

export const LocaleContext = createContext<Locale>(DEFAULT_LOCALE);

/** The hook of one area. An area that arrives later than the page brings its language along before it is shown. */
export function defineTexts<Key extends string>(
  english: Readonly<Record<Key, string>>,
  files: LanguageFiles,
): () => TextOf<Key> {
  const formatted = settled(textWith(english));
  const area: Area = { english, files, speakers: new Map([[DEFAULT_LOCALE, () => formatted]]) };
  areas.push(area);
  // Used whether settled or not: React runs a component that waited for words again and expects the same calls in order.
  return () => use(loadArea(area, use(LocaleContext)));
}

/** English without a page around it: for the page that is shown when everything else has failed. */
export const useEnglish: AnyText = textWith(catalogue);

export const useText = defineTexts<TextKey>(
  catalogue,
  import.meta.glob("../locales/*.json", { query: "?area=frame", import: "default" }),
);
