// What a visitor chose, read from cookies: theme, movement colours, currency, time zone, language, seen notices.
// A forged or broken value is never reflected; it counts as not chosen.
import {
  CURRENCIES,
  CURRENCY_COOKIE,
  type Currency,
  DEFAULT_THEME,
  LOCALE_COOKIE_DAYS,
  LOCALE_COOKIE_PATH,
  LOCALE_COOKIE_SAME_SITE,
  type Locale,
  STORAGE_KEY,
  THEME_COOKIE,
  THEMES,
  type Theme,
  type TimezoneValue,
} from "@clockwork/kit/constants";
import { isLocale } from "@clockwork/kit/locale";
import { readTimezone, timezoneValue } from "@clockwork/kit/timezone";

export const UPDOWN_VALUES = ["green-up", "red-up"] as const;
export type Updown = (typeof UPDOWN_VALUES)[number];

export const PREFERENCE_COOKIE = {
  theme: THEME_COOKIE,
  terminalTheme: "cw_terminal_theme",
  language: STORAGE_KEY.language,
  updown: "cw_updown",
  currency: CURRENCY_COOKIE,
  timezone: "cw_timezone",
  notice: "cw_notice",
  pair: "cw_spot_pair",
  futuresPair: "cw_futures_pair",
  deliveryPair: "cw_delivery_pair",
  layout: "cw_layout",
} as const;

export interface Preferences {
  readonly theme: Theme;
  /** Chosen in a terminal and kept for terminals; undefined: what they are usually painted in. */
  readonly terminalTheme: Theme | undefined;
  readonly updown: Updown;
  /** Undefined: the language's own currency. */
  readonly currency: Currency | undefined;
  readonly timezone: TimezoneValue;
  readonly language: Locale | undefined;
  readonly noticeSeen: boolean;
  /** The pair last traded; its shape is checked, its existence is not. */
  readonly pair: string | undefined;
  /** The same for linear and for inverse contracts. */
  readonly futuresPair: string | undefined;
  readonly deliveryPair: string | undefined;
  /** The positions of the terminal's panels, as the terminal wrote them. */
  readonly layout: string | undefined;
}

const PAIR = /^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$/;
const LAYOUT = /^[a-z0-9.~-]{1,120}$/;

function matching(pattern: RegExp, text: string | undefined): string | undefined {
  return text !== undefined && pattern.test(text) ? text : undefined;
}

/** Cookie text to values. Broken percent signs and repeats keep the first readable value. */
export function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  if (header === undefined || header === "") return cookies;
  for (const part of header.split(";")) {
    const equals = part.indexOf("=");
    if (equals === -1) continue;
    const name = part.slice(0, equals).trim();
    if (cookies.has(name)) continue;
    const text = part.slice(equals + 1).trim();
    try {
      cookies.set(name, decodeURIComponent(text));
    } catch {
      // A broken value is the same as none.
    }
  }
  return cookies;
}

function oneOf<Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined {
  return values.find((value) => value === text);
}

export function readPreferences(cookies: ReadonlyMap<string, string>): Preferences {
  const language = cookies.get(PREFERENCE_COOKIE.language);
  return {
    theme: oneOf(THEMES, cookies.get(PREFERENCE_COOKIE.theme)) ?? DEFAULT_THEME,
    terminalTheme: oneOf(THEMES, cookies.get(PREFERENCE_COOKIE.terminalTheme)),
    updown: oneOf(UPDOWN_VALUES, cookies.get(PREFERENCE_COOKIE.updown)) ?? "green-up",
    currency: oneOf(CURRENCIES, cookies.get(PREFERENCE_COOKIE.currency)),
    timezone: timezoneValue(readTimezone(cookies.get(PREFERENCE_COOKIE.timezone))),
    language: isLocale(language) ? language : undefined,
    noticeSeen: cookies.get(PREFERENCE_COOKIE.notice) === "1",
    pair: matching(PAIR, cookies.get(PREFERENCE_COOKIE.pair)),
    futuresPair: matching(PAIR, cookies.get(PREFERENCE_COOKIE.futuresPair)),
    deliveryPair: matching(PAIR, cookies.get(PREFERENCE_COOKIE.deliveryPair)),
    layout: matching(LAYOUT, cookies.get(PREFERENCE_COOKIE.layout)),
  };
}

const DAY_S = 86_400;

/** The text that stores one preference: a year, the whole site, never sent across sites by a form. */
export function formatPreferenceCookie(name: keyof typeof PREFERENCE_COOKIE, value: string, secure: boolean): string {
  return [
    `${PREFERENCE_COOKIE[name]}=${encodeURIComponent(value)}`,
    `Max-Age=${LOCALE_COOKIE_DAYS * DAY_S}`,
    `Path=${LOCALE_COOKIE_PATH}`,
    `SameSite=${LOCALE_COOKIE_SAME_SITE}`,
    ...(secure ? ["Secure"] : []),
  ].join("; ");
}
