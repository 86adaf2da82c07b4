// One assertion per constant: a changed business number must be changed here too, on purpose.
import { expect, test } from "vitest";
import * as constants from "./constants.ts";

const EXPECTED: Record<string, unknown> = {
  PRODUCT_NAME: "Clockwork",
  PRODUCT_SHORT_NAME: "cw",
  APP_VERSION: "100.100.100",
  CLIENT_TAG: "web",
  LOCALES: "zh_CN en_US zh_TW ko_KR ja_JP fr_FR es_ES tr_TR vi_VN pt_PT ru_RU uk_UA".split(" "),
  DEFAULT_LOCALE: "en_US",
  DEFAULT_AVAILABLE_LOCALES: "ru_RU zh_TW en_US tr_TR zh_CN es_ES ja_JP fr_FR pt_PT".split(" "),
  LOCAL_LANGUAGES: [{ name: "English", lang: "en_US", fiatCurrency: "USD" }],
  CHINESE_LOCALES: ["zh_CN", "zh_TW"],
  LOCALE_COOKIE_DAYS: 365,
  LOCALE_COOKIE_PATH: "/",
  LOCALE_COOKIE_SAME_SITE: "lax",
  CLIENT_LANGUAGE_QUERY: "clientSupperLanguage",
  CURRENCIES: "CNY USD KRW TWD VND TRY RUB UAH EUR JPY".split(" "),
  DEFAULT_CURRENCY: "USD",
  CURRENCY_BY_LOCALE: {
    zh_CN: "CNY",
    ko_KR: "KRW",
    zh_TW: "TWD",
    vi_VN: "VND",
    tr_TR: "TRY",
    ru_RU: "RUB",
    uk_UA: "UAH",
    pt_PT: "EUR",
    es_ES: "EUR",
    fr_FR: "EUR",
    ja_JP: "JPY",
    en_US: "USD",
  },
  CURRENCY_SYMBOL: {
    CNY: "\uffe5",
    USD: "$",
    KRW: "\u20a9",
    TWD: "NT$",
    VND: "\u20ab",
    TRY: "\u20ba",
    RUB: "\u20bd",
    UAH: "\u20b4",
    EUR: "\u20ac",
    JPY: "\u00a5",
  },
  THEMES: ["light", "dark", "system"],
  DEFAULT_THEME: "light",
  THEME_COOKIE: "theme",
  THEME_COLOR: { light: "#ffffff", dark: "#212121" },
  TIMEZONE_OPTION: { UTC0: "0", UTC8: "1" },
  RETRY_COUNT: { GET: 1, POST: 0, PUT: 0, PATCH: 0, DELETE: 0 },
  RETRY_STATUSES: [408, 409, 425, 429, 500, 502, 503, 504],
  FAILURE_CODE: 500,
  SUCCESS_CODE: 200,
  USERS_SUCCESS_CODE: 0,
  CONNECTION_EVENT: {
    ok: "connectOk",
    close: "connectClose",
    error: "connectError",
    http: "connectHttp",
    httpMinute: "connectHttp_1m",
    subscribeFailed: "subfail",
  },
  HEARTBEAT_MS: 2000,
  RECONNECT_THRESHOLD_INTERVALS: 5,
  RECONNECT_THRESHOLD_MS: 10_000,
  CONNECT_HTTP_THROTTLE_MS: 30_000,
  CONNECT_HTTP_MINUTE_THROTTLE_MS: 60_000,
  FINGERPRINT_CACHE_MS: 86_400_000,
  FINGERPRINT_PLUGIN_MAX: 500,
  FINGERPRINT_AUDIO_TIMEOUT_TEXT: "audioTimeout",
  PASSWORD_LENGTH_MIN: 8,
  PASSWORD_LENGTH_MAX: 32,
  PASSWORD_CLASSES_MIN: 2,
  PHONE_DIGITS_MIN: 6,
  CAPTCHA_LENGTH: 6,
  DEFAULT_PRECISION: 2,
  ABBREVIATIONS: [
    { suffix: "K", power: 3 },
    { suffix: "M", power: 6 },
    { suffix: "B", power: 9 },
    { suffix: "T", power: 12 },
    { suffix: "Q", power: 15 },
  ],
  CHINESE_ABBREVIATIONS: [
    { suffix: "\u4e07", power: 4 },
    { suffix: "\u4ebf", power: 8 },
    { suffix: "\u4e07\u4ebf", power: 12 },
  ],
  ABBREVIATION_DECIMALS: 3,
  HEAD_DEBOUNCE_MS: 10,
  RESIZE_DELAY_MS: 50,
  RELOAD_GUARD_MS: 10_000,
  LOADING_BAR: { throttleMs: 200, durationMs: 2000, hideDelayMs: 500, resetDelayMs: 400, heightPx: 3 },
  BASE_Z_INDEX: 2000,
  TOUCH: {
    tapTolerancePx: 10,
    swipeTolerancePx: 30,
    holdMs: 400,
    longTapMs: 400,
    dragFrequencyMs: 100,
    rolloverFrequencyMs: 100,
  },
  DIALOG_RESERVE_PX: 72,
  STORAGE_KEY: {
    language: "cw_language",
    availableLanguage: "availableLanguage",
    anchorInfo: "userAnchorInfo",
    accessToken: "cw_access_token",
    userMenu: "cw_user_menu",
    tabList: "cw_tab_list",
    fingerprint: "cw_fingerprint",
    domain: "cw_domain",
  },
};

test.each(Object.keys(EXPECTED))("[SITE-16] the constant %s has its specified value", (name) => {
  expect((constants as Record<string, unknown>)[name]).toEqual(EXPECTED[name]);
});

test("[SITE-16] every constant is named here, so none can be added unexamined", () => {
  expect(Object.keys(constants).sort()).toEqual(Object.keys(EXPECTED).sort());
});

test("[NET-5] the reconnect threshold is five heartbeats", () => {
  expect(constants.RECONNECT_THRESHOLD_INTERVALS * constants.HEARTBEAT_MS).toBe(constants.RECONNECT_THRESHOLD_MS);
});
