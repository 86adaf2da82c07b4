// Every given business constant of the product, in one place, so browser and server cannot disagree. Values only: no
// logic, and never a number that a rule may change while the product runs.

export const PRODUCT_NAME = "Clockwork";
/** Third-party app id, storage-key prefix, the `-cw` routes. */
export const PRODUCT_SHORT_NAME = "cw";
/** Sent with futures calls; far above any real release so that no minimum-version gate refuses the web. */
export const APP_VERSION = "100.100.100";
export const CLIENT_TAG = "web";

// Languages

export const LOCALES = [
  "zh_CN",
  "en_US",
  "zh_TW",
  "ko_KR",
  "ja_JP",
  "fr_FR",
  "es_ES",
  "tr_TR",
  "vi_VN",
  "pt_PT",
  "ru_RU",
  "uk_UA",
] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = "en_US";
export const DEFAULT_AVAILABLE_LOCALES: readonly Locale[] = [
  "ru_RU",
  "zh_TW",
  "en_US",
  "tr_TR",
  "zh_CN",
  "es_ES",
  "ja_JP",
  "fr_FR",
  "pt_PT",
];
export interface Language {
  readonly name: string;
  readonly lang: Locale;
  readonly fiatCurrency: Currency;
}
/** The languages offered; adding one is one entry here and one catalogue file. */
export const LOCAL_LANGUAGES: readonly Language[] = [{ name: "English", lang: "en_US", fiatCurrency: "USD" }];
export const CHINESE_LOCALES: readonly Locale[] = ["zh_CN", "zh_TW"];
export const LOCALE_COOKIE_DAYS = 365;
export const LOCALE_COOKIE_PATH = "/";
export const LOCALE_COOKIE_SAME_SITE = "lax";
/** Spelled as the query has always been spelled. */
export const CLIENT_LANGUAGE_QUERY = "clientSupperLanguage";

// Price currencies

export const CURRENCIES = ["CNY", "USD", "KRW", "TWD", "VND", "TRY", "RUB", "UAH", "EUR", "JPY"] as const;
export type Currency = (typeof CURRENCIES)[number];
export const DEFAULT_CURRENCY: Currency = "USD";
/** Holds a visitor's choice; set by the page and by the call that saves it. */
export const CURRENCY_COOKIE = "cw_currency";
export const CURRENCY_BY_LOCALE: Readonly<Record<Locale, Currency>> = {
  zh_CN: "CNY",
  en_US: "USD",
  zh_TW: "TWD",
  ko_KR: "KRW",
  ja_JP: "JPY",
  fr_FR: "EUR",
  es_ES: "EUR",
  tr_TR: "TRY",
  vi_VN: "VND",
  pt_PT: "EUR",
  ru_RU: "RUB",
  uk_UA: "UAH",
};
export const CURRENCY_SYMBOL: Readonly<Record<Currency, string>> = {
  CNY: "￥",
  USD: "$",
  KRW: "₩",
  TWD: "NT$",
  VND: "₫",
  TRY: "₺",
  RUB: "₽",
  UAH: "₴",
  EUR: "€",
  JPY: "¥",
};

// Theme

export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];
export const DEFAULT_THEME: Theme = "light";
export const THEME_COOKIE = "theme";
export const THEME_COLOR: Readonly<Record<"light" | "dark", string>> = { light: "#ffffff", dark: "#212121" };

// Time zone option

export const TIMEZONE_OPTION = { UTC0: "0", UTC8: "1" } as const;
/** Besides those two every offset some country keeps all year, by its minutes east of UTC: m-300, m330. */
export type TimezoneOffset = `m${number}`;
export type TimezoneName = keyof typeof TIMEZONE_OPTION | TimezoneOffset;
export type TimezoneValue = (typeof TIMEZONE_OPTION)[keyof typeof TIMEZONE_OPTION] | TimezoneOffset;

// Requests

