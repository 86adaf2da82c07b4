// What the server fetches once for every page and hands to the browser: who is signed in, which languages may be
// chosen, what the footer lists, where the API is. Never fetched a second time by the browser.
import {
  CURRENCY_BY_LOCALE,
  type Currency,
  DEFAULT_AVAILABLE_LOCALES,
  LOCAL_LANGUAGES,
  type Locale,
  type Theme,
  type TimezoneValue,
} from "@clockwork/kit/constants";
import { isLocale, listAvailableLocales } from "@clockwork/kit/locale";
import type { Shell } from "../shell/detect.ts";
import { type PageFrame, resolveTheme } from "./page-frame.ts";
import type { Updown } from "./preferences.ts";

export interface ApiCall {
  readonly method: "GET" | "POST";
  /** Below the API base, such as `/v1/system/status`. */
  readonly path: string;
  readonly body?: unknown;
  /** The same for everybody, signed in or not. */
  readonly shared?: true;
}

/** Calls the public API inside the process with the visitor's own session. Undefined when it failed. */
export type CallApi = (call: ApiCall) => Promise<unknown>;

export interface TopInfo {
  readonly id: string | null;
  readonly userInfo: Readonly<Record<string, unknown>> | null;
  readonly availableLanguage: readonly Locale[];
}

export interface RootData {
  readonly version: string;
  readonly origin: string;
  readonly locale: Locale;
  /** The language prefix of the address the visitor is in; null when it is bare. */
  readonly prefix: Locale | null;
  readonly available: readonly Locale[];
  readonly theme: Theme;
  readonly paintedTheme: "light" | "dark";
  readonly updown: Updown;
  readonly currency: Currency;
  readonly timezone: TimezoneValue;
  readonly shell: Shell | null;
  readonly noticeSeen: boolean;
  readonly topInfo: TopInfo;
  readonly apiBase: string;
  readonly futuresBase: string;
  readonly socketPath: string;
}

export const API_BASE = "/api";
export const FUTURES_BASE = "/futuresapi";
export const SOCKET_PATH = "/ws";

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** The `data` of an envelope whose code says success; undefined for anything else. */
export function readEnvelope(body: unknown): Readonly<Record<string, unknown>> | undefined {
  const envelope = asRecord(body);
  if (envelope === undefined || (envelope.code !== 0 && envelope.code !== 200)) return undefined;
  return asRecord(envelope.data);
}

/** A list of languages, given by name or as menu entries. */
function readLocales(value: unknown): readonly Locale[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown) => asRecord(entry)?.lang ?? entry).filter(isLocale);
}

export interface StartData {
  readonly topInfo: TopInfo;
  readonly available: readonly Locale[];
}

/** Top-info and the language menu, together. A failing call leaves a page that still works, signed out, in English. */
export async function fetchStartData(callApi: CallApi, frame: PageFrame): Promise<StartData> {
  const [top, menu] = await Promise.all([
    callApi({ method: "POST", path: "/v2/users/top-info", body: {} }),
    callApi({ method: "GET", path: "/v2/users/language-menu", shared: true }),
  ]);
  const topData = readEnvelope(top);
  const userLanguages = readLocales(topData?.availableLanguage);
  const whiteList = readLocales(readEnvelope(menu)?.whiteList);
  const allowed = whiteList.length > 0 ? whiteList : DEFAULT_AVAILABLE_LOCALES;
  const id = topData?.id;
  return {
    topInfo: {
      id: typeof id === "string" || typeof id === "number" ? String(id) : null,
      userInfo: asRecord(topData?.userInfo) ?? null,
      availableLanguage: userLanguages,
    },
    available: listAvailableLocales({
      offered: LOCAL_LANGUAGES.map((language) => language.lang),
      allowed: userLanguages.length > 0 ? allowed.filter((locale) => userLanguages.includes(locale)) : allowed,
      client: frame.clientLanguages,
    }),
  };
}

export function buildRootData(input: {
  readonly version: string;
  readonly origin: string;
  readonly frame: PageFrame;
  readonly start: StartData;
  readonly locale: Locale;
  readonly prefix: Locale | undefined;
}): RootData {
  const { frame, start, locale } = input;
  const { theme, updown, currency, timezone, noticeSeen } = frame.preferences;
  return {
    version: input.version,
    origin: input.origin,
    locale,
    prefix: input.prefix ?? null,
    available: start.available,
    theme,
    paintedTheme: resolveTheme(frame),
    updown,
    currency: currency ?? CURRENCY_BY_LOCALE[locale],
    timezone,
    shell: frame.shell ?? null,
    noticeSeen,
    topInfo: start.topInfo,
    apiBase: API_BASE,
    futuresBase: FUTURES_BASE,
    socketPath: SOCKET_PATH,
  };
}
