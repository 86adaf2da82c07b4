// The language rules of SITE-2 and SITE-3 as pure functions: the language of a page and the redirect of a request.
// Decides only; never reads a cookie, a header or the location itself.
import { DEFAULT_LOCALE, LOCALES, type Locale } from "./constants.ts";

/** A parsed path: `/en_US/docs` is locale en_US and rest `/docs`; `/docs` has no locale. */
export interface LocalePath {
  readonly locale: Locale | undefined;
  /** Always starts with a slash. */
  readonly rest: string;
}

export function isLocale(text: unknown): text is Locale {
  return typeof text === "string" && (LOCALES as readonly string[]).includes(text);
}

/** An unknown first segment is no prefix: it remains in the path and ends in an ordinary 404. */
export function parseLocalePath(pathname: string): LocalePath {
  const path = pathname.startsWith("/") ? pathname : `/${pathname}`;
  const slash = path.indexOf("/", 1);
  const first = slash === -1 ? path.slice(1) : path.slice(1, slash);
  if (!isLocale(first)) return { locale: undefined, rest: path };
  return { locale: first, rest: slash === -1 ? "/" : path.slice(slash) };
}

/** Converts a bare path to the visitor's form: prefixed when a prefix is given, otherwise unchanged. */
export function formatLocalePath(rest: string, prefix: Locale | undefined): string {
  if (prefix === undefined) return rest;
  return rest === "/" ? `/${prefix}` : `/${prefix}${rest}`;
}

/** The comma list in the `clientSupperLanguage` query. Unknown names are dropped; an empty result restricts nothing. */
export function parseClientLanguages(text: string | null | undefined): readonly Locale[] {
  if (text === null || text === undefined) return [];
  const found: Locale[] = [];
  for (const name of text.slice(0, 256).split(",")) {
    const trimmed = name.trim();
    if (isLocale(trimmed) && !found.includes(trimmed)) found.push(trimmed);
  }
  return found;
}

/** The available languages: offered here, permitted by the server's list, and not excluded by the client's own list. */
export function listAvailableLocales(input: {
  readonly offered: readonly Locale[];
  readonly allowed: readonly Locale[];
  readonly client: readonly Locale[];
}): readonly Locale[] {
  const served = input.offered.filter((locale) => input.allowed.includes(locale));
  const narrowed = input.client.length === 0 ? served : served.filter((locale) => input.client.includes(locale));
  if (narrowed.length > 0) return narrowed;
  // A restriction without a valid language must not leave a visitor without a page.
  return served.length > 0 ? served : [DEFAULT_LOCALE];
}

/** The default language first, else the first available one. */
export function pickFallbackLocale(available: readonly Locale[]): Locale {
  return available.includes(DEFAULT_LOCALE) ? DEFAULT_LOCALE : (available[0] ?? DEFAULT_LOCALE);
}

export interface LocaleRequest {
  readonly pathname: string;
  /** With its question mark, or empty. */
  readonly search: string;
  /** The account's preference; undefined for visitors and users who never chose. */
  readonly preference: Locale | undefined;
  /** The last language shown in the browser; used when the address has none. */
  readonly stored?: Locale | undefined;
  readonly available: readonly Locale[];
}

export type LocaleDecision =
  | { readonly kind: "render"; readonly locale: Locale; readonly prefix: Locale | undefined; readonly rest: string }
  | { readonly kind: "redirect"; readonly to: string };

/**
 * Preference, else URL, else the last language shown, else the default. An unavailable choice is replaced by an
 * available one; a prefixed address in another language than the chosen one is redirected, a bare one is rendered in
 * place.
 */
export function decideLocale(request: LocaleRequest): LocaleDecision {
  const { locale: prefix, rest } = parseLocalePath(request.pathname);
  const wanted = request.preference ?? prefix ?? request.stored ?? DEFAULT_LOCALE;
  const chosen = request.available.includes(wanted)
    ? wanted
    : prefix !== undefined && request.available.includes(prefix)
      ? prefix
      : pickFallbackLocale(request.available);
  if (prefix === undefined || prefix === chosen) return { kind: "render", locale: chosen, prefix, rest };
  return { kind: "redirect", to: formatLocalePath(rest, chosen) + request.search };
}

/** The HTML `lang` form: `en_US` → `en-US`. */
export function formatLanguageTag(locale: Locale): string {
  return locale.replace("_", "-");
}
