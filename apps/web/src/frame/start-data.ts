// Fetches and builds the root data. Runs on the server only; the browser gets the result.
import { CURRENCY_BY_LOCALE, DEFAULT_AVAILABLE_LOCALES, LOCAL_LANGUAGES, type Locale } from "@clockwork/kit/constants";
import { isLocale, listAvailableLocales } from "@clockwork/kit/locale";
import { type FooterColumn, readFooter } from "./footer-list.ts";
import { type PageFrame, resolveTheme } from "./page-frame.ts";
import {
  API_BASE,
  asRecord,
  type CallApi,
  FUTURES_BASE,
  type RootData,
  readEnvelope,
  SOCKET_PATH,
  type TopInfo,
} from "./root-data.ts";

/** A list of languages, given by name or as menu entries. */
function readLocales(value: unknown): readonly Locale[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown) => asRecord(entry)?.lang ?? entry).filter(isLocale);
}

export interface StartData {
  readonly topInfo: TopInfo;
  readonly available: readonly Locale[];
  readonly footer: readonly FooterColumn[];
}

/** Top-info and the language menu, together. A failing call leaves a page that still works, signed out, in English. */
export async function fetchStartData(callApi: CallApi, frame: PageFrame): Promise<StartData> {
  const [top, menu, footer] = await Promise.all([
    callApi({ method: "POST", path: "/v2/users/top-info", body: {} }),
    callApi({ method: "GET", path: "/v2/users/language-menu", shared: true }),
    callApi({ method: "GET", path: "/v1/common/footer-list", shared: true }),
  ]);
  const topData = readEnvelope(top);
  const userLanguages = readLocales(topData?.availableLanguage);
  const whiteList = readLocales(readEnvelope(menu)?.whiteList);
  const allowed = whiteList.length > 0 ? whiteList : DEFAULT_AVAILABLE_LOCALES;
  const id = topData?.id ?? topData?.fid;
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
    footer: readFooter(readEnvelope(footer)?.columns),
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
    footer: start.footer,
    apiBase: API_BASE,
    futuresBase: FUTURES_BASE,
    socketPath: SOCKET_PATH,
  };
}
