// Changing a preference: painted at once, stored for a year, and kept with the account of a signed-in user.
import { type PreferencesBody, USER_CALLS } from "@clockwork/identity/users/contract";
import {
  CURRENCY_BY_LOCALE,
  type Currency,
  DEFAULT_CURRENCY,
  LOCAL_LANGUAGES,
  type Locale,
  STORAGE_KEY,
  type TimezoneValue,
} from "@clockwork/kit/constants";
import { formatLanguageTag, formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import { formatPreferenceCookie, type PREFERENCE_COOKIE, type Updown } from "#boot/preferences.ts";
import type { GlobalStore } from "#boot/state.ts";
import type { RequestClient } from "#live/request.ts";
import { loadCatalogue } from "#words/text.ts";
import { isOnPhone } from "./phone.ts";

function storeCookie(name: keyof typeof PREFERENCE_COOKIE, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is not in every browser we serve
  document.cookie = formatPreferenceCookie(name, value, location.protocol === "https:");
}

function isSignedIn(store: GlobalStore): boolean {
  return store.getState().topInfo.id !== null;
}

const chosen = new WeakSet<GlobalStore>();

/**
 * Whether the visitor chose a language or a currency on this page: the account's own, requested in between, is older.
 */
export function hasChosen(store: GlobalStore): boolean {
  return chosen.has(store);
}

/** A choice may be made before the page has its client: it is painted at once and sent as soon as that is there. */
type Calls = () => Promise<RequestClient>;

async function keepWithAccount(
  store: GlobalStore,
  calls: Calls | undefined,
  fields: Pick<PreferencesBody, "userLanguage" | "pricingCurrency">,
): Promise<void> {
  if (!isSignedIn(store) || calls === undefined) return;
  const deviceType = isOnPhone(store) ? "h5" : "web";
  await (await calls()).call(USER_CALLS.savePreferences, { ...fields, deviceType });
}

/** SITE-7. */
export async function chooseCurrency(store: GlobalStore, currency: Currency, calls: Calls): Promise<void> {
  chosen.add(store);
  store.setState({ currency });
  storeCookie("currency", currency);
  // The account first, since that call renews an expired session; the other is for visitors too and never leads to
  // sign-in.
  await keepWithAccount(store, calls, { pricingCurrency: currency });
  await (await calls()).call(USER_CALLS.choosePriceType, { priceType: currency }, { anonymous: true });
}

/** SITE-6. */
export function chooseUpdown(store: GlobalStore, updown: Updown): void {
  store.setState({ updown });
  storeCookie("updown", updown);
  document.documentElement.dataset.updown = updown;
}

/** SITE-19. */
export function chooseTimezone(store: GlobalStore, timezone: TimezoneValue): void {
  store.setState({ timezone });
  storeCookie("timezone", timezone);
}

export function closeNotice(): void {
  storeCookie("notice", "1");
}

/** SITE-4: the language shown and the list it was chosen from, as the browser remembers them. */
export function keepLanguage(store: GlobalStore): void {
  const { language, availableLanguages } = store.getState();
  storeCookie("language", language.lang);
  try {
    localStorage.setItem(STORAGE_KEY.language, language.lang);
    localStorage.setItem(STORAGE_KEY.availableLanguage, JSON.stringify(availableLanguages));
  } catch {
    // The cookie is enough.
  }
}

/**
 * SITE-3: the stored language, the page's language, the body class and, signed in, the account's preference. Answers the
 * address of this page in the new language: help links and the component kit follow from it.
 */
export async function chooseLanguage(store: GlobalStore, locale: Locale, calls?: Calls): Promise<string> {
  if (calls !== undefined) chosen.add(store);
  const language = LOCAL_LANGUAGES.find(({ lang }) => lang === locale);
  // The words first: the page changes its language in one step.
  await loadCatalogue(locale);
  // The account's own gives way to one the visitor chose while its words were on their way.
  if (calls === undefined && chosen.has(store)) return location.pathname + location.search;
  const { currency } = store.getState();
  const own = CURRENCY_BY_LOCALE[store.getState().language.lang];
  if (language !== undefined) {
    // A currency the visitor chose remains; one that only came with the language changes with it.
    store.setState({ language, currency: currency === own ? (language.fiatCurrency ?? DEFAULT_CURRENCY) : currency });
  }
  keepLanguage(store);
  document.documentElement.lang = formatLanguageTag(locale);
  document.body.className = document.body.className.replace(/\blang-\w+/, `lang-${locale}`);
  await keepWithAccount(store, calls, { userLanguage: locale });
  const { locale: prefix, rest } = parseLocalePath(location.pathname);
  return formatLocalePath(rest, prefix === undefined ? undefined : locale) + location.search;
}