export const RETRY_COUNT = { GET: 1, POST: 0, PUT: 0, PATCH: 0, DELETE: 0 } as const;
export type RequestMethod = keyof typeof RETRY_COUNT;
export const RETRY_STATUSES: readonly number[] = [408, 409, 425, 429, 500, 502, 503, 504];
export const FAILURE_CODE = 500;
export const SUCCESS_CODE = 200;
export const USERS_SUCCESS_CODE = 0;

// Realtime connection

export const CONNECTION_EVENT = {
  ok: "connectOk",
  close: "connectClose",
  error: "connectError",
  http: "connectHttp",
  httpMinute: "connectHttp_1m",
  subscribeFailed: "subfail",
} as const;
/** Published when the address of a socket moves to another domain; feeds follow it. */
export const ADDRESS_EVENT = { spot: "spot WS change", futures: "futures WS change" } as const;
export type ConnectionEvent = (typeof CONNECTION_EVENT)[keyof typeof CONNECTION_EVENT];
export const HEARTBEAT_MS = 2_000;
export const RECONNECT_THRESHOLD_INTERVALS = 5;
export const RECONNECT_THRESHOLD_MS = 10_000;
export const CONNECT_HTTP_THROTTLE_MS = 30_000;
export const CONNECT_HTTP_MINUTE_THROTTLE_MS = 60_000;

// Device fingerprint

export const FINGERPRINT_CACHE_MS = 86_400_000;
export const FINGERPRINT_PLUGIN_MAX = 500;
export const FINGERPRINT_AUDIO_TIMEOUT_TEXT = "audioTimeout";

// Input limits

export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 32;
export const PASSWORD_CLASSES_MIN = 2;
export const PHONE_DIGITS_MIN = 6;
export const CAPTCHA_LENGTH = 6;
export const DEFAULT_PRECISION = 2;

// Number text

export interface Abbreviation {
  readonly suffix: string;
  /** The suffix means 10 to this power. */
  readonly power: number;
}
export const ABBREVIATIONS: readonly Abbreviation[] = [
  { suffix: "K", power: 3 },
  { suffix: "M", power: 6 },
  { suffix: "B", power: 9 },
  { suffix: "T", power: 12 },
  { suffix: "Q", power: 15 },
];
export const CHINESE_ABBREVIATIONS: readonly Abbreviation[] = [
  { suffix: "万", power: 4 },
  { suffix: "亿", power: 8 },
  { suffix: "万亿", power: 12 },
];
export const ABBREVIATION_DECIMALS = 3;

// Page behaviour

export const HEAD_DEBOUNCE_MS = 10;
export const RESIZE_DELAY_MS = 50;
export const RELOAD_GUARD_MS = 10_000;
export const LOADING_BAR = {
  throttleMs: 200,
  durationMs: 2_000,
  hideDelayMs: 500,
  resetDelayMs: 400,
  heightPx: 3,
} as const;
export const BASE_Z_INDEX = 2_000;
export const TOUCH = {
  tapTolerancePx: 10,
  swipeTolerancePx: 30,
  holdMs: 400,
  longTapMs: 400,
  dragFrequencyMs: 100,
  rolloverFrequencyMs: 100,
} as const;
export const DIALOG_RESERVE_PX = 72;

// Stored keys

/** The chosen language; the list the server allowed; the public profile object. */
export const STORAGE_KEY = {
  language: "cw_language",
  availableLanguage: "availableLanguage",
  anchorInfo: "userAnchorInfo",
  accessToken: "cw_access_token",
  userMenu: "cw_user_menu",
  tabList: "cw_tab_list",
  fingerprint: "cw_fingerprint",
  domain: "cw_domain",
  domainList: "cw_domain_list",
} as const;

// Cookies of a session

/**
 * The corrected ones are set on the parent domain, the others on the host; only `webSession` is hidden from scripts.
 */
export const SESSION_COOKIE = {
  correctedAccessToken: "cw_correct_access_token",
  correctedToken: "cw_correct_token",
  futuresToken: "cw_futures_token",
  accessToken: "cw_access_token",
  plainToken: "cw_token",
  webSession: "cw_session",
} as const;
export type SessionCookie = keyof typeof SESSION_COOKIE;
